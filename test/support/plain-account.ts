/** An account with default settings only, for tests and benches that name no others. */
import { ACCOUNTING_PROGRAMS } from '../../domain/accounting.ts'
import { DEFAULT_CHART } from '../../domain/chart.ts'
import type { Settings } from '../../domain/settings.ts'

/** Its settings, with a place for its packs and one for its lake, and whatever else is different. */
export const plainAccount = (
  its: Pick<Settings, 'out' | 'lake'> & Partial<Settings>,
): Settings => ({
  account: 'acme',
  timezone: 'UTC',
  currency: 'USD',
  csvProfile: 'machine',
  thresholds: { pending_stale_days: 3, unsettled_days: 5, cutoff_tolerance_hours: 12 },
  lookbackDays: 35,
  scheduleAt: '04:15',
  chartOfAccounts: DEFAULT_CHART,
  accounting: { programs: ACCOUNTING_PROGRAMS },
  terminals: [],
  hashKeys: undefined,
  source: undefined,
  ...its,
})
