/**
 * Goal: a step outlasts an outage of the lake, and other failures end it as soon as before. Method: failures pass
 * through the wrapper of activities, and the waits that it asks for are added up.
 */
import { expect, test } from 'vitest'
import { SharedLake } from '../../../activities/runtime/shared-lake.ts'
import { LAKE_WAITS, withFailures } from '../../../activities/runtime/with-failures.ts'
import { Failure, type FailureCode } from '../../../domain/failure.ts'
import { readSettings } from '../../../workers/config/settings.ts'
import { RETRY } from '../../../workflows/activity-options.ts'
import { tempFolder } from '../../support/temp-lake.ts'

const carriedBy = async (code: FailureCode, attempt: number): Promise<unknown> =>
  withFailures(() => Promise.reject(new Failure(code, 'it fails')), { attempt }).catch(
    (error: unknown) => error,
  )

test('the waits for a lake that does not answer are five minutes together, and other failures have the usual ones', async () => {
  expect(LAKE_WAITS).toHaveLength(RETRY.maximumAttempts - 1)
  const sum_s = LAKE_WAITS.reduce((sum, wait) => sum + Number.parseInt(wait), 0)
  expect(sum_s).toBeGreaterThan(280)
  expect(await carriedBy('lake_lost', 3)).toMatchObject({
    ...{ nonRetryable: false, nextRetryDelay: '60 seconds' },
  })
  for (const code of ['source_unreachable', 'lake_locked'] as const) {
    expect(await carriedBy(code, 3)).toMatchObject({
      ...{ nonRetryable: false, nextRetryDelay: undefined },
    })
  }
  expect(await carriedBy('lake_unreachable', 3)).toMatchObject({ nonRetryable: true })
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
