/** The upgrade of a lake's schema, and the way back: the catalog's rows from before it (docs/decisions/0062). */
import type { DuckDBConnection } from '@duckdb/node-api'
import { Failure } from '../../domain/failure.ts'
import type { Newer, RolledBack, Upgraded } from '../../domain/maintenance.ts'
import { checkLake, checkWithin } from '../connection/check-lake.ts'
import { asOnlyWriter, CATALOG, recordCommits, viewCatalog } from '../connection/commit-record.ts'
import type { Lake } from '../connection/lake.ts'
import { migrate, schemaOf, type Migration } from '../connection/migrate.ts'
import { withRetries } from '../connection/with-retries.ts'
import { copyAside, putBack } from './catalog-rows.ts'
import { wordsOf } from './lost-acts.ts'

export interface UpgradeOptions {
  /** The version of tieout, for the record. */
  program: string
  /** The schema files; absent: those of this program. */
  migrations?: readonly Migration[]
  /** Throws lake_locked if another process uses the lake. */
  ensureAlone: () => Promise<void>
}

/**
 * Brings a lake to the schema of this program. Copies the catalog's rows beside it, applies each missing file in one
 * transaction, and checks every file. An upgrade that was interrupted goes on where it stopped. Throws lake_damaged.
 */
export async function upgrade(
  lake: Lake,
  connection: DuckDBConnection,
  { program, migrations, ensureAlone }: UpgradeOptions,
): Promise<Upgraded> {
  const { version, pending } = await schemaOf(connection, migrations)
  await makeRecord(connection)
  const begun = await openUpgrade(connection, version)
  if (version === 0) {
    throw new Failure('lake_unreachable', 'the catalog has no lake yet', {
      remedy: 'tieout run makes one, with the tables of this version',
    })
  }
  if (pending.length === 0 && begun === undefined) {
    return { program, from: version, to: version, applied: [] }
  }
  await checkLake(lake, connection)
  const from = begun?.from ?? version
  const to = pending.at(-1)?.version ?? version
  if (begun === undefined) {
    await ensureAlone()
    await withRetries(() => begin(connection, { from, to, program }))
  }
  for (const migration of pending) {
    await ensureAlone()
    await migrate(lake, connection, migration)
  }
  const { files, bytes } = await checkLake(lake, connection)
  await withRetries(() => finish(connection, { to, program }))
  return { program, from, to, applied: pending.map(({ name }) => name), files, bytes }
}

/** The upgrade that was interrupted after it had applied a file. Before that nothing is lost by a new copy. */
async function openUpgrade(
  connection: DuckDBConnection,
  version: number,
): Promise<Recorded | undefined> {
  const last = await lastUpgrade(connection)
  return last !== undefined && last.isOpen && last.from < version ? last : undefined
}

/** Copies the catalog and records the upgrade, both or neither. */
const begin = (
  connection: DuckDBConnection,
  { from, to, program }: Pick<Upgraded, 'from' | 'program' | 'to'>,
): Promise<void> =>
  asOnlyWriter(connection, async () => {
    const number = ((await lastUpgrade(connection))?.number ?? 0) + 1
    await copyAside(connection)
    await connection.run(
      `insert into ${CATALOG}.tieout_upgrade values ($1::bigint, $2::bigint, $3::bigint, $4, $5, null, null, $6)`,
      [
        ...[String(number), String(from), String(to), program, new Date().toISOString()],
        JSON.stringify(await countsOf(connection)),
      ],
    )
  })

const finish = (
  connection: DuckDBConnection,
  { to, program }: Pick<Upgraded, 'program' | 'to'>,
): Promise<unknown> =>
  asOnlyWriter(connection, () =>
    connection.run(
      `update ${CATALOG}.tieout_upgrade set done_at = $1, version_to = $2::bigint, program = $3
       where done_at is null and rolled_back_at is null`,
      [new Date().toISOString(), String(to), program],
    ),
  )

/**
 * Puts the catalog back as it was before the newest upgrade, and checks every file that it then names before anything is
 * stored. Throws rollback_refused if there is no such upgrade, or maintenance has removed a file. Throws it also for newer
 * contents that `discardNewer` does not give up.
 */
export async function rollback(
  lake: Lake,
  connection: DuckDBConnection,
  { discardNewer, ensureAlone }: { discardNewer: boolean; ensureAlone: () => Promise<void> },
): Promise<RolledBack> {
  await makeRecord(connection)
  const last = await lastUpgrade(connection)
  if (last === undefined || last.isRolledBack) {
    throw new Failure('rollback_refused', 'no upgrade of this lake can be rolled back', {
      remedy: 'restore a backup with tieout maintain --restore, if you need an earlier state',
    })
  }
  const newer = await newerThan(connection, last.counts)
  const lost = Object.values(newer).some((count) => count !== 0)
  if (lost && !discardNewer) {
    throw new Failure('rollback_refused', `the lake has got since the upgrade: ${wordsOf(newer)}`)
  }
  const { from, to } = last
  await viewCatalog(connection, lake.settings.data)
  const checked = await withRetries(() =>
    asOnlyWriter(connection, async () => {
      // An attempt whose answer was lost may have been stored.
      if ((await lastUpgrade(connection))?.isRolledBack === true) return checkWithin(connection)
      const numbers = await nextNumbers(connection)
      await putBack(connection)
      await connection.run(
        `update ${CATALOG}.tieout_upgrade set rolled_back_at = $1 where number = $2::bigint`,
        [new Date().toISOString(), String(last.number)],
      )
      const found = await checkWithin(connection).catch(filesGone)
      await goOn(connection, numbers)
      await ensureAlone()
      return found
    }),
  )
  await withRetries(() => recordCommits(connection, lake.settings.data))
  return { from: to, to: from, discarded: newer, ...checked }
}

