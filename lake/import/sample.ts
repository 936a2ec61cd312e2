/** Reads the first rows of a file as texts, whatever its format. */
import type { DuckDBConnection } from '@duckdb/node-api'
import { isUtf8 } from 'node:buffer'
import { createReadStream, statSync } from 'node:fs'
import type { ImportOrder, ImportReading } from '../../domain/import.ts'
import { rowsIn } from './csv-header.ts'
import { partOf } from './file-kind.ts'
import { quotedFile, quotedName } from '../connection/sql-literal.ts'
import { readableFile } from './readable-file.ts'
import { windows1252 } from './windows-1252.ts'

const SAMPLE_BYTES = 1_048_576
const TAIL_BYTES = 65_536
const SAMPLE_ROWS = 1000

export interface Sample {
  names: readonly string[]
  /** Texts by name. Numbers and flags are left out. */
  rows: readonly Readonly<Record<string, string>>[]
}

/** The beginning and the end of a text, and the encoding that it seems to have. */
export interface TextSample {
  encoding: ImportReading['encoding']
  /** The delimiter that the file itself states. */
  delimiter: string | undefined
  head: string
  tail: string
}

/** Reads the two ends of a file of text. Throws import_unreadable. */
export async function textSample(
  order: ImportOrder,
  reading: ImportReading,
  copy: string,
): Promise<TextSample> {
  const whole = { ...reading, titleLines: 0, totalLines: 0 }
  const { path, delimiter } = await readableFile(order, whole, copy)
  const encoding =
    reading.encoding === 'utf-8' && !(await isUtf8File(path)) ? 'windows-1252' : 'utf-8'
  const textOf = (bytes: Buffer) =>
    encoding === 'utf-8' ? new TextDecoder().decode(bytes) : windows1252(bytes)
  const { size } = statSync(path)
  const head = textOf(await partOf(path, 0, SAMPLE_BYTES))
  return {
    ...{ encoding: encoding === 'utf-8' ? reading.encoding : encoding, delimiter },
    // A line that the end of the sample cuts is left out.
    head: size <= SAMPLE_BYTES ? head : head.slice(0, head.lastIndexOf('\n') + 1),
    tail: textOf(await partOf(path, Math.max(0, size - TAIL_BYTES), TAIL_BYTES)),
  }
}

async function isUtf8File(path: string): Promise<boolean> {
  let rest = Buffer.alloc(0)
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) {
    const bytes = Buffer.concat([rest, Buffer.from(chunk)])
    // A character of several bytes may continue in the next piece.
    const end = lastWhole(bytes)
    if (!isUtf8(bytes.subarray(0, end))) return false
    rest = bytes.subarray(end)
  }
  return isUtf8(rest)
}

function lastWhole(bytes: Buffer): number {
  for (let at = bytes.length - 1; at >= Math.max(0, bytes.length - 4); at -= 1) {
    const byte = bytes[at] ?? 0
    if (byte >= 0xc0) return at
    if (byte < 0x80) return at + 1
  }
  return bytes.length
}

/** Rows of CSV under the names of a header. */
export function csvSample(text: string, delimiter: string, headerAt: number): Sample {
  const [header = [], ...rows] = rowsIn(text, delimiter, SAMPLE_ROWS + headerAt + 1).slice(headerAt)
  const names = header.map((name) => name.trim())
  return {
    names,
    rows: rows
      .filter((row) => row.length === names.length)
      .map((row) => Object.fromEntries(names.map((name, at) => [name, row[at]?.trim() ?? '']))),
  }
}

/** Returns the records of NDJSON. A dot in a name stands for an inner object. */
export function ndjsonSample(text: string): Sample {
  const rows = text
    .split('\n', SAMPLE_ROWS)
    .map(flattened)
    .filter((row) => row !== undefined)
  const names = [...new Set(rows.flatMap(({ names: own }) => own))]
  return { names, rows: rows.map(({ texts }) => texts) }
}

function flattened(line: string): { names: string[]; texts: Record<string, string> } | undefined {
  try {
    const names: string[] = []
    const texts: Record<string, string> = {}
    const visit = (value: unknown, path: string) => {
      if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
        for (const [key, inner] of Object.entries(value))
          visit(inner, path === '' ? key : `${path}.${key}`)
      } else {
        names.push(path)
        if (typeof value === 'string') texts[path] = value.trim()
      }
    }
    visit(JSON.parse(line), '')
    return { names, texts }
  } catch {
    return undefined
  }
}

/**
 * Returns the text columns of Parquet. Other columns are left out, because their type already tells how to read them.
 */
export async function parquetSample(
  connection: DuckDBConnection,
  order: ImportOrder,
): Promise<Sample> {
  const source = `read_parquet(${quotedFile(order.file)}, binary_as_string = true, hive_partitioning = false)`
  const types = await connection.runAndReadAll(`describe select * from ${source}`)
  const columns = types
    .getRows()
    .map(([name, type]) => ({ name: String(name), type: String(type) }))
  const texts = columns.filter(({ type }) => type === 'VARCHAR').map(({ name }) => name)
  const reader = await connection.runAndReadAll(
    `select ${texts.map(quotedName).join(', ') || 'null'} from ${source} limit ${SAMPLE_ROWS}`,
  )
  const rows = reader
    .getRows()
    .map((row) =>
      Object.fromEntries(
        texts.map((name, at) => [name, row[at] === null ? '' : String(row[at]).trim()]),
      ),
    )
  return { names: columns.map(({ name }) => name), rows }
}
