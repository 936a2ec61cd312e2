/** Records each decision about the books in one transaction with its act in the audit trail. */
import type { DuckDBConnection } from '@duckdb/node-api'
import type { BooksAct, BooksActed, ExceptionActs } from '../../domain/books.ts'
import { Failure } from '../../domain/failure.ts'
import type { Settings } from '../../domain/settings.ts'
import { findOrder, readTrail, type AuditEntry } from '../../lake/decisions/audit-trail.ts'
import { checkLake } from '../../lake/connection/check-lake.ts'
import { refuseMisspelt } from '../../lake/decisions/require-account.ts'
import { refuseMissing } from '../../lake/connection/open.ts'
import { transact } from '../../lake/connection/transact.ts'
import { actOnAttribution } from './act-on-attributions.ts'
import { actOnException } from './act-on-exceptions.ts'
import { actOnPack } from './act-on-pack.ts'
import { turnPeriod } from './act-on-period.ts'
import { actedBy } from './act-receipt.ts'
import type { SharedLake } from '../runtime/shared-lake.ts'

/**
 * Acts once, however often it is called: an existing decision is returned as it was. Throws lake_unreachable if there is
 * no lake, because a decision about nothing must not make one.
 */
export const createActOnBooks =
  (settings: Settings, shared: SharedLake) =>
  async (act: BooksAct): Promise<BooksActed> => {
    refuseMissing(settings.lake)
    return shared.connected(async (lake, connection) => {
      if ('runId' in act) await checkLake(lake, connection, READ_BY_APPROVAL)
      if ('period' in act) await checkLake(lake, connection, READ_BY_CLOSE)
      return transact(lake, connection, () => actIn(connection, settings, act))
    })
  }

/** The files that decide an act: a changed one must not become part of the audit trail. */
const READ_BY_APPROVAL = { schemas: ['ops', 'result'], results: ['export'] }
const READ_BY_CLOSE = {
  schemas: ['ops', 'result', 'seen'],
  results: ['attribution_source', 'attributions', 'exceptions', 'export', 'worklist'],
}

type Trail = readonly AuditEntry[]

async function actIn(
  connection: DuckDBConnection,
  settings: Settings,
  act: BooksAct,
): Promise<BooksActed> {
  await refuseMisspelt(connection, act.account)
  // Each proof reads the whole trail, so that an act reads it once.
  const trail = await readTrail(connection)
  const earlier = findOrder(trail, act.orderId)
  if (earlier !== undefined) return actedBy(earlier, true)
  if ('runId' in act) return actOnPack(connection, trail, act)
  if ('period' in act) return turnPeriod(connection, { settings, trail }, act)
  if ('transactionId' in act) return actOnAttribution(connection, trail, act)
  if ('acts' in act) return actOnExceptions(connection, { settings, trail }, act)
  return actOnException(connection, { settings, trail }, act)
}

/**
 * Acts on each in the order given. A failure undoes all of them, because they share the caller's transaction. The
 * receipt is that of the last act that is new, or else of the last one.
 */
async function actOnExceptions(
  connection: DuckDBConnection,
  about: { settings: Settings; trail: Trail },
  { acts, orderId }: ExceptionActs,
): Promise<BooksActed> {
  const all: BooksActed[] = []
  for (const [at, act] of acts.entries()) {
    const own = orderId === undefined ? act : { ...act, orderId: `${orderId}/${at}` }
    const earlier = findOrder(about.trail, own.orderId)
    // An order that is repeated answers as it did at first.
    const acted =
      earlier === undefined ? await actOnException(connection, about, own) : actedBy(earlier, false)
    all.push(acted)
  }
  const added = all.filter(({ wasSo }) => !wasSo)
  const last = added.at(-1) ?? all.at(-1)
  if (last === undefined) throw new Failure('usage', 'there is no exception to decide about')
  const { clearing: _ofTheLast, ...receipt } = last
  return { ...receipt, recorded: added.length }
}
