/** A small world with its history of observations: versions of records, and the sweeps that read them. */
import type { DuckDBConnection } from '@duckdb/node-api'
import { onTestFinished } from 'vitest'
import { neededFor, prepareModels, readModels, runModels } from '../../lake/run/models.ts'
import { memoryLake } from './memory-lake.ts'
import { rowsOf } from './temp-lake.ts'
import { bindViews } from './bind-views.ts'
import { runVariables } from './run-variables.ts'

export interface SeenSettlement {
  id: number
  terminal: number
  created: string
  net: number
  status?: 'PENDING'
  /** The landing that brought this version, and when it was read. */
  seq?: number
  observed?: string
}

export interface SeenTransaction {
  id: number
  terminal: number
  created: string
  /** A refund is less than nothing, a VERIFY nothing. */
  cents: number
  status?: 'VOID'
  settled?: boolean
  /** When it was last modified; absent: when it was created. */
  modified?: string
  /** The settlement that the record names. */
  named?: number
  seq?: number
  observed?: string
}

export interface SeenSweep {
  list: 'settlements' | 'transactions'
  started: string
  started_seq: number
  seq: number
}

export interface SeenWorld {
  settlements: SeenSettlement[]
  transactions: SeenTransaction[]
  /** Without them all was read once. */
  sweeps?: SeenSweep[]
}

const ONCE: SeenSweep[] = [{ list: 'transactions', started: '2026-12-01', started_seq: 2, seq: 2 }]

/** `id verdict certificate explanation explainedBy [members]` of each settlement, by its id. */
export async function judged(world: SeenWorld): Promise<Map<number, string>> {
  const connection = await reconcileSeen(world)
  const rows = await rowsOf(
    connection,
    `select settlement_id::varchar as id,
       concat_ws(' ', verdict, certificate, explanation, explained_by,
         '[' || coalesce((select string_agg(transaction_id, ' ' order by transaction_id) from attribution where attribution.settlement_id = tieout.settlement_id), '') || ']') as said
     from tieout`,
  )
  return new Map(rows.map(({ id, said }) => [Number(id), String(said)]))
}

/** On tables in memory, by all models up to the findings. */
export async function reconcileSeen(world: SeenWorld): Promise<DuckDBConnection> {
  const connection = await memoryLake()
  onTestFinished(() => connection.closeSync())
  for (const [i, row] of world.settlements.entries()) {
    await connection.run(
      `insert into lake.seen.settlement_version values ('acme', $1, $2, $3::timestamp, $4, $5, false, 1, 's' || $6, $7, $8::timestamp, $6)`,
      [
        ...[row.id, row.terminal, row.created, row.status ?? 'COMPLETE', row.net],
        ...[row.seq ?? 1, i, row.observed ?? '2026-12-01'],
      ],
    )
  }
  for (const [i, row] of world.transactions.entries()) {
    const action = row.cents < 0 ? 'REFUND' : row.cents === 0 ? 'VERIFY' : 'CHARGE'
    await connection.run(
      `insert into lake.seen.transaction_version
         (account, transaction_id, terminal_id, action, status, approved, settled, explicit_settlement_id, created, last_modified, total_cents, content_hash, sweep_id, ordinal, observed_at, landing_seq)
       values ('acme', $1, $2, $3, $4, true, $5, $6::bigint, $7::timestamp, $12::timestamp, abs($8::bigint), 1, 't' || $9, $10, $11::timestamp, $9)`,
      [
        ...[row.id, row.terminal, action, row.status ?? 'CAPTURE', row.settled ?? true],
        ...[row.named ?? null, row.created, row.cents],
        ...[row.seq ?? 2, i, row.observed ?? '2026-12-01', row.modified ?? row.created],
      ],
    )
  }
  for (const { list, started, started_seq, seq } of world.sweeps ?? ONCE) {
    await connection.run(
      `insert into lake.ops.sweep values ($1 || $2, 'r', 'acme', $3, null, $4, null, $5::timestamp, $5::timestamp, 1, 1, 1, 0, 0, 1, 0, 'CONTIGUOUS', 'x', $2)`,
      [list === 'transactions' ? 't' : 's', seq, list, started_seq, started],
    )
  }
  await prepareModels(
    connection,
    runVariables({
      known_at: 1000n,
      known_time: '2026-12-01',
      window_from: '2026-01-01',
      window_to: '2027-01-01',
      as_of: '2026-12-31',
    }),
  )
  const models = neededFor(readModels(), ['tieout', 'transaction_standing'])
  await bindViews(connection, models)
  await runModels(connection, models)
  return connection
}
