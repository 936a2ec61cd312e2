import type { FieldSql } from './field-sql.ts'
import type { Plan } from './plan.ts'
import { quoted } from '../connection/sql-literal.ts'

/** The texts of all fields as a JSON object; what is absent is null. */
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
