/** The result of a person's select as the bytes of a format, piece by piece. */
import { type DuckDBConnection, type DuckDBDataChunk, ResultReturnType } from '@duckdb/node-api'
import duckdb from '@duckdb/node-bindings'
import type { Failure } from '../../domain/failure.ts'
import { arrowStream, arrowValue } from './arrow.ts'
import { cellText, csvCell, csvHeader, csvLine, jsonLine } from './formats.ts'
import { columnsOf, insideNames, selectOver, type Column } from './columns.ts'
import { textAt } from './gather.ts'
import { checkStatement, sqlFailure } from './statement.ts'
import { quoted, quotedName } from '../connection/sql-literal.ts'

export type StreamedFormat = 'arrow' | 'csv' | 'json'

const BYTE_ORDER_MARK = '\uFEFF'
const PIECE_BYTES = 1 << 18

export interface Answer {
  columns: readonly Column[]
  /** The result in a format. `excel` puts a byte order mark before a CSV. Throws query_refused. */
  stream(format: StreamedFormat, profile: 'excel' | 'machine'): AsyncGenerator<Uint8Array>
  /** The rows as text, some thousand at a time; null for a null value. */
  rows(): AsyncGenerator<(string | null)[][]>
  /** Writes the result as one Parquet file. */
  writeParquet(file: string): Promise<void>
}

/** Checks and prepares a select without running it. Throws query_refused. */
export async function answerTo(connection: DuckDBConnection, text: string): Promise<Answer> {
  await checkStatement(connection, text)
  const columns = await columnsIn(connection, text)
  const chunks = (expressions: readonly string[]) =>
    chunksOf(connection, selectOver(text, columns, expressions))
  return {
    columns,
    async *stream(format, profile) {
      if (format === 'arrow') {
        yield* arrowStream(columns, chunks(columns.map(arrowValue)))
      } else if (format === 'json') {
        yield* linesIn(chunks([jsonLine(columns)]))
      } else {
        const mark = profile === 'excel' ? BYTE_ORDER_MARK : ''
        yield Buffer.from(mark + csvHeader(columns))
        yield* linesIn(chunksOf(connection, csvLines(text, columns)))
      }
    },
    async *rows() {
      for await (const chunk of chunks(columns.map(cellText))) {
        yield chunk.getRows() as (string | null)[][]
      }
    },
    async writeParquet(file) {
      const select = selectOver(text, columns, columns.map(parquetValue))
      const options = '(format parquet, compression zstd, use_tmp_file false)'
      await refusing(() => connection.run(`copy (${select}) to ${quoted(file)} ${options}`))
    },
  }
}

/**
 * Makes the cells first and the lines from them, because one expression would compute a cell for
 * every use.
 */
function csvLines(text: string, columns: readonly Column[]): string {
  const names = insideNames(columns)
  const cells = columns.map((column, index) => `${csvCell(column)} as ${names[index]}`)
  return `select ${csvLine(columns, names)} from (${selectOver(text, columns, cells)})`
}

/** An instant in a file states that it is UTC. */
const parquetValue = ({ name, value, family }: Column) =>
  `${family === 'instant' ? `(${value}) at time zone 'UTC'` : value} as ${quotedName(name)}`

async function columnsIn(connection: DuckDBConnection, text: string): Promise<Column[]> {
  const prepared = await refusing(() => connection.prepare(text))
  try {
    return columnsOf(prepared)
  } finally {
    prepared.destroySync()
  }
}

async function* chunksOf(
  connection: DuckDBConnection,
  select: string,
): AsyncGenerator<DuckDBDataChunk> {
  const result = await refusing(() => connection.stream(select))
  for (;;) {
    const chunk = await refusing(() => result.fetchChunk())
    if (chunk === null || chunk.rowCount === 0) break
    yield chunk
  }
  // A result that ends too early looks complete; only its own state shows the difference.
  if (result.returnType === ResultReturnType.INVALID) throw await brokenOff(connection, select)
}

/**
 * Finds the reason why a result ended too early by running it again, because DuckDB does not store
 * it.
 */
async function brokenOff(connection: DuckDBConnection, select: string): Promise<Failure> {
  try {
    await connection.run(`select max(hash(answer)) from (${select}) as answer`)
  } catch (error) {
    return sqlFailure(error)
  }
  return sqlFailure(new Error('the answer broke off, and did not when it was asked again'))
}

/** The bytes of a single column of lines, in larger pieces. */
async function* linesIn(chunks: AsyncIterable<DuckDBDataChunk>): AsyncGenerator<Uint8Array> {
  let piece = Buffer.allocUnsafe(PIECE_BYTES)
  let length = 0
  for await (const chunk of chunks) {
    const { rowCount } = chunk
    const data = duckdb.vector_get_data(duckdb.data_chunk_get_vector(chunk.chunk, 0), rowCount * 16)
    const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
    for (let row = 0; row < rowCount; row += 1) {
      const line = textAt(view, row * 16)
      if (length + line.length > piece.length) {
        yield piece.subarray(0, length)
        piece = Buffer.allocUnsafe(Math.max(PIECE_BYTES, line.length))
        length = 0
      }
      piece.set(line, length)
      length += line.length
    }
  }
  if (length > 0) yield piece.subarray(0, length)
}

/** Translates DuckDB's errors in a person's SQL to our form. */
async function refusing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw sqlFailure(error)
  }
}
