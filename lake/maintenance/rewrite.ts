/** The changes of stored hashes: no file of the newest snapshot holds the old ones. */
import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api'
import { Failure } from '../../domain/failure.ts'
import { hasRows } from '../connection/has-rows.ts'

interface Rewriting {
  where: string
  /** The replacements of columns, for rows that match. */
  put: string
}

/**
 * Replaces each file that contains such a row: all its rows are written again. Changing files in place would put new
 * statistics on old snapshots (decision 0018).
 */
export async function rewrite(
  connection: DuckDBConnection,
  table: string,
  { where, put }: Rewriting,
): Promise<void> {
  await connection.run(
    `create or replace temp table rewritten_file as select distinct filename from ${table} where ${where}`,
  )
  await connection.run(
    `create or replace temp table rewritten_row as
     select * replace (${put}) from ${table} where ${where}
     union all
     from ${table} where filename in (from rewritten_file) and not coalesce(${where}, false)`,
  )
  await connection.run(`delete from ${table} where filename in (from rewritten_file)`)
  await connection.run(`insert into ${table} by name from rewritten_row`)
  for (const made of ['rewritten_file', 'rewritten_row']) await connection.run(`drop table ${made}`)
}

/** The acts that change stored hashes. */
const REWRITES = `action in ('identity.erase', 'hash_key.rotate')`

/** Returns true if hashes were changed within the last `days` days. */
export const hasRecentRewrite = (connection: DuckDBConnection, days: number): Promise<boolean> =>
  isRecorded(connection, `acted_at::timestamptz > now() - to_days($1::integer) and ${REWRITES}`, [
    days,
  ])

/** Throws lake_locked if hashes of the account were changed after an act, because models then read old and new ones. */
export async function refuseRewritten(
  connection: DuckDBConnection,
  account: string,
  seq: bigint,
): Promise<void> {
  const values = [account, seq]
  if (!(await isRecorded(connection, `account = $1 and seq > $2 and ${REWRITES}`, values))) return
  throw new Failure('lake_locked', 'the hashes of the lake were changed while this run read them')
}

/** Returns true if the audit trail has such an act. */
export const isRecorded = (
  connection: DuckDBConnection,
  where: string,
  values: DuckDBValue[],
): Promise<boolean> => hasRows(connection, `from lake.ops.audit where ${where}`, values)
