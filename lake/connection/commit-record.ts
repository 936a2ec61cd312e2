/**
 * The record of what the lake wrote: a hash of each file, and of the catalog's rows of each snapshot. The record lies
 * in the catalog's database, beside DuckLake's tables. Damage of a disk shows as a difference from it.
 */
import type { DuckDBConnection } from '@duckdb/node-api'
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { Failure } from '../../domain/failure.ts'
import { sha256OfFile } from '../../domain/file-hash.ts'
import { inTransaction } from './in-transaction.ts'
import { lakeFailure } from './lake-errors.ts'
import { packageRoot } from './package-root.ts'
import { quoted, quotedFolder } from './sql-literal.ts'
import { withRetries } from './with-retries.ts'
import { hasRows } from './has-rows.ts'

/** The SHA-256 of each new file, by its name. */
export type FileHashes = Readonly<Record<string, string>>

/** DuckLake's own database of the lake, in which the record lies as well. */
export const CATALOG = '__ducklake_metadata_lake'

/** The snapshot number of the row for tables that every commit overwrites. */
export const OVERWRITTEN = -1

/** Stands beside the digests while maintenance rewrites the catalog; `as_of` is then no snapshot. */
const MAINTENANCE = -2

/** Makes the two tables of the record, unless the catalog has them. */
export async function makeRecord(connection: DuckDBConnection): Promise<void> {
  const known = await connection
    .runAndReadAll(`select 1 from ${CATALOG}.tieout_file, ${CATALOG}.tieout_digest limit 0`)
    .catch(() => undefined)
  if (known === undefined) await withRetries(() => makeTables(connection))
}

async function makeTables(connection: DuckDBConnection): Promise<void> {
  await connection.run(
    `create table if not exists ${CATALOG}.tieout_file (name varchar, bytes bigint, sha256 varchar)`,
  )
  await connection.run(
    `create table if not exists ${CATALOG}.tieout_digest (snapshot bigint, as_of bigint, sha256 varchar)`,
  )
}

const FOLDER = join(packageRoot, 'sql', 'integrity')
const MODELS = ['catalog_end', 'catalog_line', 'catalog_digest', 'overwritten_digest', 'lake_file']

/** Connections that have the views. Every commit needs them. */
const viewing = new WeakSet<DuckDBConnection>()

/** Makes the views on the catalog, once for a connection: its rows as text, their digests, and its files. */
export async function viewCatalog(connection: DuckDBConnection, data: string): Promise<void> {
  if (viewing.has(connection)) return
  await connection.run(`set variable lake_data = ${quotedFolder(data)}`)
  for (const name of MODELS) {
    const text = readFileSync(join(FOLDER, `${name}.sql`), 'utf8')
    await connection.run(`create or replace temp view ${name} as ${text}`)
  }
  viewing.add(connection)
}

/** Hands the hashes of a transaction's files to its commit, so that both are stored or neither. */
export async function announceFiles(
  connection: DuckDBConnection,
  hashes: FileHashes,
): Promise<void> {
  await connection.run(`call lake.set_commit_message('tieout', 'files', extra_info => $1)`, [
    JSON.stringify(hashes),
  ])
}

/**
 * Records the snapshots that have no record yet: the one just committed, and any whose process was killed before it
 * could record it. The hash of a file comes from its commit. A file without one, such as a merged file, is read.
 */
export async function recordCommits(connection: DuckDBConnection, data: string): Promise<void> {
  await viewCatalog(connection, data)
  await asOnlyWriter(connection, async () => {
    await recordFiles(connection)
    const reader = await connection.runAndReadAll(
      `select coalesce(max(snapshot), -1) from ${CATALOG}.tieout_digest`,
    )
    // A literal lets DuckDB read the rows of the new snapshots alone.
    await recordDigests(connection, `snapshot > ${String(reader.getRows()[0]?.[0])}`)
  })
}

/**
 * Runs `work` in a transaction that holds the write lock of the catalog. Otherwise DuckDB opens a SQLite file once for
 * each table of a statement. Then another commit may come in between.
 */
export const asOnlyWriter = <T>(connection: DuckDBConnection, work: () => Promise<T>): Promise<T> =>
  inTransaction(connection, async () => {
    await connection.run(
      `update ${CATALOG}.ducklake_metadata set value = value where key = 'version'`,
    )
    return work()
  })

async function recordDigests(connection: DuckDBConnection, which: string): Promise<void> {
  const reader = await connection.runAndReadAll(
    `select snapshot::varchar as snapshot, snapshot::varchar as as_of, sha256 from catalog_digest
     where ${which} and snapshot <= (select max(snapshot_id) from ${CATALOG}.ducklake_snapshot)
     union all
     select '${OVERWRITTEN}', (select max(snapshot_id)::varchar from ${CATALOG}.ducklake_snapshot), sha256
     from overwritten_digest`,
  )
  const rows = reader.getRowObjectsJson()
  await connection.run(
    `delete from ${CATALOG}.tieout_digest where snapshot in (select unnest(from_json($1, '["BIGINT"]')))`,
    [JSON.stringify(rows.map(({ snapshot }) => snapshot))],
  )
  await connection.run(
    `insert into ${CATALOG}.tieout_digest
     select unnest(from_json($1, '[{"snapshot":"BIGINT","as_of":"BIGINT","sha256":"VARCHAR"}]'), recursive := true)`,
    [JSON.stringify(rows)],
  )
}

