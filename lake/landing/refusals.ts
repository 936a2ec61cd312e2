/**
 * The refusals of the service: records when it starts or stops refusing a list for one terminal.
 */
import type { DuckDBConnection } from '@duckdb/node-api'
import type { List } from '../../domain/run.ts'
import { LISTS } from './list-schemas.ts'

export interface Word {
  account: string
  list: List
  /** Absent for a list of all terminals: see answeredAgain. */
  terminalId?: string | undefined
  sweepId: string
  /** UTC, without a zone. */
  observedAt: string
  refusal?: { status: number; parameter: string | null }
}

/**
 * Records an answer or refusal that differs from the last one. An answer without an earlier refusal
 * needs no record.
 */
export async function recordAnswer(
  connection: DuckDBConnection,
  { account, list, terminalId, sweepId, observedAt, refusal }: Word,
  seq: bigint,
): Promise<void> {
  if (terminalId === undefined) return
  await connection.run(
    `insert into lake.seen.refusal
     with said as (
       select arg_max(refused, landing_seq) as refused from lake.seen.refusal
       where account = $1 and list = $2 and terminal_id = $3::bigint)
     select $1, $2, $3::bigint, $4::boolean, $5::integer, $6, $7, $8::timestamp, $9
     from said where coalesce(said.refused, false) <> $4::boolean`,
    [
      account,
      list,
      terminalId,
      refusal !== undefined,
      refusal?.status ?? null,
      refusal?.parameter ?? null,
      sweepId,
      observedAt,
      seq,
    ],
  )
}

/**
 * Records an answer for each refused terminal if the list of all terminals contained records of it. `sighted` selects
 * the ids of these records.
 */
export async function recordAnsweredTerminals(
  connection: DuckDBConnection,
  { account, list, sweepId, observedAt }: Word,
  { seq, sighted }: { seq: bigint; sighted: string },
): Promise<void> {
  const { table, id } = LISTS[list]
  await connection.run(
    `insert into lake.seen.refusal
     with refused as (
       select terminal_id from lake.seen.refusal where account = $1 and list = $2
       group by terminal_id having arg_max(refused, landing_seq)),
     -- Where each record was last, for it may have come from such a terminal.
     last_version as (
       select arg_max(terminal_id, (landing_seq, ordinal)) as terminal_id from ${table}
       where account = $1 and ${id} in (${sighted}) and exists (from refused) group by ${id})
     select $1, $2, terminal_id, false, null, null, $3, $4::timestamp, $5
     from refused where terminal_id in (select terminal_id from last_version)`,
    [account, list, sweepId, observedAt, seq],
  )
}
