/** Counts the words of a file that the interface does not list. */
import type { DuckDBConnection } from '@duckdb/node-api'
import { importFields, type ImportList } from '../../domain/import.ts'

/** The words that the interface lists for a field, by its path. */
export type KnownWords = Readonly<Record<string, readonly string[]>>

const MOST_NAMES = 50

/**
 * Counts the records of `import_row` whose word the interface does not list, as `field=WORD`, the most frequent
 * first. Returns undefined if there are none. A value that is no word in capitals may be personal and is not shown.
 */
export async function unknownWordsIn(
  connection: DuckDBConnection,
  list: ImportList,
  known: KnownWords,
): Promise<Record<string, number> | undefined> {
  const counts = importFields(list).flatMap(([field, { column }]) => {
    const words = known[field]
    if (words === undefined) return []
    const listed = ['', ...words].map((word) => `'${word}'`).join(', ')
    return `select '${field}' as field, ${column} as word, count(*) as records
       from import_row where ${column} not in (${listed}) group by word`
  })
  if (counts.length === 0) return undefined
  const reader = await connection.runAndReadAll(
    `select field || '=' || case when regexp_full_match(word, '[A-Z][A-Z0-9_]{0,39}') then word else '(unprintable)' end as name,
       sum(records) as records
     from (${counts.join(' union all ')}) group by name order by records desc, name limit ${MOST_NAMES}`,
  )
  const names = reader.getRows().map(([name, records]) => [String(name), Number(records)])
  return names.length === 0 ? undefined : Object.fromEntries(names)
}

/** Returns the field whose word is unlisted in more than half of the records, or undefined. */
export function mostlyUnknown(
  words: Readonly<Record<string, number>> | undefined,
  rows: number,
): { field: string; records: number } | undefined {
  for (const field of ['action', 'status']) {
    const records = Object.entries(words ?? {})
      .filter(([name]) => name.startsWith(`${field}=`))
      .reduce((sum, [, count]) => sum + count, 0)
    if (records * 2 > rows) return { field, records }
  }
  return undefined
}
