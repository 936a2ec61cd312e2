/** The keyed hash that stands for a billing identity, as SQL: HMAC-SHA-256 of the folded texts as a JSON array. */
import { type DuckDBConnection, blobValue } from '@duckdb/node-api'
import { createHash } from 'node:crypto'
import type { Secret } from '../../domain/settings.ts'

const BLOCK_BYTES = 64

/** Gives the connection the two blocks that HMAC makes of the key. */
export async function setHashKey(connection: DuckDBConnection, hashKey: Secret): Promise<void> {
  const given = Buffer.from(hashKey.reveal(), 'utf8')
  const key = given.length > BLOCK_BYTES ? createHash('sha256').update(given).digest() : given
  const padded = Buffer.concat([key, Buffer.alloc(BLOCK_BYTES - key.length)])
  for (const [name, byte] of [
    ['import_inner_key', 0x36],
    ['import_outer_key', 0x5c],
  ] as const) {
    const block = padded.map((value) => value ^ byte)
    await connection.run(`set variable ${name} = $1`, [blobValue(block)])
  }
}

/** Forgets the key. */
export async function forgetHashKey(connection: DuckDBConnection): Promise<void> {
  for (const name of ['import_inner_key', 'import_outer_key']) {
    await connection.run(`reset variable ${name}`)
  }
}

/**
 * Returns SQL for the hash in hex, or null if all three texts are empty. The SQL is correct for printable texts of
 * plain letters. All others are judged one by one.
 */
export function billingHashSql(firstName: string, lastName: string, zip: string): string {
  const folded = [firstName, lastName, zip].map((x) => `coalesce(lower(trim(${x})), '')`)
  const escaped = folded.map(
    (x) => String.raw`'"' || replace(replace(${x}, '\', '\\'), '"', '\"') || '"'`,
  )
  const message = `encode('[' || ${escaped.join(" || ',' || ")} || ']')`
  const inner = `sha256(getvariable('import_inner_key') || ${message})`
  return `case when ${folded.join(' || ')} = '' then null
    else sha256(getvariable('import_outer_key') || unhex(${inner})) end`
}
