import type { FieldSql } from './field-sql.ts'
import type { Plan } from './plan.ts'
import { quoted } from '../connection/sql-literal.ts'

/** Returns SQL for a JSON object with the texts of all fields. Absent ones are null. */
export function rowEvidence(
  fields: ReadonlyMap<string, FieldSql>,
  isNumber: (field: string) => boolean,
): Pick<Plan, 'evidence' | 'numeric'> {
  const entries = [...fields].map(([field, { text }]) => `${quoted(field)}, (${text})::varchar`)
  return {
    evidence: `json_object(${entries.join(', ')})::varchar`,
    numeric: new Set([...fields.keys()].filter(isNumber)),
  }
}