/**
 * Returns true if rows that the next commit overwrites are not as the last one recorded them. Maintenance, and a process
 * that was killed before it recorded its commit, leave nothing to compare.
 */
export const isOverwrittenChanged = (connection: DuckDBConnection): Promise<boolean> =>
  hasRows(
    connection,
    `from ${CATALOG}.tieout_digest as recorded
     where recorded.snapshot = ${OVERWRITTEN}
       and recorded.as_of = (select max(snapshot_id) from ${CATALOG}.ducklake_snapshot)
       and recorded.sha256 is distinct from (select sha256 from overwritten_digest)
       and not exists (from ${CATALOG}.tieout_digest where snapshot = ${MAINTENANCE})`,
  )

/**
 * Returns true if a row of the catalog ends in a snapshot that does not exist yet. No commit writes that, and the
 * commit with that number would take the end for its own.
 */
export const hasFutureEnd = (connection: DuckDBConnection): Promise<boolean> =>
  hasRows(
    connection,
    `from catalog_end where snapshot > (select max(snapshot_id) from ${CATALOG}.ducklake_snapshot)`,
  )

/**
 * Marks that maintenance is about to rewrite rows of the catalog that already have a record. A long step adds a mark now
 * and then, which shows that its process lives.
 */
export const announceMaintenance = (connection: DuckDBConnection): Promise<unknown> =>
  connection.run(`insert into ${CATALOG}.tieout_digest values (${MAINTENANCE}, null, null)`)

/** Records the whole catalog again, after maintenance that has checked it before. */
export async function recordMaintenance(connection: DuckDBConnection, data: string): Promise<void> {
  await viewCatalog(connection, data)
  await asOnlyWriter(connection, () => recordAll(connection))
}

/** The same in the caller's transaction, on a connection that has the views of the catalog. */
export async function recordAll(connection: DuckDBConnection): Promise<void> {
  await recordFiles(connection)
  await connection.run(`delete from ${CATALOG}.tieout_digest`)
  await recordDigests(connection, 'true')
  await connection.run(
    `delete from ${CATALOG}.tieout_file where name not in (select name from lake_file)`,
  )
}

/** Counts the marks: none unless maintenance rewrites the catalog, or was killed there. */
export async function maintenanceMarks(connection: DuckDBConnection): Promise<number> {
  const reader = await connection.runAndReadAll(
    `select count(*) from ${CATALOG}.tieout_digest where snapshot = ${MAINTENANCE}`,
  )
  return Number(reader.getRows()[0]?.[0])
}

async function recordFiles(connection: DuckDBConnection): Promise<void> {
  const reader = await connection.runAndReadAll(
    `select name, path, bytes::varchar, json_extract_string(commit_extra_info, concat('$."', name, '"'))
     from lake_file
       left join ${CATALOG}.ducklake_snapshot_changes on snapshot_id = begin_snapshot
     where name not in (select name from ${CATALOG}.tieout_file)`,
  )
  const rows = []
  for (const [name, path, bytes, announced] of reader.getRows()) {
    // A file that is missing gets no hash, so that the check names it.
    const sha256 = announced ?? (await hashOf(connection, String(path)).catch(unlessLost))
    if (sha256 !== undefined) rows.push({ name, bytes, sha256 })
  }
  if (rows.length === 0) return
  await connection.run(
    `insert into ${CATALOG}.tieout_file
     select unnest(from_json($1, '[{"name":"VARCHAR","bytes":"BIGINT","sha256":"VARCHAR"}]'), recursive := true)`,
    [JSON.stringify(rows)],
  )
}

/** A store that does not answer says nothing about its files. */
function unlessLost(error: unknown): undefined {
  const failure = error instanceof Failure ? error : lakeFailure(error)
  if (failure?.code === 'lake_lost') throw failure
}

/** The SHA-256 of a file on a local disk or in an object store. Throws if it can't be read. */
export async function hashOf(connection: DuckDBConnection, path: string): Promise<string> {
  if (!path.includes('://')) return sha256OfFile(path)
  const reader = await connection.runAndReadAll(
    `select sha256(content) from read_blob(${quoted(path)})`,
  )
  const [row] = reader.getRows()
  if (row !== undefined) return String(row[0])
  // DuckDB finds no file if the store refuses or does not answer. Its reader of Parquet throws the store's error.
  await connection.run(`from read_parquet(${quoted(path)}) limit 0`)
  throw new Failure('lake_lost', `the object store of the lake did not find ${path} at first`)
}

/** The hashes of local files by name. A file that another writer removed meanwhile has none. */
export async function hashesOf(paths: readonly string[]): Promise<FileHashes> {
  const hashes: Record<string, string> = {}
  for (const path of paths) {
    const sha256 = await sha256OfFile(path).catch(() => undefined)
    if (sha256 !== undefined) hashes[basename(path)] = sha256
  }
  return hashes
}
