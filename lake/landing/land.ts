/**
 * The landing: a batch of records becomes observed versions, exactly once, however often it is
 * retried.
 */
import type { DuckDBConnection } from '@duckdb/node-api'
import { SCHEMA_VERSION } from '../../domain/schema-version.ts'
import type { KeyRing } from '../../domain/settings.ts'
import type { Lake } from '../connection/lake.ts'
import { handOverTyped } from './append-typed.ts'
import { endSweep, type Known, BATCH_IDS } from './end-sweep.ts'
import { filledTables } from '../connection/non-empty-tables.ts'
import { recordKeys } from './hash-key.ts'
import { rotatedSql, withKeys } from './hmac-sql.ts'
import { contentHash, LISTS, REJECT_COLUMNS, rowsInJson } from './list-schemas.ts'
import { recordAnswer } from './refusals.ts'
import { TypedRows } from './typed-rows.ts'
import { utc } from '../connection/sql-instant.ts'
import { raiseFence, transact } from '../connection/transact.ts'
import { type Landing } from './landing.ts'
import { hasRows } from '../connection/has-rows.ts'

export interface Landed {
  /**
   * False if nothing was written. Either another attempt had landed this batch already, or another
   * run has landed other versions of its records since it was read. Then the newer version is
   * unknown, and the batch must be read again.
   */
  landed: boolean
  newVersions: number
}

/**
 * Lands one batch in one transaction: versions, quarantine, page ledger, and at the end the sweep's
 * record.
 */
export async function land(
  lake: Lake,
  connection: DuckDBConnection,
  landing: Landing,
): Promise<Landed> {
  await stage(connection, landing)
  return transact(lake, connection, async () => {
    const isFilled = await filledTables(connection)
    // Before the first landing there is nothing to compare with.
    if (
      isFilled('lake.ops.landing') &&
      ((await alreadyLanded(connection, landing)) || (await isOutdated(connection, landing)))
    ) {
      return { landed: false, newVersions: 0 }
    }
    const seq = await raiseFence(connection)
    const { account, hashKeys } = landing
    if (hashKeys !== undefined) await recordKeys(connection, account, hashKeys)
    const known = { seq, isFilled }
    const newVersions = await insertVersions(connection, landing, known)
    await insertQuarantine(connection, landing, known)
    await insertPages(connection, landing, seq)
    await insertLanding(connection, landing, { seq, newVersions })
    if (landing.end === undefined) await insertSightings(connection, landing)
    else await endSweep(connection, { ...landing, end: landing.end }, known)
    if (landing.refusal !== undefined || landing.end !== undefined) {
      await recordAnswer(connection, { ...landing, observedAt: utc(landing.observedAt) }, seq)
    }
    return { landed: true, newVersions }
  })
}

/**
 * Makes the temporary tables `handed` (typed rows in order), `staged` (their ids and hashes) and
 * `rejected`.
 */
async function stage(connection: DuckDBConnection, landing: Landing): Promise<void> {
  const { types, id } = LISTS[landing.list]
  const rows = landing.rows instanceof TypedRows ? landing.rows : TypedRows.of(types, landing.rows)
  await handOverTyped(connection, 'handed', rows)
  await connection.run(
    `create or replace temp table staged as
     select ordinal, ${id} as id, ${contentHash(landing.list)} as content_hash from handed`,
  )
  const { list, hashKeys } = landing
  if (list === 'transactions' && hashKeys !== undefined) await rotateHanded(connection, hashKeys)
  await stageRejects(connection, landing.rejects)
}

/** Hashes again with the keys of rotations. The content hash stays with the first key, so that a record stays known. */
async function rotateHanded(connection: DuckDBConnection, { later }: KeyRing): Promise<void> {
  if (later.length === 0) return
  await withKeys(connection, later, () =>
    connection.run(`update handed set billing_hash = ${rotatedSql('billing_hash', later.length)}`),
  )
}

async function stageRejects(
  connection: DuckDBConnection,
  rejects: readonly object[],
): Promise<void> {
  const rows = rejects.map((reject, n) => ({ ...reject, ordinal: n + 1 }))
  await connection.run(
    `create or replace temp table rejected as from ${rowsInJson(REJECT_COLUMNS)}`,
    [JSON.stringify(rows)],
  )
}

const alreadyLanded = (connection: DuckDBConnection, { sweepId, batch }: Landing) =>
  hasRows(connection, 'from lake.ops.landing where sweep_id = $1 and batch >= $2', [sweepId, batch])

/**
 * Returns true if another run has landed another version of one of these records since the batch
 * was read.
 */
async function isOutdated(
  connection: DuckDBConnection,
  { account, runId, list, readSince }: Landing,
): Promise<boolean> {
  if (readSince === undefined) return false
  const about = [account, readSince, `${runId}/`]
  const others =
    'from lake.ops.landing where account = $1 and landing_seq > $2 and not starts_with(sweep_id, $3)'
  if (!(await hasRows(connection, others, about))) return false
  const { table, id } = LISTS[list]
  return hasRows(
    connection,
    `from ${table} as theirs inner join staged on staged.id = theirs.${id}
     where theirs.account = $1 and theirs.landing_seq > $2 and not starts_with(theirs.sweep_id, $3)
       and theirs.content_hash <> staged.content_hash`,
    about,
  )
}

/**
 * Inserts a record that differs from its last version, in this batch or in the lake. A record that
 * was quarantined in between is inserted as well, so that the quarantine ends.
 */
