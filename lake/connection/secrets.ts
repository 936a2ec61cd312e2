/** The credentials of a shared lake for DuckDB, which holds them in memory and never shows them. */
import type { DuckDBConnection } from '@duckdb/node-api'
import { Failure } from '../../domain/failure.ts'
import type { LakeSettings, ObjectStore, StoreKeys } from '../../domain/settings.ts'
import { quoted } from './sql-literal.ts'

/** The name by which ATTACH finds the catalog's password. */
export const CATALOG_SECRET = 'lake_catalog'

/**
 * Makes the secrets of an instance, at every opening of the lake. Returns the instant at which the keys of the store
 * expire, if they do.
 */
export async function createSecrets(
  connection: DuckDBConnection,
  settings: LakeSettings,
): Promise<number | undefined> {
  const { password } = settings
  if (password !== undefined) {
    const parts = ['type postgres', `password ${quoted(password.reveal())}`]
    await createSecret(connection, CATALOG_SECRET, parts)
  }
  if (settings.store === undefined) return undefined
  const keys = await settings.store.keys()
  await createStoreSecret(connection, settings, keys)
  return keys.expiresAt_ms
}

/** Makes or replaces the secret of the store. Statements that begin later sign with these keys. */
export async function createStoreSecret(
  connection: DuckDBConnection,
  { store, data }: LakeSettings,
  keys: StoreKeys,
): Promise<void> {
  if (store === undefined) return
  await createSecret(connection, 'lake_data', storeParts(store, data, keys))
}

/**
 * Limits the scope to the bucket of the data path; without a secret DuckDB would ask the public
 * store.
 */
function storeParts(
  { endpoint, region }: ObjectStore,
  data: string,
  { keyId, secretKey, sessionToken }: StoreKeys,
): string[] {
  const url = endpoint === undefined ? undefined : new URL(endpoint)
  const [bucket = ''] = /^s3:\/\/[^/]+/.exec(data) ?? []
  return [
    'type s3',
    'provider config',
    `key_id ${quoted(keyId.reveal())}`,
    `secret ${quoted(secretKey.reveal())}`,
    `region ${quoted(region)}`,
    `scope ${quoted(bucket)}`,
    ...(sessionToken === undefined ? [] : [`session_token ${quoted(sessionToken.reveal())}`]),
    ...(url === undefined
      ? []
      : [
          `endpoint ${quoted(url.host)}`,
          `use_ssl ${url.protocol === 'https:'}`,
          // A private store has no host name for each bucket.
          "url_style 'path'",
        ]),
  ]
}

async function createSecret(
  connection: DuckDBConnection,
  name: string,
  parts: readonly string[],
): Promise<void> {
  try {
    await connection.run(`create or replace secret ${name} (${parts.join(', ')})`)
  } catch {
    // DuckDB's message quotes the statement with the secret.
    throw new Failure('lake_unreachable', `the lake's credentials (${name}) are refused by DuckDB`)
  }
}
