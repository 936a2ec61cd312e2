/**
 * Goal: a step outlasts an outage of the lake, and other failures end it as soon as before. Method: the waits of
 * Temporal's retries are added up, and failures pass through the last tries.
 */
import { ApplicationFailure } from '@temporalio/common'
import { expect, test } from 'vitest'
import { SharedLake } from '../../../activities/runtime/shared-lake.ts'
import { withFailures } from '../../../activities/runtime/with-failures.ts'
import { Failure, TRIES, type FailureCode } from '../../../domain/failure.ts'
import { readSettings } from '../../../workers/config/settings.ts'
import { RETRY } from '../../../workflows/activity-options.ts'
import { tempFolder } from '../../support/temp-lake.ts'

/** The waits between so many tries that fail at once, as Temporal computes them. */
function waits_s(tries: number): number {
  let sum_s = 0
  for (let retry = 0; retry < tries - 1; retry += 1) {
    sum_s += Math.min(RETRY.backoffCoefficient ** retry, Number.parseInt(RETRY.maximumInterval))
  }
  return sum_s
}

const isRetried = async (code: FailureCode, attempt: number): Promise<boolean> => {
  const failed = withFailures(() => Promise.reject(new Failure(code, 'it fails')), { attempt })
  const carried: unknown = await failed.catch((error: unknown) => error)
  return carried instanceof ApplicationFailure && carried.nonRetryable !== true
}

test('a lake that does not answer is tried again for about five minutes, and anything else for half a minute', async () => {
  expect(RETRY.maximumAttempts).toBe(TRIES.lakeLost)
  expect(waits_s(TRIES.lakeLost)).toBeGreaterThan(280)
  expect(waits_s(TRIES.lakeLost)).toBeLessThan(400)
  expect(waits_s(TRIES.other)).toBe(31)
  const codes = ['lake_lost', 'source_unreachable', 'lake_locked', 'lake_unreachable'] as const
  const retried = async (attempt: number) =>
    Promise.all(codes.map((code) => isRetried(code, attempt)))
  expect(await retried(TRIES.other - 1)).toEqual([true, true, true, false])
  expect(await retried(TRIES.other)).toEqual([true, false, false, false])
  expect(await retried(TRIES.lakeLost - 1)).toEqual([true, false, false, false])
})

test('a worker that keeps running waits for a catalog that does not answer yet, but not for a wrong address', async () => {
  const opened = async (host: string, isLasting: boolean) => {
    const env = { TIEOUT_LAKE: `postgres://lake@${host}/one`, TIEOUT_HASH_KEY: 'k' }
    const folder = tempFolder()
    const { lake } = readSettings({}, 'lake', { ...env, TIEOUT_LAKE_DATA: folder })
    const shared = new SharedLake({ ...lake, folder }, () => {}, { isLasting })
    return shared.connected(() => Promise.resolve('opened')).catch((error: unknown) => error)
  }
  const silent = "can't be opened: no program listens there (ECONNREFUSED)"
  const told = (code: FailureCode, words: string) =>
    expect.objectContaining({ code, message: expect.stringContaining(words) })
  expect(await opened('127.0.0.1:1', true)).toEqual(told('lake_lost', silent))
  expect(await opened('127.0.0.1:1', false)).toEqual(told('lake_unreachable', silent))
  expect(await opened('no.such.host.invalid', true)).toEqual(told('lake_unreachable', 'ENOTFOUND'))
})
