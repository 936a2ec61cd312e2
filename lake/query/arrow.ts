/**
 * Arrow's IPC stream, made from DuckDB's column vectors. Buffers are copied; values never become
 * objects.
 */
import duckdb from '@duckdb/node-bindings'
import type { DuckDBDataChunk } from '@duckdb/node-api'
import {
  Binary,
  Bool,
  type DataType,
  DateDay,
  Decimal,
  Field,
  Float32,
  Float64,
  Int16,
  Int32,
  Int64,
  Int8,
  makeData,
  RecordBatch,
  RecordBatchStreamWriter,
  Schema,
  Struct,
  TimestampMicrosecond,
  Uint16,
  Uint32,
  Uint64,
  Uint8,
  Utf8,
} from '#libraries/arrow'
import type { Column } from './columns.ts'
import { gatherOf, type Gather } from './gather.ts'
import { quotedName } from '../connection/sql-literal.ts'

/** Rows of one record batch; DuckDB passes at most 2,048 at a time. */
const BATCH_ROWS = 65_536
/** A batch ends earlier when its texts reach this length. */
const BATCH_TEXT_BYTES = 1 << 25
/** The end marker of a stream. */
const END_BYTES = 8

const INTEGERS: Record<string, DataType> = {
  'true 8': new Int8(),
  'true 16': new Int16(),
  'true 32': new Int32(),
  'true 64': new Int64(),
  'false 8': new Uint8(),
  'false 16': new Uint16(),
  'false 32': new Uint32(),
  'false 64': new Uint64(),
}

/** Selects a column in Arrow's layout: decimals as 128 bits. */
export const arrowValue = ({ name, value, family, scale }: Column): string =>
  `${family === 'decimal' ? `${value}::decimal(38, ${scale})` : value} as ${quotedName(name)}`

/** The stream of a result, batch by batch; without rows it is a schema and its end. */
export async function* arrowStream(
  columns: readonly Column[],
  chunks: AsyncIterable<DuckDBDataChunk>,
): AsyncGenerator<Uint8Array> {
  const fields = columns.map((column) => new Field(column.name, typeOf(column), true))
  const schema = new Schema(fields)
  const empty = streamOf(schema, [])
  yield empty.subarray(0, -END_BYTES)
  let batch = new Batch(schema, columns)
  for await (const chunk of chunks) {
    if (!batch.takes(chunk)) {
      yield batch.message(empty.length - END_BYTES)
      batch = new Batch(schema, columns)
    }
    batch.add(chunk)
  }
  if (batch.rows > 0) yield batch.message(empty.length - END_BYTES)
  yield empty.subarray(-END_BYTES)
}

class Batch {
  readonly #schema: Schema
  readonly #columns: readonly Gather[]
  rows = 0

  constructor(schema: Schema, columns: readonly Column[]) {
    this.#schema = schema
    this.#columns = columns.map((column) => gatherOf(column, typeOf(column), BATCH_ROWS))
  }

  takes(chunk: DuckDBDataChunk): boolean {
    const textBytes = this.#columns.reduce((sum, column) => sum + column.textBytes, 0)
    return this.rows + chunk.rowCount <= BATCH_ROWS && textBytes < BATCH_TEXT_BYTES
  }

  add(chunk: DuckDBDataChunk): void {
    for (const [index, column] of this.#columns.entries()) {
      column.add(duckdb.data_chunk_get_vector(chunk.chunk, index), chunk.rowCount)
    }
    this.rows += chunk.rowCount
  }

  /**
   * Cuts the message of one batch out of a stream, without the `before` bytes of the schema and
   * without the end.
   */
  message(before: number): Uint8Array {
    const children = this.#columns.map((column) => column.data())
    const type = new Struct(this.#schema.fields)
    const data = makeData({ type, length: this.rows, nullCount: 0, children })
    const batch = new RecordBatch(this.#schema, data)
    return streamOf(this.#schema, [batch]).subarray(before, -END_BYTES)
  }
}

function streamOf(schema: Schema, batches: readonly RecordBatch[]): Uint8Array {
  const writer = new RecordBatchStreamWriter({ autoDestroy: false })
  writer.reset(undefined, schema)
  for (const batch of batches) writer.write(batch)
  writer.close()
  return writer.toUint8Array(true)
}

function typeOf({ family, bits, signed, precision, scale }: Column): DataType {
  if (family === 'integer') return INTEGERS[`${signed} ${bits}`] ?? new Int64()
  if (family === 'float') return bits === 32 ? new Float32() : new Float64()
  if (family === 'decimal') return new Decimal(scale, precision, 128)
  if (family === 'instant') return new TimestampMicrosecond('UTC')
  if (family === 'date') return new DateDay()
  if (family === 'boolean') return new Bool()
  return family === 'blob' ? new Binary() : new Utf8()
}
