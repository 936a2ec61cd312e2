import { expect, test } from 'vitest'
import { parametersOf, variablesFor } from '../../../lake/run/run-variables.ts'
import { plainAccount } from '../../support/plain-account.ts'
import { lakeSettingsIn } from '../../support/temp-lake.ts'

const SETTINGS = plainAccount({
  ...{ out: '/out', timezone: 'America/New_York', lake: lakeSettingsIn('/lake') },
})
const RUN = {
  ...{ runId: 'r1', account: 'acme', asOf: '2026-11-02T04:15:00Z' },
  window: { from: '2026-03-08', to: '2026-11-01' },
}
const KNOWN = {
  ...{ knownAt: 7n, exceptionScan: 3n, knownTime: '2026-11-02', isNewest: true },
  audit: { seq: 2n, sha256: 'ab' },
}

test('the window of a run is two midnights of its zone, on days with a change of clocks too', () => {
  expect(variablesFor(SETTINGS, RUN, KNOWN)).toMatchObject({
    window_from: { type: 'timestamp', value: '2026-03-08 05:00:00.000' },
    window_to: { type: 'timestamp', value: '2026-11-01 04:00:00.000' },
    as_of: { value: '2026-11-02 04:15:00.000' },
    as_of_date: { value: '2026-11-01' },
    known_at: { value: 7n },
    audit_seq: { value: 2n },
    previous_run: { value: null },
    cutoff_tolerance_hours: { type: 'bigint', value: 12n },
  })
})

test('a limit that is not set is null, and a run before this one is named', () => {
  const { pending_stale_days, unsettled_days } = SETTINGS.thresholds
  const settings = { ...SETTINGS, thresholds: { pending_stale_days, unsettled_days } }
  expect(variablesFor(settings, RUN, { ...KNOWN, previousRun: 'r0' })).toMatchObject({
    previous_run: { value: 'r0' },
    cutoff_tolerance_hours: { type: 'bigint', value: null },
  })
})

test('the hash of the parameters does not depend on the order of keys, and depends on each value', () => {
  const hashOf = (more: Partial<typeof SETTINGS>) =>
    parametersOf({ ...SETTINGS, ...more }).configHash
  const chart = Object.fromEntries(Object.entries(SETTINGS.chartOfAccounts).toReversed())
  expect(hashOf({ chartOfAccounts: chart })).toBe(hashOf({}))
  expect(hashOf({ currency: 'EUR' })).not.toBe(hashOf({}))
  expect(hashOf({ timezone: 'UTC' })).not.toBe(hashOf({}))
})
