/**
 * The variables of a run as models read them: a day of the account `acme` in UTC. A test replaces the values that
 * matter to it.
 */
import type { Variables } from '../../lake/run/models.ts'

const TYPES = {
  account: 'varchar',
  window_from: 'timestamp',
  window_to: 'timestamp',
  from_date: 'date',
  to_date: 'date',
  as_of: 'timestamp',
  as_of_date: 'date',
  known_at: 'bigint',
  audit_seq: 'bigint',
  exception_scan: 'bigint',
  known_time: 'timestamp',
  timezone: 'varchar',
  currency: 'varchar',
  accounting_group: 'varchar',
  accounting_by_terminal: 'boolean',
  pending_stale_days: 'bigint',
  unsettled_days: 'bigint',
  cutoff_tolerance_hours: 'bigint',
} as const

export type RunValues = Partial<Record<keyof typeof TYPES, string | bigint | null>>

const DEFAULTS: RunValues = {
  account: 'acme',
  window_from: '2026-11-01',
  window_to: '2026-12-01',
  from_date: '2026-11-01',
  to_date: '2026-12-01',
  as_of: '2026-11-30 12:00:00',
  as_of_date: '2026-11-30',
  known_at: 10n,
  audit_seq: 0n,
  exception_scan: 0n,
  known_time: '2026-11-30 06:00:00',
  timezone: 'UTC',
  currency: 'USD',
  accounting_group: 'day',
  accounting_by_terminal: 'false',
  pending_stale_days: 3n,
  unsettled_days: 5n,
  cutoff_tolerance_hours: 12n,
}

/** Instants are UTC without a zone, dates ISO 8601. */
export const runVariables = (values: RunValues = {}): Variables =>
  Object.fromEntries(
    Object.entries({ ...DEFAULTS, ...values }).map(([name, value]) => [
      name,
      { type: TYPES[name as keyof typeof TYPES], value },
    ]),
  )
