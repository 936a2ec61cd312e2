/** Keyed hashes as SQL: HMAC-SHA-256 with keys that the connection knows for a while. */
import { type DuckDBConnection, blobValue } from '@duckdb/node-api'
import { createHash } from 'node:crypto'
import type { Secret } from '../../domain/settings.ts'

const BLOCK_BYTES = 64

/** Runs `work` while the connection knows the two blocks that HMAC makes of each key. */
export async function withKeys<T>(
  connection: DuckDBConnection,
  keys: readonly Secret[],
  work: () => Promise<T>,
): Promise<T> {
  try {
    for (const [n, key] of keys.entries()) await setKey(connection, n, key)
    return await work()
  } finally {
    for (const n of keys.keys()) await forgetKey(connection, n).catch(() => {})
  }
}

async function setKey(connection: DuckDBConnection, n: number, secret: Secret): Promise<void> {
  const given = Buffer.from(secret.reveal(), 'utf8')
  const key = given.length > BLOCK_BYTES ? createHash('sha256').update(given).digest() : given
  const padded = Buffer.concat([key, Buffer.alloc(BLOCK_BYTES - key.length)])
  for (const [name, byte] of [
    ['inner', 0x36],
    ['outer', 0x5c],
  ] as const) {
    const block = padded.map((value) => value ^ byte)
    await connection.run(`set variable ${name}_key_${n} = $1`, [blobValue(block)])
  }
}

async function forgetKey(connection: DuckDBConnection, n: number): Promise<void> {
  await connection.run(`reset variable inner_key_${n}`)
  await connection.run(`reset variable outer_key_${n}`)
}

/** SQL for the hash of a blob in hex, with the key of this number. */
export const hmacSql = (n: number, message: string): string =>
  `sha256(getvariable('outer_key_${n}') || unhex(sha256(getvariable('inner_key_${n}') || ${message})))`

/** SQL for the part of a hash (in hex) that the lake stores. Half of it is enough to distinguish people with the same coarse card key. */
export const halfHashSql = (hash: string): string => `('0x' || substr(${hash}, 1, 16))::ubigint`

/** SQL for a stored hash that was made with the first key, hashed again with each of the later keys. */
export function rotatedSql(column: string, later: number): string {
  let hash = column
  for (let n = 0; n < later; n += 1) hash = halfHashSql(hmacSql(n, `encode(${hash}::varchar)`))
  return hash
}
