import type { BooksActed } from '../../domain/books.ts'
import type { AuditEntry } from '../../lake/decisions/audit-trail.ts'

/** The receipt of an act in the audit trail. */
export const actedBy = (
  { seq, sha256, actor, actedAt }: AuditEntry,
  wasSo: boolean,
): BooksActed => ({ ...{ seq: String(seq), sha256, actor, actedAt, wasSo } })
