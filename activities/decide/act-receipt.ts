import type { BooksActed } from '../../domain/books.ts'
import { formatCents } from '../../domain/cents.ts'
import type { AuditEntry } from '../../lake/decisions/audit-trail.ts'

/** The receipt of an act in the audit trail. */
export const actedBy = (
  { seq, sha256, actor, actedAt, detail }: AuditEntry,
  wasSo: boolean,
): BooksActed => ({
  ...{ seq: String(seq), sha256, actor, actedAt, wasSo },
  ...clearingOf(detail),
})

function clearingOf({ amountCents, clearTo, clearDate }: AuditEntry['detail']) {
  if (amountCents === undefined || clearTo === undefined || clearDate === undefined) return {}
  return { clearing: { amount: formatCents(BigInt(amountCents)), to: clearTo, date: clearDate } }
}
