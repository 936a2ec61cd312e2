import { expect, test } from 'vitest'
import { accountJson, accountLines, temporalLine } from '../../../cli/status/text.ts'
import type { AccountStatus } from '../../../queries/account-status.ts'

const NOW_MS = Date.parse('2026-11-30T12:00:00Z')
const REACHED = { reached: false, why: 'not asked', exit: 0 } as const

/** An account with differences on both sides, which a signed sum would hide. */
const STATUS: AccountStatus = {
  ...{ account: 'acme', currency: 'USD', timezone: 'UTC', pack: undefined, nightsMissing: [] },
  ...{ lastRun: undefined, sweeps: [], imports: [], quarantined: 1 },
  exceptions: [{ code: 'AMOUNT_MISMATCH', severity: 'error', open: 2, added: 0, cents: 131_434n }],
  exposure: {
    ...{ settlements: 2, short_cents: 70_022n, over_cents: 61_412n, gross_cents: 131_434n },
    ...{ older: 3, older_cents: 500n },
  },
}

const linesOf = (status: AccountStatus, name: string) =>
  accountLines(status, REACHED, NOW_MS).filter((line) => line.trimStart().startsWith(name))

test('status shows unexplained differences as short, over and gross, and older open items beside them', () => {
  expect(linesOf(STATUS, 'unexplained')).toEqual([
    '  unexplained  short 700.22, over 614.12, gross 1,314.34 USD',
  ])
  expect(linesOf(STATUS, 'older')).toEqual([
    '  older        3 open exceptions from before the range, differences of gross 5.00 USD',
  ])
  expect(linesOf(STATUS, 'quarantine')).toEqual(['  quarantine   1 record'])
})

test('status shows the age of the newest imported file of each list, and no line without imports', () => {
  const file = { list: 'transactions', exportedAt: '2026-11-27T11:00:00Z', records: 600 }
  const imports = [{ ...file, quarantined: 0 }]
  expect(linesOf({ ...STATUS, imports }, 'imports')).toEqual([
    '  imports      transactions  exported 2026-11-27T11:00:00Z, 3 days ago, 600 records',
  ])
  expect(accountJson({ ...STATUS, imports }, REACHED, NOW_MS)).toMatchObject({
    imports: [{ ...file, ageSeconds: 3 * 86_400 + 3_600 }],
  })
  expect(linesOf(STATUS, 'imports')).toEqual([])
})

test('status says that Temporal was not checked only where nothing was asked', () => {
  expect(temporalLine(REACHED)).toBe('temporal       not checked: not asked')
  const dead = { reached: false, why: "Temporal at a:1 can't be reached", exit: 6 } as const
  expect(temporalLine(dead)).toBe("temporal       Temporal at a:1 can't be reached")
})

test('status without older items or without a run says so', () => {
  const { exposure } = STATUS
  if (exposure === undefined) throw new Error('the account has an exposure')
  expect(linesOf({ ...STATUS, exposure: { ...exposure, older: 0 } }, 'older')).toEqual([
    '  older        none open',
  ])
  const none = { ...STATUS, exposure: undefined, exceptions: [] }
  expect(linesOf(none, 'unexplained')).toEqual(['  unexplained  -'])
  expect(linesOf(none, 'exceptions')).toEqual(['  exceptions   none open'])
})

test('status as JSON has the same amounts as text', () => {
  expect(accountJson(STATUS, REACHED, NOW_MS)).toMatchObject({
    ...{ unexplained: '1314.34', unexplainedShort: '700.22', unexplainedOver: '614.12' },
    ...{ olderOpen: 3, olderAmount: '5.00' },
    exceptions: [{ code: 'AMOUNT_MISMATCH', amount: '1314.34' }],
  })
})

test('times have the local time of the account beside them, unless that is UTC', () => {
  const pack = {
    ...{ runId: 'r', from: '2026-10-01', to: '2026-11-01', certificate: 'CONTIGUOUS' },
    publishedAt: '2026-11-30T09:15:00Z',
  }
  const ofZone = (timezone: string) => linesOf({ ...STATUS, timezone, pack }, 'pack')
  expect(ofZone('UTC')).toEqual([
    '  pack         2026-10-01 to 2026-11-01, published 2026-11-30T09:15:00Z, 2 hours ago, sweeps CONTIGUOUS',
  ])
  expect(ofZone('America/New_York')).toEqual([
    '  pack         2026-10-01 to 2026-11-01, published 2026-11-30T09:15:00Z (2026-11-30 04:15 America/New_York), 2 hours ago, sweeps CONTIGUOUS',
  ])
})

test('the line of a failed run has the local time beside the time of its end, and none without an end', () => {
  const failed = (endedAt: string | null) => {
    const lastEnded = { workflowId: 'run/acme', status: 'failed', endedAt, failure: 'no answer' }
    const runs = { running: [], lastEnded, schedule: undefined }
    const accounts = new Map([['acme', runs]])
    const reached = { reached: true as const, address: 'a:1', namespace: 'default', accounts }
    const lines = accountLines({ ...STATUS, timezone: 'America/New_York' }, reached, NOW_MS)
    return lines.find((line) => line.startsWith('  failed'))
  }
  expect(failed('2026-11-30T09:15:00Z')).toBe(
    '  failed       run/acme failed 2026-11-30T09:15:00Z (2026-11-30 04:15 America/New_York): no answer',
  )
  expect(failed(null)).toBe('  failed       run/acme failed : no answer')
})
