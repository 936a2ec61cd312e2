/** Notices a decision that another person made after a page was shown. */
import { Failure } from '../../domain/failure.ts'
import type { Form } from './acts.tsx'
import type { AccountReader } from './reader.ts'

/** The number of the newest act of the audit trail. A page reads it before its rows, and its forms carry it. */
export const newestAct = async (reader: AccountReader, account: string): Promise<string> => {
  const sql = 'select coalesce(max(seq), 0) as seq from audit_trail where account = $1'
  return (await reader.row({ sql, values: [account] }))?.['seq'] ?? '0'
}

/**
 * Refuses a decision about a subject that was decided about since the form's page. Acts of this very form don't count:
 * the browser has sent it again. Throws usage.
 */
export async function refuseDecided(
  reader: AccountReader,
  { account, subjects, form }: { account: string; subjects: readonly string[]; form: Form },
): Promise<void> {
  const seen = form.text('seen')
  const remedy = 'load the page again, look at the decision, then decide'
  if (!/^\d{1,18}$/.test(seen)) throw new Failure('usage', 'the form names no act', { remedy })
  const other = await reader.row({
    sql: `select subject, actor, action from audit_trail where account = $1 and seq > $2::bigint
      and list_contains(string_split($3, ','), subject)
      and not starts_with(coalesce(json_extract_string(detail, '$.orderId'), ''), $4) order by seq`,
    values: [account, seen, subjects.join(','), form.orderId],
  })
  if (other === undefined) return
  const { subject, actor, action } = other
  throw new Failure('usage', `${actor} decided about ${subject} meanwhile (${action})`, { remedy })
}
