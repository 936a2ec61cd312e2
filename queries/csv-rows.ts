/** Reads a small CSV that a person edited in a spreadsheet. */
import { DuckDBInstance } from '@duckdb/node-api'
import { Failure } from '../domain/failure.ts'
import { reasonOf } from '../domain/reason.ts'

/** Cells by the name of their column; an empty cell is null. */
export type CsvRow = Readonly<Record<string, string | null>>

const READ = 'select * from read_csv($1, all_varchar = true, header = true)'

/** Reads all rows as text, with the delimiter that the spreadsheet chose. Throws usage. */
export async function readCsvRows(file: string): Promise<CsvRow[]> {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  try {
    const reader = await connection.runAndReadAll(READ, [file])
    return reader.getRowObjectsJson() as CsvRow[]
  } catch (cause) {
    const [line = ''] = reasonOf(cause).split('\n')
    throw new Failure('usage', `${file} can't be read as CSV: ${line}`, {
      cause,
      remedy: 'save it as CSV in UTF-8',
    })
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}
