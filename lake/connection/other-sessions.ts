/** Other processes that have a lake in PostgreSQL open. Its sessions show them; a SQLite file does not. */
import type { DuckDBConnection } from '@duckdb/node-api'
import { Failure } from '../../domain/failure.ts'
import type { LakeSettings } from '../../domain/settings.ts'
import { CATALOG } from './commit-record.ts'
import { quoted } from './sql-literal.ts'

/** Names the sessions that this process opens, so that it can tell them from others. */
export const namedSessions = (settings: LakeSettings, name: string): LakeSettings =>
  settings.catalog.startsWith('postgres:')
    ? { ...settings, catalog: `${settings.catalog} application_name=${name}` }
    : settings

/** Throws lake_locked if the user of the lake has a session in its database under another name. */
export async function refuseOtherSessions(
  connection: DuckDBConnection,
  { catalog }: LakeSettings,
  name: string,
): Promise<void> {
  if (!catalog.startsWith('postgres:')) return
  const others = `select coalesce(host(client_addr), 'this machine') from pg_stat_activity
    where datname = current_database() and usename = current_user and backend_type = 'client backend'
      and application_name <> ${quoted(name)}`
  const reader = await connection.runAndReadAll(
    `from postgres_query(${quoted(CATALOG)}, ${quoted(others)})`,
  )
  const addresses = reader.getRows().map(([address]) => String(address))
  if (addresses.length === 0) return
  const from = [...new Set(addresses)].sort().join(', ')
  throw new Failure(
    'lake_locked',
    `PostgreSQL has other sessions of this user in the database of the lake: ${addresses.length}, from ${from}`,
    { remedy: 'stop what uses the lake, then run the same command again' },
  )
}
