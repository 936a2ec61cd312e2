/** The keyed hash that stands for a billing identity, as SQL: HMAC-SHA-256 of the folded texts as a JSON array. */
import { hmacSql } from '../landing/hmac-sql.ts'

/**
 * Returns SQL for the hash in hex with the connection's key 0, or null if all three texts are empty. The SQL is correct
 * for printable texts of plain letters. All others are judged one by one.
 */
export function billingHashSql(firstName: string, lastName: string, zip: string): string {
  const folded = [firstName, lastName, zip].map((x) => `coalesce(lower(trim(${x})), '')`)
  const escaped = folded.map(
    (x) => String.raw`'"' || replace(replace(${x}, '\', '\\'), '"', '\"') || '"'`,
  )
  const message = `encode('[' || ${escaped.join(" || ',' || ")} || ']')`
  return `case when ${folded.join(' || ')} = '' then null else ${hmacSql(0, message)} end`
}
