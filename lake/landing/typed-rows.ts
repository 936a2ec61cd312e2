/** Rows in the types of the lake, ready for DuckDB: a third of the size of their texts. */
import type { DuckDBType } from '@duckdb/node-api'
import { TypedColumn } from './typed-columns.ts'

/**
 * Rows in a piece: fewer than a vector holds, and few enough to die young in the garbage collector.
 */
const ROWS_PER_PIECE = 512

type Row = Readonly<Record<string, unknown>>

/** The values of consecutive rows, by column. */
export interface TypedPiece {
  count: number
  columns: readonly TypedColumn[]
}

/** Rows in their order; values are texts as `readRecord` writes them, booleans or null. */
export class TypedRows {
  length = 0
  /** The size in bytes. */
  size = 0
  readonly types: Readonly<Record<string, DuckDBType>>
  readonly #pieces: TypedPiece[] = []
  #open: Row[] = []

  /** `types` are the types of the columns, by name. */
  constructor(types: Readonly<Record<string, DuckDBType>>) {
    this.types = types
  }

  static of(types: Readonly<Record<string, DuckDBType>>, rows: Iterable<object>): TypedRows {
    const typed = new TypedRows(types)
    typed.push([...rows])
    return typed
  }

  push(rows: readonly object[]): void {
    for (const row of rows) {
      this.#open.push(row as Row)
      if (this.#open.length === ROWS_PER_PIECE) this.#pack()
    }
    this.length += rows.length
  }

  pieces(): readonly TypedPiece[] {
    this.#pack()
    return this.#pieces
  }

  #pack(): void {
    const rows = this.#open
    if (rows.length === 0) return
    this.#open = []
    const columns = Object.entries(this.types).map(([name, type]) =>
      TypedColumn.read(type, rows, name),
    )
    this.#pieces.push({ count: rows.length, columns })
    for (const { size } of columns) this.size += size
  }
}
