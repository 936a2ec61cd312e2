/** The demo begins afresh: it removes what a demo made before, and nothing that is anybody else's or that a person decided. */
import type { DuckDBConnection } from '@duckdb/node-api'
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '../../domain/failure.ts'
import type { Settings } from '../../domain/settings.ts'
import { cantBeLake } from '../../lake/connection/lake-errors.ts'
import { makeFolder } from '../../lake/connection/make-folder.ts'
import { openLake } from '../../lake/connection/open.ts'
import { vacate } from '../../workers/temporal/dev-server.ts'

/** Lies in a folder from when the demo first made it. */
const MARK = 'made-by-demo'

/** All that a lake in a folder is made of. */
const PARTS = [
  ...['catalog.sqlite', 'catalog.sqlite-wal', 'catalog.sqlite-shm'],
  ...['parquet', 'scratch', 'temporal', 'hash.key', MARK],
]

/** What a person has decided, or brought into the lake. */
const ACTS = `
  select 'acts in the audit trail' as acts, count(*)::integer as n from lake.ops.audit
  union all
  select 'imported files', count(*)::integer from lake.ops.imported_file
  union all
  select 'events of backfills', count(*)::integer from lake.ops.backfill_event`

/** `union` leaves each account once. */
const ACCOUNTS = ['run', 'sweep', 'landing', 'imported_file', 'audit', 'backfill_event']
  .map((table) => `select account from lake.ops.${table}`)
  .join(' union ')

/** What the lake of a demo holds must be seen, so that it can be refused. */
interface Held {
  accounts: string[]
  acts: string | undefined
}

/**
 * Makes the demo's folder, empty of an earlier demo. Throws would_overwrite for a folder that is no demo's or holds a
 * person's acts, lake_locked where another demo is at work in it, and lake_unreachable. Nothing is removed then.
 */
export async function clearForDemo({ account, lake, out }: Settings): Promise<void> {
  const { folder } = lake
  const isThere = existsSync(folder) && readdirSync(folder).length > 0
  if (isThere) {
    await refuseOthers(account, lake)
    await vacate(folder)
    for (const part of PARTS) rmSync(join(folder, part), { recursive: true, force: true })
    // The truth lies beside the packs of a demo that came to its end.
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
  const held = existsSync(join(folder, 'catalog.sqlite')) ? await heldIn(settings) : undefined
  const { accounts = [], acts } = held ?? {}
  const others = accounts.filter((name) => name !== account)
  if (others.length > 0 || (!isMarked && accounts.length === 0)) {
    throw refused(folder, 'is no folder of the demo')
  }
  if (acts !== undefined) throw refused(folder, `holds what people did: ${acts}`)
}

async function heldIn(settings: Settings['lake']): Promise<Held> {
  const lake = await openLake(settings, { create: false, readOnly: true })
  try {
    const connection = await lake.connect()
    const acts = (await rowsOf(connection, ACTS)).filter(([, n]) => Number(n) > 0)
    const accounts = (await rowsOf(connection, ACCOUNTS)).map(([name]) => String(name))
    const words = acts.map(([what, n]) => `${String(n)} ${String(what)}`)
    return { accounts, acts: words.length === 0 ? undefined : words.join(', ') }
  } finally {
    lake.close()
  }
}

const rowsOf = async (connection: DuckDBConnection, sql: string) =>
  (await connection.runAndReadAll(sql)).getRows()

const refused = (folder: string, what: string) =>
  new Failure('would_overwrite', `${folder} ${what}; nothing of it was removed`, {
    remedy: 'name another folder by --lake, or move this one away',
  })
