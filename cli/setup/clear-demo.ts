/**
 * The fresh start of a demo: deletes what an earlier demo made, and never other files or a person's
 * decisions.
 */
import type { DuckDBConnection } from '@duckdb/node-api'
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '../../domain/failure.ts'
import type { Settings } from '../../domain/settings.ts'
import { cantBeLake } from '../../lake/connection/lake-errors.ts'
import { makeFolder } from '../../lake/connection/make-folder.ts'
import { withLake } from '../../lake/connection/read-lake.ts'
import { DEMO_CONFIG } from './demo-config.ts'
import type { Waiting } from '../../workers/temporal/announced.ts'
import { vacate } from '../../workers/temporal/dev-server.ts'

/** A file that the demo puts into each folder that it makes. */
const MARK = 'made-by-demo'

/** All parts of a lake in a folder. */
const PARTS = [
  ...['catalog.sqlite', 'catalog.sqlite-wal', 'catalog.sqlite-shm'],
  ...['parquet', 'scratch', 'temporal', 'hash.key', DEMO_CONFIG, MARK],
]

/** Decisions and imports of a person. */
const ACTS = `
  select 'acts in the audit trail' as acts, count(*)::integer as n from lake.ops.audit
  union all
  select 'imported files', count(*)::integer from lake.ops.imported_file
  union all
  select 'events of backfills', count(*)::integer from lake.ops.backfill_event`

/** The `union` leaves each account once. */
const ACCOUNTS = ['run', 'sweep', 'landing', 'imported_file', 'audit', 'backfill_event']
  .map((table) => `select account from lake.ops.${table}`)
  .join(' union ')

/** The contents of the lake that decide whether the demo may delete it. */
interface LakeContents {
  accounts: string[]
  acts: string | undefined
}

/**
 * Empties or makes the folder of the demo. Throws would_overwrite for a folder of another origin or with a person's
 * decisions, lake_locked while another demo uses it, and lake_unreachable. Nothing is deleted in these cases.
 */
export async function clearForDemo(
  { account, lake, out }: Settings,
  waiting: Waiting,
): Promise<void> {
  const { folder } = lake
  const isThere = existsSync(folder) && readdirSync(folder).length > 0
  if (isThere) {
    await refuseOthers(account, lake)
    await vacate(folder, waiting)
    waiting.say(`this demo replaces the earlier one in ${folder} and ${join(out, account)}`)
    for (const part of PARTS) rmSync(join(folder, part), { recursive: true, force: true })
    // A demo that completed leaves this file beside its packs.
    if (existsSync(join(out, 'truth.json'))) {
      for (const name of ['truth.json', account]) {
        rmSync(join(out, name), { recursive: true, force: true })
      }
    }
  }
  try {
    makeFolder(folder)
    writeFileSync(join(folder, MARK), '')
  } catch (error) {
    throw cantBeLake(folder, error)
  }
}

async function refuseOthers(account: string, settings: Settings['lake']): Promise<void> {
  const { folder } = settings
  const isMarked = existsSync(join(folder, MARK))
  const contents = existsSync(join(folder, 'catalog.sqlite'))
    ? await contentsOf(settings)
    : undefined
  const { accounts = [], acts } = contents ?? {}
  const others = accounts.filter((name) => name !== account)
  if (others.length > 0 || (!isMarked && accounts.length === 0)) {
    throw refused(folder, 'is not a folder of the demo')
  }
  if (acts !== undefined) throw refused(folder, `holds decisions of people: ${acts}`)
}

const contentsOf = (settings: Settings['lake']): Promise<LakeContents> =>
  withLake(settings, { create: false, readOnly: true }, async (connection) => {
    const acts = (await rowsOf(connection, ACTS)).filter(([, n]) => Number(n) > 0)
    const accounts = (await rowsOf(connection, ACCOUNTS)).map(([name]) => String(name))
    const words = acts.map(([what, n]) => `${String(n)} ${String(what)}`)
    return { accounts, acts: words.length === 0 ? undefined : words.join(', ') }
  })

const rowsOf = async (connection: DuckDBConnection, sql: string) =>
  (await connection.runAndReadAll(sql)).getRows()

const refused = (folder: string, what: string) =>
  new Failure('would_overwrite', `${folder} ${what}; nothing in it was removed`, {
    remedy: 'name another folder with --lake, or move this one away',
  })
