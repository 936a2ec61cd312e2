/** What is told of one settlement: its numbers, the evidence, the transactions around it and its exceptions. */
import type { DuckDBConnection } from '@duckdb/node-api'
import { Failure } from '../domain/failure.ts'
import { type Evidence, evidenceOn, records } from './explanation-evidence.ts'

export interface ExplainedTransaction {
  transactionId: string
  created: string
  action: string
  status: string
  amountTotal: string
  signedAmount: string
  /** True where it is in the settlement. */
  inside: boolean
  /** Whether it is before the stretch from the cut-off before to this one, within, or after: a member may lie outside. */
  lies: 'before' | 'within' | 'after'
  /** What stands out about it, or where else it is. */
  note: string
}

export interface Explanation extends Evidence {
  settlementId: string
  /** The published run that says the same; empty where everything was computed anew. */
  runId: string
  /** The instant by which ages are judged. */
  asOf: string
  terminalId: string
  terminalName: string
  created: string
  status: string
  reportedNet: string
  computedNet: string
  difference: string
  /** As settlements.csv has it: created of its last transaction, wherever that lies. */
  cutoff: string
  /** The cut-off: time of the last transaction before what follows, by the clock. A member that a person, a shift or an id has placed may lie beyond. */
  endsAt: string
  method: string
  certificate: string
  verdict: string
  explanation: string
  /** The part of the difference that the transactions of `explainedBy` account for, and the rest. */
  explainedAmount: string
  unexplainedAmount: string
  /** Transaction ids, `;`-separated. */
  explainedBy: string
  /** Single causes that would account for the difference, where none is claimed. */
  candidates: string
  /** Which time of a transaction decides here: created or lastModified. */
  clock: string
  /** Other sets within the stated bound that give the same net. */
  rivals: string
  /** The members, and the terminal's neighbours within six hours of either cut-off, in order of the clock. */
  transactions: ExplainedTransaction[]
  /** As exceptions.csv has them. */
  exceptions: ExplainedException[]
}

export interface ExplainedException {
  code: string
  subjectType: string
  subjectId: string
  detail: string
  state: string
}

/** Reads one settlement after the models ran. Throws usage for one that they don't have. */
export async function explanationOf(
  connection: DuckDBConnection,
  settlementId: string,
): Promise<Explanation> {
  await connection.run('set variable explained_id = $1::bigint', [settlementId])
  const evidence = await evidenceOn(connection)
  const [head] = await records(
    connection,
    `select
       settlement_id::varchar as "settlementId", tieout.terminal_id::varchar as "terminalId",
       coalesce(nick_name, '') as "terminalName", instant(tieout.created) as created, status,
       money(reported_cents) as "reportedNet", coalesce(money(computed_cents), '') as "computedNet",
       coalesce(money(difference_cents), '') as difference, coalesce(instant(cutoff_at), '') as cutoff,
       tieout.method, coalesce(certificate, '') as certificate, verdict, coalesce(explanation, '') as explanation,
       coalesce(money(explained_cents), '') as "explainedAmount", coalesce(money(unexplained_cents), '') as "unexplainedAmount",
       coalesce(explained_by, '') as "explainedBy", coalesce(candidates, '') as candidates,
       case clock when 'modified' then 'lastModified' else 'created' end as clock, coalesce(instant(ends_at), '') as "endsAt",
       coalesce(rival_count, 0)::varchar as rivals,
       coalesce(getvariable('stored_run'), '') as "runId", instant(getvariable('as_of')) as "asOf"
     from tieout left join current_terminal using (terminal_id) inner join explained_stretch using (settlement_id)
     where tieout.settlement_id = getvariable('explained_id')`,
  )
  if (head === undefined) throw new Failure('usage', `settlement ${settlementId} is not judged`)
  return {
    ...evidence,
    ...(head as Omit<Explanation, keyof Evidence | 'transactions' | 'exceptions'>),
    transactions: (await transactionsAround(connection)).map((row) => ({
      ...(row as Omit<ExplainedTransaction, 'inside'>),
      inside: row['inside'] === 'true',
    })),
    exceptions: (await exceptionsAbout(connection)) as unknown as ExplainedException[],
  }
}

function transactionsAround(connection: DuckDBConnection): Promise<Record<string, string>[]> {
  return records(
    connection,
    `with
       span as (
         select explained_stretch.* exclude (clock), coalesce(clock, 'created') as clock, explanation, coalesce(explained_by, '') as explained_by
         from explained_stretch inner join tieout using (settlement_id)),
       -- Also those of another terminal.
       named as (
         select transaction_id from attribution where settlement_id = getvariable('explained_id')
         union
         select unnest(string_split(explained_by, ';'))::bigint from span where explained_by <> ''
         union
         select transaction_id from manual_member where settlement_id = getvariable('explained_id'))
     select
       t.transaction_id::varchar as "transactionId", instant(t.created) as created, t.action, t.status,
       money(t.total_cents) as "amountTotal", money(t.signed_cents) as "signedAmount",
       coalesce(attribution.settlement_id = getvariable('explained_id'), false)::varchar as inside,
       case when clock_at < begins_at then 'before' when clock_at > ends_at then 'after' else 'within' end as lies,
       concat_ws(', ',
         case when list_contains(string_split(explained_by, ';'), t.transaction_id::varchar) then explanation end,
         case when manual_member.transaction_id is not null then
           case when manual_member.settlement_id is null then 'put into no settlement' else 'placed' end
           || ' by ' || actor || ': ' || reason end,
         case when attribution.settlement_id <> getvariable('explained_id') then 'in settlement ' || attribution.settlement_id::varchar end,
         case when t.terminal_id <> span.terminal_id then 'of terminal ' || t.terminal_id::varchar end,
         case when not t.approved then 'declined' end,
         case when not t.settled then 'not settled' end,
         case when t.last_modified > t.created + case clock when 'modified' then interval 0 hours else interval 6 hours end then 'changed ' || instant(t.last_modified) end) as note
     from (
       from current_transaction semi join span on current_transaction.terminal_id = span.terminal_id and created between low and high
       union
       from current_transaction semi join named using (transaction_id)) as t
     cross join span
     cross join lateral (select case clock when 'modified' then coalesce(t.last_modified, t.created) else t.created end as clock_at)
     left join attribution using (transaction_id)
     left join manual_member using (transaction_id)
     left join manual_attribution using (transaction_id)
     order by clock_at, t.transaction_id`,
  )
}

function exceptionsAbout(connection: DuckDBConnection): Promise<Record<string, string>[]> {
  return records(
    connection,
    `select "code", "subjectType", "subjectId", coalesce("detail", '') as "detail", "state"
     from pack_exceptions
     where ("subjectType" = 'settlement' and "subjectId" = getvariable('explained_id')::varchar)
       or ("subjectType" = 'transaction' and "subjectId" in (
         select transaction_id::varchar from attribution where settlement_id = getvariable('explained_id')))
       or "code" = 'QUARANTINED' and "subjectType" || ' ' || "subjectId" in (
         select unnest(unreadable) from tieout where settlement_id = getvariable('explained_id'))
     order by "code", "subjectId"`,
  )
}