async function insertVersions(
  connection: DuckDBConnection,
  landing: Landing,
  { seq, isFilled }: Known,
): Promise<number> {
  const reader = await connection.runAndReadAll('select min(id), max(id) from staged')
  const [low, high] = reader.getRows()[0] ?? []
  if (typeof low !== 'bigint') return 0
  const { table, id, columns } = LISTS[landing.list]
  // The bounds are literals, so that DuckDB can skip files without these ids.
  const inserted = await connection.run(
    `insert into ${table}
     with newest as (
       select ${id} as id, arg_max(content_hash, (landing_seq, ordinal)) as content_hash, max(landing_seq) as landing_seq
       from ${table}
       where account = $1 and ${id} between ${low} and ${String(high)} and ${isFilled(table)}
       group by ${id}),
     refused as (
       select try_cast(subject_id as bigint) as id, max(landing_seq) as landing_seq
       from lake.seen.quarantine where account = $1 and list = $2 and ${isFilled('lake.seen.quarantine')} group by 1),
     known as (
       select newest.id, newest.content_hash
       from newest left join refused using (id)
       where refused.landing_seq is null or refused.landing_seq < newest.landing_seq),
     compared as (
       select staged.ordinal, staged.content_hash,
         coalesce(lag(staged.content_hash) over (partition by staged.id order by staged.ordinal), known.content_hash) as before_hash
       from staged left join known using (id)),
     news as (select ordinal, content_hash from compared where before_hash is distinct from content_hash)
     select $1, ${Object.keys(columns).join(', ')}, content_hash, $3, ordinal, $4::timestamp, $5
     from handed inner join news using (ordinal)`,
    [landing.account, landing.list, landing.sweepId, utc(landing.observedAt), seq],
  )
  return inserted.rowsChanged
}

async function insertQuarantine(
  connection: DuckDBConnection,
  landing: Landing,
  { seq, isFilled }: Known,
): Promise<void> {
  if (landing.rejects.length === 0) return
  const { table, id } = LISTS[landing.list]
  const reader = await connection.runAndReadAll(
    'select coalesce(min(try_cast(subject_id as bigint)), 0), coalesce(max(try_cast(subject_id as bigint)), 0) from rejected',
  )
  const [low, high] = reader.getRows()[0] ?? []
  await connection.run(
    `insert into lake.seen.quarantine
     with newest as (
       select subject_id, arg_max((record_hash, schema_version), (landing_seq, ordinal)) as judged, max(landing_seq) as landing_seq,
         arg_max(sweep_id, (landing_seq, ordinal)) as sweep_id
       from lake.seen.quarantine
       where account = $1 and list = $2 and ${isFilled('lake.seen.quarantine')} group by subject_id),
     -- What was read well in between is unreadable anew.
     read_since as (
       select subject_id from newest
       inner join ${table} as well on well.${id} = try_cast(subject_id as bigint) and well.landing_seq > newest.landing_seq
       where well.account = $1 and well.${id} between ${String(low)} and ${String(high)} and ${isFilled(table)}
         and subject_id in (select subject_id from rejected))
     select $1, $2, subject_type, rejected.subject_id, try_cast(terminal_id as bigint), try_cast(created as timestamp),
       field, reason, excerpt, record_sha256, $3, ordinal, $4::timestamp, $5, $6::integer
     from rejected left join newest using (subject_id)
     where newest.judged is distinct from (record_sha256, $6::integer) or rejected.subject_id in (select subject_id from read_since)
       or (try_cast(rejected.subject_id as bigint) is null and newest.sweep_id <> $3)
     qualify row_number() over (partition by rejected.subject_id, record_sha256 order by ordinal) = 1`,
    [
      ...[landing.account, landing.list, landing.sweepId, utc(landing.observedAt), seq],
      landing.schemaVersion ?? SCHEMA_VERSION,
    ],
  )
}

async function insertPages(
  connection: DuckDBConnection,
  landing: Landing,
  seq: bigint,
): Promise<void> {
  const shape =
    '[{"offset":"BIGINT","asked":"BIGINT","count":"BIGINT","firstId":"VARCHAR","lastId":"VARCHAR","bodySha256":"VARCHAR"}]'
  await connection.run(
    `insert into lake.ops.landed_page
     select $1, $2, unnest(from_json($4, '${shape}'), recursive := true), $3`,
    [landing.sweepId, BigInt(landing.batch), seq, JSON.stringify(landing.pages)],
  )
}

/** Stores the ids of a batch until the sweep ends; the last batch needs no storing. */
async function insertSightings(
  connection: DuckDBConnection,
  { account, list, sweepId }: Landing,
): Promise<void> {
  await connection.run(
    `insert into lake.ops.sighting select $1, $2, $3, subject_id from (select distinct subject_id from (${BATCH_IDS}))`,
    [account, list, sweepId],
  )
}

async function insertLanding(
  connection: DuckDBConnection,
  landing: Landing,
  outcome: { seq: bigint; newVersions: number },
): Promise<void> {
  await connection.run(
    'insert into lake.ops.landing values ($1, $2, $3, $4, $5, $6, $7, $8::timestamp, $9)',
    [
      outcome.seq,
      landing.account,
      landing.sweepId,
      BigInt(landing.batch),
      BigInt(landing.rows.length),
      BigInt(outcome.newVersions),
      BigInt(landing.rejects.length),
      utc(landing.observedAt),
      JSON.stringify(landing.state),
    ],
  )
}
