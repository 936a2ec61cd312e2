/** Other processes that have a lake in PostgreSQL open. Its sessions show them; a SQLite file does not. */
import type { DuckDBConnection } from '@duckdb/node-api'
import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from '../../domain/failure.ts'
import type { LakeSettings } from '../../domain/settings.ts'
import { CATALOG } from './commit-record.ts'
import { quoted } from './sql-literal.ts'

/** Names the sessions that this process opens, so that it can tell them from others. */
export const namedSessions = (settings: LakeSettings, name: string): LakeSettings =>
  settings.catalog.startsWith('postgres:')
    ? { ...settings, catalog: `${settings.catalog} application_name=${name}` }
    : settings

/** PostgreSQL ends a session shortly after its client has left. */
const LEFT_MS = 5_000
const STEP_MS = 200

/** Throws lake_locked if the user of the lake has a session in its database under another name, for some seconds. */
export async function refuseOtherSessions(
  connection: DuckDBConnection,
  { catalog }: LakeSettings,
  name: string,
): Promise<void> {
  if (!catalog.startsWith('postgres:')) return
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
