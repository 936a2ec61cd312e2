/** Puts thousands of records at once on tables like those of the lake, and reconciles them with the real models. */
import type { DuckDBConnection } from '@duckdb/node-api'
import { onTestFinished } from 'vitest'
import {
  neededFor,
  prepareModels,
  readModels,
  runModels,
  type Variables,
} from '../../../lake/run/models.ts'
import { memoryLake } from '../../support/memory-lake.ts'
import { rowsOf } from '../../support/temp-lake.ts'
import { bindViews } from '../../support/bind-views.ts'
import { runVariables } from '../../support/run-variables.ts'

export interface LakeSettlement {
  settlement_id: number
  terminal_id: number
  created: string
  net_cents: number
  status?: 'COMPLETE' | 'PENDING'
}

export interface LakeTransaction {
  transaction_id: number
  terminal_id: number
  created: string
  /** The amount in a net; negative is a refund. A transaction of zero is a VERIFY. */
  signed_cents: number
  last_modified?: string
  status?: 'CAPTURE' | 'HOLD' | 'VOID'
  approved?: boolean
  settled?: boolean
  tip_cents?: number
  tax_cents?: number
  shipping_cents?: number
  surcharge_cents?: number
}

export interface LakeRecords {
  settlements: readonly LakeSettlement[]
  transactions: readonly LakeTransaction[]
}

const VARIABLES: Variables = runVariables({
  known_time: '2026-12-01',
  window_from: '2026-01-01',
  window_to: '2027-01-01',
  as_of: '2026-12-01',
})

const listOf = (rows: readonly object[], shape: Record<string, string>) => ({
  text: JSON.stringify(rows),
  select: `(select r.* from (select unnest(from_json($1, '${JSON.stringify([shape])}')) as r))`,
})

async function load(connection: DuckDBConnection, { settlements, transactions }: LakeRecords) {
  const settled = listOf(settlements, {
    settlement_id: 'BIGINT',
    terminal_id: 'BIGINT',
    created: 'TIMESTAMP',
    net_cents: 'BIGINT',
    status: 'VARCHAR',
  })
  await connection.run(
    `insert into lake.seen.settlement_version
     select 'acme', settlement_id, terminal_id, created, coalesce(status, 'COMPLETE'), net_cents, false, 1, 's', 1, '2026-12-01', 1
     from ${settled.select}`,
    [settled.text],
  )
  const done = listOf(transactions, {
    transaction_id: 'BIGINT',
    terminal_id: 'BIGINT',
    created: 'TIMESTAMP',
    last_modified: 'TIMESTAMP',
    signed_cents: 'BIGINT',
    status: 'VARCHAR',
    approved: 'BOOLEAN',
    settled: 'BOOLEAN',
    tip_cents: 'BIGINT',
    tax_cents: 'BIGINT',
    shipping_cents: 'BIGINT',
    surcharge_cents: 'BIGINT',
  })
  await connection.run(
    `insert into lake.seen.transaction_version
       (account, transaction_id, terminal_id, action, status, approved, settled, created, last_modified, total_cents,
        tip_cents, tax_cents, shipping_cents, surcharge_cents, content_hash, sweep_id, ordinal, observed_at, landing_seq)
     select 'acme', transaction_id, terminal_id,
       case when signed_cents > 0 then 'CHARGE' when signed_cents < 0 then 'REFUND' else 'VERIFY' end,
       coalesce(status, 'CAPTURE'), coalesce(approved, true), coalesce(settled, true), created, coalesce(last_modified, created), abs(signed_cents),
       tip_cents, tax_cents, shipping_cents, surcharge_cents, 1, 't', 1, '2026-12-01', 2
     from ${done.select}`,
    [done.text],
  )
}

const VERDICTS = ['tieout', 'transaction_standing'] as const

/** Runs every model up to the verdicts, on a connection that ends with the test. */
export async function reconcileRecords(records: LakeRecords): Promise<DuckDBConnection> {
  const connection = await reconciled(records, VERDICTS)
  onTestFinished(() => connection.closeSync())
  return connection
}

/**
 * Lands the records, sweeps the transactions after the settlements, and runs every model that the named ones need. The
 * caller closes the connection.
 */
export async function reconciled(
  records: LakeRecords,
  targets: readonly string[],
): Promise<DuckDBConnection> {
  const connection = await memoryLake()
  await load(connection, records)
  await connection.run(
    `insert into lake.ops.sweep values ('t', 'r', 'acme', 'transactions', null, 2, null, '2026-12-01', '2026-12-01', 1, 1, 1, 0, 0, 1, 0, 'CONTIGUOUS', 'x', 2)`,
  )
  await prepareModels(connection, VARIABLES)
  const models = neededFor(readModels(), [...targets])
  await bindViews(connection, models)
  await runModels(connection, models)
  return connection
}

export interface Verdict {
  settlement_id: number
  verdict: string
  certificate: string
  rivals: number
  explanation: string
  reported_cents: number
  difference_cents: number
  explained_cents: number
  unexplained_cents: number
  explained_by: string
  members: number[]
}

/** The verdict of each settlement with its members, by id. */
export async function verdictsOf(connection: DuckDBConnection): Promise<Map<number, Verdict>> {
  const rows = await rowsOf(
    connection,
    `with member as (select settlement_id, string_agg(transaction_id, ' ' order by transaction_id) as ids from attribution group by settlement_id)
     select settlement_id::integer as settlement_id, verdict, coalesce(certificate, '') as certificate, coalesce(rival_count, 0)::integer as rivals,
       coalesce(explanation, '') as explanation, reported_cents::integer as reported_cents, coalesce(difference_cents, 0)::integer as difference_cents,
       coalesce(explained_cents, 0)::integer as explained_cents, coalesce(unexplained_cents, 0)::integer as unexplained_cents,
       coalesce(explained_by, '') as explained_by, coalesce(ids, '') as ids
     from tieout left join member using (settlement_id)`,
  )
  return new Map(
    rows.map((row) => {
      const { ids, ...rest } = row as unknown as Omit<Verdict, 'members'> & { ids: string }
      return [rest.settlement_id, { ...rest, members: ids.split(' ').filter(Boolean).map(Number) }]
    }),
  )
}
