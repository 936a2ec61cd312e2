/** Finds fields that no record of a file has, although every verdict or a group of findings rests on them. */
import type { DuckDBConnection } from '@duckdb/node-api'
import { ABSENCES, importFields, type ImportList } from '../../domain/import.ts'

/** Names the fields of ABSENCES that have no value in `import_row`. */
export async function absentFieldsIn(
  connection: DuckDBConnection,
  list: ImportList,
): Promise<string[]> {
  const fields = importFields(list).filter(([field]) => field in ABSENCES)
  if (fields.length === 0) return []
  const counts = fields.map(([, { column }]) => `count(${column})`)
  const reader = await connection.runAndReadAll(
    `select count(*), ${counts.join(', ')} from import_row`,
  )
  const [records, ...values] = (reader.getRows()[0] ?? []).map(Number)
  return records === 0 ? [] : fields.flatMap(([field], at) => (values[at] === 0 ? [field] : []))
}
