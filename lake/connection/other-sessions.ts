/** Other processes that have a lake in PostgreSQL open. Its sessions show them; a SQLite file does not. */
import type { DuckDBConnection } from '@duckdb/node-api'
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from '../../domain/failure.ts'
import type { LakeSettings } from '../../domain/settings.ts'
import { CATALOG } from './commit-record.ts'
import { quoted } from './sql-literal.ts'

export interface OwnSessions {
  /** The settings with which this process opens the lake. */
  settings: LakeSettings
  /** Throws lake_locked if the user of the lake has another session in its database for some seconds. */
  refuseOthers(connection: DuckDBConnection): Promise<void>
}

/** Names the sessions that this process opens, so that it can tell them from others. A local lake has none. */
export function ownSessions(settings: LakeSettings): OwnSessions {
  const { catalog } = settings
  if (!catalog.startsWith('postgres:')) return { settings, refuseOthers: async () => {} }
  const name = `tieout-${randomBytes(4).toString('hex')}`
  return {
    settings: { ...settings, catalog: `${catalog} application_name=${name}` },
    refuseOthers: (connection) => refuseOthers(connection, name),
  }
}

/** PostgreSQL ends a session shortly after its client has left. */
const LEFT_MS = 5_000
const STEP_MS = 200

async function refuseOthers(connection: DuckDBConnection, name: string): Promise<void> {
  const others = `select coalesce(host(client_addr), 'this machine') from pg_stat_activity
    where datname = current_database() and usename = current_user and backend_type = 'client backend'
      and application_name <> ${quoted(name)}`
  const deadline_ms = Date.now() + LEFT_MS
  for (;;) {
    const reader = await connection.runAndReadAll(
      `from postgres_query(${quoted(CATALOG)}, ${quoted(others)})`,
    )
    const addresses = reader.getRows().map(([address]) => String(address))
    if (addresses.length === 0) return
    if (Date.now() > deadline_ms) throw inUse(addresses)
    await sleep(STEP_MS)
  }
}

function inUse(addresses: readonly string[]): Failure {
  const from = [...new Set(addresses)].sort().join(', ')
  return new Failure(
    'lake_locked',
    `PostgreSQL has other sessions of this user in the database of the lake: ${addresses.length}, from ${from}`,
    { remedy: 'stop what uses the lake, then run the same command again' },
  )
}
