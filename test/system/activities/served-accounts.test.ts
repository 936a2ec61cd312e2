import type { Client } from '@temporalio/client'
import { MockActivityEnvironment } from '@temporalio/testing'
import { expect, test } from 'vitest'
import { ServedAccounts } from '../../../activities/runtime/served-accounts.ts'
import type { Rate } from '../../../api/rate/rate.ts'
import { readSettings } from '../../../workers/config/settings.ts'
import { LAST_PAGE, answer, refusal, scripted } from '../../unit/api/scripted-server.ts'
import { ringOf } from '../../support/key-ring.ts'

test('a worker whose credentials were refused one night tries them once in the next', async () => {
  const no = refusal('403 Forbidden', '')
  const service = await scripted([no, no, answer(LAST_PAGE)])
  const settings = readSettings({}, 'source', {
    TIEOUT_BASE_URL: service.url,
    TIEOUT_API_USER: 'u',
    TIEOUT_API_PASSWORD: 'p',
    TIEOUT_APPLICATION_KEY: 'k',
  })
  const served = new ServedAccounts([settings], {
    hashKeys: () => ringOf('h'),
    payloadKey: ringOf('p').first,
  })
  const ask = { offset: 0, limit: 50 }
  const unauthorized = { code: 'source_unauthorized' }
  for (const night of [1, 2]) {
    const source = served.source(settings.account)
    await expect(source.page('settlements', ask)).rejects.toMatchObject(unauthorized)
    await expect(source.page('transactions', ask)).rejects.toMatchObject(unauthorized)
    expect(service.asked).toHaveLength(night)
  }
  const page = await served.source(settings.account).page('settlements', ask)
  expect(page.records).toHaveLength(1)
  await served.close()
})

/** The settings of accounts that share credentials, but no hash key. */
const SHARED = ['acme', 'bona'].map((account) => ({
  ...readSettings({}, 'source', {
    TIEOUT_BASE_URL: 'http://127.0.0.1:9',
    TIEOUT_API_USER: 'u',
    TIEOUT_API_PASSWORD: 'p',
    TIEOUT_APPLICATION_KEY: 'k',
  }),
  account,
}))

/** Runs `work` in an activity, and returns the ids of the limiters that it asked. */
async function limitersOf(work: (served: ServedAccounts) => Promise<void>): Promise<string[]> {
  const limiters: string[] = []
  const client = {
    withAbortSignal: (_signal: AbortSignal, call: () => unknown) => call(),
    workflow: {
      executeUpdateWithStart: () => Promise.reject(new Error('no limiter')),
      getHandle: (id: string) => {
        limiters.push(id)
        return { signal: () => Promise.resolve() }
      },
    },
  } as unknown as Client
  const served = new ServedAccounts(SHARED, {
    hashKeys: ({ account }) => ringOf(account),
    payloadKey: ringOf('p').first,
  })
  await new MockActivityEnvironment({}, { client }).run(() => work(served))
  await served.close()
  return limiters
}

test('backfills at different rates have a rate each, and those at the same rate share it', async () => {
  const rates: Rate[] = []
  const backfill = (mostPerSecond?: number) => ({
    weight: 0.25,
    ...(mostPerSecond === undefined ? {} : { mostPerSecond }),
  })
  await limitersOf(async (served) => {
    for (const pace of [backfill(1), backfill(), backfill(1), undefined]) {
      await served.leased('acme', pace, async ({ rate }) => {
        rates.push(rate)
      })
    }
  })
  expect(rates[2]).toBe(rates[0])
  expect(new Set(rates).size).toBe(3)
})

test('accounts with the same credentials ask one limiter, whatever their hash keys are', async () => {
  const limiters = await limitersOf(async (served) => {
    for (const { account } of SHARED)
      await served.leased(account, undefined, () => Promise.resolve())
  })
  expect(limiters).toHaveLength(2)
  expect(new Set(limiters).size).toBe(1)
})
