/** What the words of a file say beyond the interface as it is known. */
import type { DuckDBConnection } from '@duckdb/node-api'
import type { ImportList } from '../../domain/import.ts'
import { COLUMNS } from './stage.ts'

/** The words that a field may say, by its path. */
export type KnownWords = Readonly<Record<string, readonly string[]>>

const MOST_NAMES = 50

/**
 * Counts the records of `import_row` that say another word than the known ones, as `field=WORD`, the most frequent first; undefined
 * where there are none. What is no word in capitals may be anything, and is not shown.
 */
export async function unknownWordsIn(
  connection: DuckDBConnection,
  list: ImportList,
  known: KnownWords,
): Promise<Record<string, number> | undefined> {
  const columns: Readonly<Record<string, string>> = COLUMNS[list]
  const fields = Object.entries(known).filter(([field]) => field in columns)
  const met = fields.map(
    ([field, words]) => `select '${field}' as field, ${columns[field]} as word, count(*) as records
       from import_row where ${columns[field]} not in ('', ${words.map((word) => `'${word}'`).join(', ')}) group by word`,
  )
  if (met.length === 0) return undefined
  const reader = await connection.runAndReadAll(
    `select field || '=' || case when regexp_full_match(word, '[A-Z][A-Z0-9_]{0,39}') then word else '(unprintable)' end as name,
       sum(records) as records
     from (${met.join(' union all ')}) group by name order by records desc, name limit ${MOST_NAMES}`,
  )
  const names = reader.getRows().map(([name, records]) => [String(name), Number(records)])
  return names.length === 0 ? undefined : Object.fromEntries(names)
}

/** The field of which more than half of the records say a word that the interface doesn't have; undefined where there is none. */
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
