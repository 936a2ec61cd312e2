/** Closed periods and exported entries: the results of acts in the audit trail. */
import type { DuckDBConnection } from '@duckdb/node-api'
import { Failure } from '../../domain/failure.ts'
import type { AuditAction, AuditEntry } from './audit-trail.ts'

export interface PeriodState {
  period: string
  state: 'closed' | 'open'
  by: string
  at: string
  reason: string
}

/** Every period of an account that was ever closed, with its present state, in order. */
export function periodsIn(trail: readonly AuditEntry[], account: string): PeriodState[] {
  const states = new Map<string, PeriodState>()
  for (const entry of trail) {
    if (entry.account !== account || !entry.action.startsWith('period.')) continue
    const state = entry.action === 'period.close' ? 'closed' : 'open'
    const { subject: period, actor: by, actedAt: at, reason } = entry
    states.set(period, { period, state, by, at, reason })
  }
  return [...states.values()].sort((a, b) => (a.period < b.period ? -1 : 1))
}

/** The approval of a run's pack; undefined if there is none. */
export const approvalIn = (
  trail: readonly AuditEntry[],
  pack: { account: string; runId: string },
): AuditEntry | undefined => trail.find((entry) => isAbout(entry, 'pack.approve', pack))

/** The act that a pack's approval.json names. Throws trail_broken if the trail lacks it, such as in an older copy. */
export function namedApproval(
  trail: readonly AuditEntry[],
  file: { auditSeq: string; auditSha256: string },
): AuditEntry {
  const act = trail.find(({ sha256 }) => sha256 === file.auditSha256)
  if (act?.action === 'pack.approve') return act
  throw new Failure(
    'trail_broken',
    `approval.json names act ${file.auditSeq}, which the lake does not hold`,
  )
}

/** The newest refusal of a run's pack; undefined if there is none. */
export const refusalIn = (
  trail: readonly AuditEntry[],
  pack: { account: string; runId: string },
): AuditEntry | undefined => trail.findLast((entry) => isAbout(entry, 'pack.refuse', pack))

const isAbout = (
  entry: AuditEntry,
  action: AuditAction,
  { account, runId }: { account: string; runId: string },
): boolean => entry.action === action && entry.account === account && entry.subject === runId

/** Stores the export of a pack: the lines of its journal that no approved pack holds. */
export async function storeExport(connection: DuckDBConnection, runId: string): Promise<void> {
  await connection.run(
    `insert into lake.result.export
     select $1, entry_id, origin_id, entry_date, account_key, account, account_name,
       coalesce(debit_cents, 0) - coalesce(credit_cents, 0), memo, settlement_id, terminal_id, source
     from journal_line where is_new`,
    [runId],
  )
}

/** SQL for the runs of the account $2 whose packs are approved. */
const APPROVED_RUNS = `(select subject from lake.ops.audit where account = $2 and action = 'pack.approve')`

/**
 * Refuses a pack if another pack has exported one of its entries since, or a gathered entry with the same id. A
 * period of its entries that was closed since refuses it, too. Throws approval_refused or period_closed.
 */
export async function refuseOutdated(
  connection: DuckDBConnection,
  { account, runId }: { account: string; runId: string },
  closed: ReadonlySet<string>,
): Promise<void> {
  const exported = await connection.runAndReadAll(
    `select min(entry_id) from (
       select entry_id from lake.result.export
       where run_id = $1 and entry_id in (select entry_id from lake.ops.exported_line where account = $2)
       union all
       select "entryId" from lake.result.gathered
       where run_id = $1 and "entryId" in (
         select "entryId" from lake.result.gathered
         where run_id in ${APPROVED_RUNS}))`,
    [runId, account],
  )
  const twice = exported.getRows()[0]?.[0] ?? null
  if (twice !== null) {
    throw new Failure(
      'approval_refused',
      `another pack with the entry ${String(twice)} was approved after this pack was made`,
    )
  }
  const periods = await connection.runAndReadAll(
    `select distinct strftime(entry_date, '%Y-%m') from lake.result.export where run_id = $1 order by 1`,
    [runId],
  )
  const late = periods.getRows().find(([period]) => closed.has(String(period)))
  if (late === undefined) return
  throw new Failure(
    'period_closed',
    `the pack posts into ${String(late[0])}, which was closed after it was made`,
  )
}

/**
 * Refuses a currency in which an account can't go on, because its approved packs have another one. Throws
 * config_invalid.
 */
export async function refuseOtherCurrency(
  connection: DuckDBConnection,
  { account, currency }: { account: string; currency: string },
): Promise<void> {
  const reader = await connection.runAndReadAll(
    `select currency from lake.result.journal
     where run_id in ${APPROVED_RUNS} and currency <> $1
     limit 1`,
    [currency, account],
  )
  const [approved] = reader.getRows().flat()
  if (approved === undefined) return
  throw new Failure(
    'config_invalid',
    `the currency of ${account} is ${currency}, and its approved packs are in ${String(approved)}`,
    { remedy: `set currency to ${String(approved)}, or give the account another name` },
  )
}

/** Makes a run's export final under the number of its approval; returns its entries and hash. */
export async function exportLines(
  connection: DuckDBConnection,
  { account, runId }: { account: string; runId: string },
  seq: bigint,
): Promise<void> {
  await connection.run(
    `insert into lake.ops.exported_line
     select $1, $2, run.known_at, run.as_of, export.* exclude (run_id)
     from lake.result.export as export inner join lake.ops.run as run using (run_id)
     where run_id = $3`,
    [seq, account, runId],
  )
}

/** Entries of an export and the hash of its lines, from either of the two tables. */
export async function exportFacts(
  connection: DuckDBConnection,
  from: { runId: string } | { seq: bigint },
): Promise<{ entries: number; linesSha256: string }> {
  const [table, key, value] =
    'runId' in from
      ? ['result.export', 'run_id', from.runId]
      : ['ops.exported_line', 'audit_seq', from.seq]
  const reader = await connection.runAndReadAll(
    `select count(distinct entry_id),
       coalesce(sha256(string_agg(line, chr(10) order by line)), '')
     from (
       select entry_id, to_json([entry_id, origin_id, entry_date::varchar, account_key, ledger_account, amount_cents::varchar])::varchar as line
       from lake.${table} where ${key} = $1)`,
    [value],
  )
  const [entries, linesSha256] = reader.getRows().flat()
  return { entries: Number(entries), linesSha256: String(linesSha256) }
}
