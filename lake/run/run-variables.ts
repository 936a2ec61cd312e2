/** The variables of the models: the run, the knowledge that it may use, the thresholds. */
import { hash } from 'node:crypto'
import { gatheringOf } from '../../domain/accounting.ts'
import { dateIn, startOfDay } from '../../domain/business-day.ts'
import { type Run, type Knowledge } from '../../domain/run.ts'
import type { Settings } from '../../domain/settings.ts'
import type { Variables } from './models.ts'

export function variablesFor(settings: Settings, run: Run, knowledge: Knowledge): Variables {
  const day = (date: string) => timestamp(startOfDay(settings.timezone, date))
  const as_of_ms = Date.parse(run.asOf)
  const text = (value: string) => ({ type: 'varchar', value })
  const count = (value: number) => ({ type: 'bigint', value: BigInt(value) })
  const { group, byTerminal } = gatheringOf(settings.accounting)
  const upperBound = (value?: number) =>
    value === undefined ? { type: 'bigint', value: null } : count(value)
  return {
    account: text(run.account),
    from_date: { type: 'date', value: run.window.from },
    to_date: { type: 'date', value: run.window.to },
    window_from: { type: 'timestamp', value: day(run.window.from) },
    window_to: { type: 'timestamp', value: day(run.window.to) },
    as_of: { type: 'timestamp', value: timestamp(as_of_ms) },
    as_of_date: { type: 'date', value: dateIn(settings.timezone, as_of_ms) },
    known_at: { type: 'bigint', value: knowledge.knownAt },
    audit_seq: { type: 'bigint', value: knowledge.audit.seq },
    exception_scan: { type: 'bigint', value: knowledge.exceptionScan },
    known_time: { type: 'timestamp', value: knowledge.knownTime },
    previous_run: { type: 'varchar', value: knowledge.previousRun ?? null },
    timezone: text(settings.timezone),
    currency: text(settings.currency),
    accounting_group: text(group),
    accounting_by_terminal: { type: 'boolean', value: String(byTerminal) },
    pending_stale_days: count(settings.thresholds.pending_stale_days),
    unsettled_days: count(settings.thresholds.unsettled_days),
    cutoff_tolerance_hours: upperBound(settings.thresholds.cutoff_tolerance_hours),
  }
}

/** Every setting that can change a number, and its hash. */
export function parametersOf(settings: Settings): { text: string; configHash: string } {
  const text = JSON.stringify({
    account: settings.account,
    accounting: sorted(settings.accounting),
    bankHolidays: settings.bankHolidays,
    chartOfAccounts: sorted(settings.chartOfAccounts),
    csvProfile: settings.csvProfile,
    currency: settings.currency,
    thresholds: sorted({ ...settings.thresholds }),
    timezone: settings.timezone,
  })
  return { text, configHash: hash('sha256', text) }
}

const sorted = (record: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)))

const timestamp = (at_ms: number) =>
  new Date(at_ms).toISOString().replace('T', ' ').replace('Z', '')
