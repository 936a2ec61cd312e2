/** What the service says of one terminal's list: that it refuses it, or that it answers again. */
import type { DuckDBConnection } from '@duckdb/node-api'
import type { List } from '../domain/run.ts'

export interface Word {
  account: string
  list: List
  /** Absent for a list of all terminals, of which nothing is recorded. */
  terminalId?: string | undefined
  sweepId: string
  /** UTC, without a zone. */
  observedAt: string
  refusal?: { status: number; parameter: string | null }
}

/** Records the word where it is not what was said last; one who never refused anything need not be told. */
export async function recordWord(
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
