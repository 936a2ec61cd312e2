/** Closes and reopens accounting periods, each in one transaction with its act in the audit trail. */
import type { DuckDBConnection } from '@duckdb/node-api'
import { type BooksActed, type PeriodAct, isPeriod } from '../../domain/books.ts'
import { dateIn } from '../../domain/business-day.ts'
import { Failure } from '../../domain/failure.ts'
import type { Settings } from '../../domain/settings.ts'
import { appendDecision, type AuditEntry } from '../../lake/decisions/audit-trail.ts'
import { periodsIn } from '../../lake/decisions/periods-and-exports.ts'
import { closeItems, closeItemWords } from '../../queries/close-checklist.ts'
import { actedBy } from './act-receipt.ts'

/**
 * Acts in the caller's transaction. Throws close_refused for a future month, and for a month with open blockers that
 * the act does not accept.
 */
export async function turnPeriod(
  connection: DuckDBConnection,
  { settings, trail }: { settings: Settings; trail: readonly AuditEntry[] },
  act: PeriodAct,
): Promise<BooksActed> {
  const { account, actor, kind, period, reason } = act
  if (!isPeriod(period)) throw new Failure('usage', `${period} is not a period such as 2026-11`)
  const periods = periodsIn(trail, account)
  const now = periods.find((known) => known.period === period)?.state ?? 'open'
  if (now === (kind === 'close' ? 'closed' : 'open')) {
    const last = trail.findLast((entry) => entry.account === account && entry.subject === period)
    if (last !== undefined) return actedBy(last, true)
    throw new Failure('usage', `${period} is open and was never closed`, {
      remedy: 'tieout periods list',
    })
  }
  const accepted = kind === 'close' ? await acceptedItems(connection, settings, act) : {}
  const entry = await appendDecision(connection, {
    ...{ account, actor, reason, subject: period, detail: accepted, orderId: act.orderId },
    action: `period.${kind}`,
  })
  return actedBy(entry, false)
}

/** The blockers that the act accepts, with its reason. Throws close_refused. */
async function acceptedItems(
  connection: DuckDBConnection,
  settings: Settings,
  { period, acceptOpen }: PeriodAct,
): Promise<Record<string, string>> {
  if (`${period}-01` > dateIn(settings.timezone, Date.now())) {
    throw new Failure('close_refused', `${period} has not begun`, {
      remedy: 'close it when it is over',
    })
  }
  const items = await closeItems(connection, settings, period)
  const blockers = items.filter(({ isBlocker }) => isBlocker).map(closeItemWords)
  if (blockers.length === 0) return {}
  const open = blockers.join('; ')
  if (acceptOpen === undefined) throw new Failure('close_refused', `${period} stays open: ${open}`)
  return { acceptedOpen: open, acceptedFor: acceptOpen }
}
