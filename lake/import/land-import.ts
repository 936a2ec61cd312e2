/**
 * Lands one file. Its staged rows become versions in one transaction, exactly once, by the rules for a sweep's rows.
 */
import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api'
import { Failure } from '../../domain/failure.ts'
import type { ImportedFile, ImportOrder } from '../../domain/import.ts'
import type { KeyRing } from '../../domain/settings.ts'
import { recordKeys } from '../landing/hash-key.ts'
import { rotatedSql, withKeys } from '../landing/hmac-sql.ts'
import { LISTS } from '../landing/list-schemas.ts'
import type { Lake } from '../connection/lake.ts'
import { recordUnknownNames } from '../landing/unknown-names.ts'
import { currentFence, raiseFence, transact } from '../connection/transact.ts'
import { readModel } from '../run/models.ts'
import type { Staged } from './stage.ts'
import { utc } from '../connection/sql-instant.ts'

export interface ImportLanding extends Staged {
  /** The hashes of the staged rows are made with the first key. */
  hashKeys: KeyRing
  order: ImportOrder & { exportedAt: string }
  sweepId: string
  /** Words that the interface does not have, and empty fields, each with its number of records. */
  names: Readonly<Record<string, number>>
  /** The version of the schemas that judged the records. */
  schemaVersion: number
  fileSha256: string
  startedAt: string
  /** Returns the time at which the file was read. The landing is known from then on. */
  now: () => string
}

export type LandedImport = Pick<
  ImportedFile,
  'landed' | 'rows' | 'newVersions' | 'quarantined' | 'differing' | 'older'
>

/** Another process landed rows meanwhile. The comparison with the lake must be repeated. */
class Overtaken extends Error {}
const MAX_TRIES = 20

/** Returns the counts of an earlier import of this file, or undefined if there was none. */
export async function landedImport(
  connection: DuckDBConnection,
  sweepId: string,
): Promise<LandedImport | undefined> {
  const reader = await connection.runAndReadAll(
    'select records, quarantined, differing, older from lake.ops.imported_file where sweep_id = $1',
    [sweepId],
  )
  const row = reader.getRows()[0]?.map(Number)
  if (row === undefined) return undefined
  const [rows = 0, quarantined = 0, differing = 0, older = 0] = row
  return { landed: false, rows, newVersions: 0, quarantined, differing, older }
}

/** Lands the rows that `stageImport` left on this connection. */
export async function landImport(
  lake: Lake,
  connection: DuckDBConnection,
  landing: ImportLanding,
): Promise<LandedImport> {
  for (let tries = 1; ; tries += 1) {
    const before = await currentFence(connection)
    await compare(connection, landing)
    try {
      return await transact(lake, connection, () => insertAll(connection, landing, before))
    } catch (error) {
      if (!(error instanceof Overtaken)) throw error
      if (tries === MAX_TRIES) {
        throw new Failure('lake_locked', 'another process is writing the lake', {
          cause: error,
        })
      }
    }
  }
}

async function insertAll(
  connection: DuckDBConnection,
  landing: ImportLanding,
  before: bigint,
): Promise<LandedImport> {
  const known = await landedImport(connection, landing.sweepId)
  if (known !== undefined) return known
  const seq = await raiseFence(connection)
  if (seq !== before + 1n) throw new Overtaken()
  await recordKeys(connection, landing.order.account, landing.hashKeys)
  const newVersions = await insertVersions(connection, landing, seq)
  await insertQuarantine(connection, landing, seq)
  const counts = await countsOf(connection)
  await insertLedger(connection, landing, { seq, newVersions, ...counts })
  const { order, sweepId, names } = landing
  const sweep = { sweepId, runId: sweepId, account: order.account, list: order.list }
  await recordUnknownNames(connection, sweep, { names, seq })
  const { rows, rejects } = landing
  return { landed: true, rows, newVersions, quarantined: rejects, ...counts }
}

/** Makes the table `import_verdict` by comparing the file with the versions of its list, `listed_version`. */
async function compare(connection: DuckDBConnection, { order }: ImportLanding): Promise<void> {
  const { table, id } = LISTS[order.list]
  await connection.run(
    `create or replace temp table import_key as select id, terminal_id, content_hash, created, ordinal from import_row`,
  )
  await connection.run(
    `create or replace temp view listed_version as
     select account, ${id} as id, content_hash, observed_at, landing_seq, ordinal from ${table}`,
  )
  await connection.run(
    `create or replace temp table import_verdict as ${readModel('import', 'import_verdict').text}`,
    [order.account, order.list, utc(order.exportedAt)],
  )
}

async function insertVersions(
  connection: DuckDBConnection,
  { order, sweepId, hashKeys: { later } }: ImportLanding,
  seq: bigint,
): Promise<number> {
  const { table, columns } = LISTS[order.list]
  const names = Object.keys(columns).map((name) =>
    name === 'billing_hash' ? rotatedSql(name, later.length) : name,
  )
  const inserted = await withKeys(connection, later, () =>
    connection.run(
      `insert into ${table}
       select $1, ${names.join(', ')}, content_hash, $2, ordinal, $3::timestamp, $4
       from import_row where ordinal in (select ordinal from import_verdict where not older)`,
      [order.account, sweepId, utc(order.exportedAt), seq],
    ),
  )
  return inserted.rowsChanged
}

/** Stores the rejects. A bad record in a file tells nothing about a state of it that was read well since. */
async function insertQuarantine(
  connection: DuckDBConnection,
  { order, sweepId, schemaVersion, rejects }: ImportLanding,
  seq: bigint,
): Promise<void> {
  if (rejects === 0) return
  await connection.run(
    `insert into lake.seen.quarantine ${readModel('import', 'import_quarantine').text}`,
    [order.account, order.list, sweepId, utc(order.exportedAt), seq, schemaVersion],
  )
}

async function countsOf(
  connection: DuckDBConnection,
): Promise<Pick<LandedImport, 'differing' | 'older'>> {
  const reader = await connection.runAndReadAll(
    `select count(distinct id) filter (where differing), count(distinct id) filter (where older) from import_verdict`,
  )
  const [differing = 0, older = 0] = (reader.getRows()[0] ?? []).map(Number)
  return { differing, older }
}

interface Outcome extends Pick<LandedImport, 'differing' | 'newVersions' | 'older'> {
  seq: bigint
}

async function insertLedger(
  connection: DuckDBConnection,
  landing: ImportLanding,
  { seq, newVersions, differing, older }: Outcome,
): Promise<void> {
  const { order, sweepId, rows, rejects, startedAt } = landing
  const endedAt = utc(landing.now())
  const run = (sql: string, values: DuckDBValue[]) => connection.run(sql, values)
  await run(
    `insert into lake.ops.landing values ($1, $2, $3, 0, $4, $5, $6, $7::timestamp, '{}')`,
    [
      ...[seq, order.account, sweepId],
      ...[BigInt(rows - rejects), BigInt(newVersions), BigInt(rejects), endedAt],
    ],
  )
  await run(
    `insert into lake.ops.imported_file
     select $1, $2, $3, $4, $5, $6::timestamp, $7::timestamp, (select min(created) from import_key),
       $8::timestamp, $9::timestamp, $10, $11, $12, $13, $14, $15`,
    [
      ...[sweepId, order.account, order.list, landing.fileSha256, order.format],
      ...[utc(order.exportedAt), order.completeFrom === undefined ? null : utc(order.completeFrom)],
      ...[utc(startedAt), endedAt],
      ...[rows, newVersions, rejects, differing, older].map(BigInt),
      seq,
    ],
  )
}
