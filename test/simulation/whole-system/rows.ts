/** Reads rows for the oracle: of the lake, and of a CSV file. */
import type { DuckDBConnection } from '@duckdb/node-api'
import { real } from './faults.ts'

export type Row = Record<string, unknown>

export const rowsIn = async (connection: DuckDBConnection, sql: string): Promise<Row[]> =>
  (await connection.runAndReadAll(sql)).getRowObjectsJson()

const CELL = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/y

/** The rows of a CSV file by the names of its header, as RFC 4180 has it. */
export function readCsv(file: string): Record<string, string>[] {
  const text = String(real.readFileSync(file))
  const lines: string[][] = []
  let line: string[] = []
  CELL.lastIndex = 0
  while (CELL.lastIndex < text.length) {
    const [, quoted, plain = '', end] = CELL.exec(text) ?? []
    line.push(quoted?.replaceAll('""', '"') ?? plain)
    if (end === ',') continue
    lines.push(line)
    line = []
  }
  const [header = [], ...rows] = lines
  return rows.map((row) =>
    Object.fromEntries(header.map((name, place) => [name, row[place] ?? ''])),
  )
}

/** Whole cents of a figure such as `-12.30`; an empty cell is no figure. */
export function centsOf(figure: string | undefined): bigint | undefined {
  if (figure === undefined || figure === '') return undefined
  if (!/^-?\d+\.\d{2}$/.test(figure)) throw new Error(`${figure} is no figure with two decimals`)
  return BigInt(figure.replace('.', ''))
}