/** DuckLake remembers tables and files by these numbers, so that none may come twice. */
async function nextNumbers(connection: DuckDBConnection): Promise<string[]> {
  const reader = await connection.runAndReadAll(
    `select (max(snapshot_id) + 1)::varchar, (max(schema_version) + 1)::varchar, max(next_catalog_id)::varchar,
       max(next_file_id)::varchar
     from ${CATALOG}.ducklake_snapshot`,
  )
  return (reader.getRows()[0] ?? []).map(String)
}

/** Adds a snapshot that changes nothing, after those that are lost. */
async function goOn(connection: DuckDBConnection, numbers: readonly string[]): Promise<void> {
  await connection.run(
    `insert into ${CATALOG}.ducklake_snapshot
       (snapshot_id, snapshot_time, schema_version, next_catalog_id, next_file_id)
     values ($1::bigint, now(), $2::bigint, $3::bigint, $4::bigint)`,
    [...numbers],
  )
  await connection.run(
    `insert into ${CATALOG}.ducklake_snapshot_changes (snapshot_id, changes_made, commit_message)
     values ($1::bigint, '', 'rollback of an upgrade')`,
    [numbers[0] ?? ''],
  )
}

function filesGone(cause: unknown): never {
  if (!(cause instanceof Failure) || cause.code !== 'lake_damaged') throw cause
  throw new Failure(
    'rollback_refused',
    `the lake as it was before the upgrade can't be read any more: ${cause.message}`,
    { cause, remedy: 'restore a backup with tieout maintain --restore' },
  )
}

interface Recorded {
  number: number
  from: number
  to: number
  /** True for an upgrade that was interrupted. */
  isOpen: boolean
  isRolledBack: boolean
  counts: Newer
}

async function lastUpgrade(connection: DuckDBConnection): Promise<Recorded | undefined> {
  const reader = await connection.runAndReadAll(
    `select number::varchar as number, version_from::varchar as "from", version_to::varchar as "to",
       done_at is null and rolled_back_at is null as "isOpen", rolled_back_at is not null as "isRolledBack", counts
     from ${CATALOG}.tieout_upgrade order by number desc limit 1`,
  )
  const [row] = reader.getRowObjectsJson()
  if (row === undefined) return undefined
  const { number, from, to, isOpen, isRolledBack, counts } = row
  return {
    ...{ number: Number(number), from: Number(from), to: Number(to) },
    ...{ isOpen: isOpen === true, isRolledBack: isRolledBack === true },
    counts: JSON.parse(String(counts)) as Newer,
  }
}

const makeRecord = (connection: DuckDBConnection): Promise<unknown> =>
  withRetries(() =>
    connection.run(
      `create table if not exists ${CATALOG}.tieout_upgrade (
         number bigint, version_from bigint, version_to bigint, program varchar, begun_at varchar, done_at varchar,
         rolled_back_at varchar, counts varchar)`,
    ),
  )

/** The rows that would be lost. They are only added. */
const COUNTED = {
  landings: 'landing',
  sweeps: 'sweep',
  runs: 'run',
  packs: 'publication',
  acts: 'audit',
  approvals: "audit where action = 'pack.approve'",
  erasures: "audit where action = 'identity.erase'",
  backfillEvents: 'backfill_event',
} as const satisfies Record<keyof Newer, string>

async function countsOf(connection: DuckDBConnection): Promise<Newer> {
  const counts = Object.entries(COUNTED).map(
    ([name, rows]) => `(select count(*)::varchar from lake.ops.${rows}) as "${name}"`,
  )
  const reader = await connection.runAndReadAll(`select ${counts.join(', ')}`)
  return numbersOf((name) => reader.getRowObjectsJson()[0]?.[name])
}

async function newerThan(connection: DuckDBConnection, then: Newer): Promise<Newer> {
  const now = await countsOf(connection)
  return numbersOf((name) => now[name] - then[name])
}

const numbersOf = (valueOf: (name: keyof Newer) => unknown): Newer => ({
  ...{ landings: Number(valueOf('landings')), sweeps: Number(valueOf('sweeps')) },
  ...{ runs: Number(valueOf('runs')), packs: Number(valueOf('packs')) },
  ...{ acts: Number(valueOf('acts')), approvals: Number(valueOf('approvals')) },
  ...{ erasures: Number(valueOf('erasures')), backfillEvents: Number(valueOf('backfillEvents')) },
})
