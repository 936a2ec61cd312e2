/**
 * The tables and columns of each list in the lake. Names here are constants of the project, never
 * input.
 */
import {
  BIGINT,
  BOOLEAN,
  DECIMAL,
  type DuckDBType,
  TIMESTAMP,
  UBIGINT,
  VARCHAR,
} from '@duckdb/node-api'
import {
  RECORD_COLUMNS,
  RECORD_FIELDS,
  type FieldKind,
  type RecordField,
  type TerminalKind,
} from '../../domain/record-fields.ts'
import type { List } from '../../domain/run.ts'
import { halfHashSql } from './hmac-sql.ts'

interface Landed {
  table: string
  id: string
  /** Column of the staged row and its typed expression, in the order of the table. */
  columns: Record<string, string>
  /** The types of these columns, in their order. */
  types: Record<string, DuckDBType>
}

interface Column {
  type: DuckDBType
  of: (column: string) => string
}

const bigint: Column = { type: BIGINT, of: (column) => `${column}::bigint` }
const boolean: Column = { type: BOOLEAN, of: (column) => `${column}::boolean` }
const timestamp: Column = { type: TIMESTAMP, of: (column) => `${column}::timestamp` }
const percentage: Column = { type: DECIMAL(9, 4), of: (column) => `${column}::decimal(9, 4)` }
const text: Column = { type: VARCHAR, of: (column) => column }
const halfHash: Column = { type: UBIGINT, of: halfHashSql }

/** The columns of fields by kind; those of all other kinds are texts. */
const BY_KIND: Partial<Record<FieldKind | TerminalKind, Column>> = {
  ...{ id: bigint, looseId: bigint, amount: bigint, net: bigint, flag: boolean },
  ...{ instant: timestamp, percentage, personal: halfHash },
}

function landed(list: List, { table, id }: Pick<Landed, 'table' | 'id'>): Landed {
  const fields: RecordField[] = Object.values(RECORD_FIELDS[list])
  const kinds = new Map(fields.map(({ column, kind }) => [column, BY_KIND[kind] ?? text]))
  const typed = RECORD_COLUMNS[list].map(
    (name) => [name, kinds.get(name) ?? FURTHER[name] ?? text] as const,
  )
  return {
    ...{ table, id },
    columns: Object.fromEntries(typed.map(([name, { of }]) => [name, of(name)])),
    types: Object.fromEntries(typed.map(([name, { type }]) => [name, type])),
  }
}

/** Columns beside those of fields. */
const FURTHER: Readonly<Record<string, Column>> = { net_noise: boolean }

export const LISTS: Record<List, Landed> = {
  transactions: landed('transactions', {
    table: 'lake.seen.transaction_version',
    id: 'transaction_id',
  }),
  settlements: landed('settlements', {
    table: 'lake.seen.settlement_version',
    id: 'settlement_id',
  }),
  terminals: landed('terminals', { table: 'lake.seen.terminal_version', id: 'terminal_id' }),
}

export const REJECT_COLUMNS = [
  'subject_type',
  'subject_id',
  'terminal_id',
  'created',
  'field',
  'reason',
  'excerpt',
  'record_sha256',
]

/** SQL for rows that the statement's first parameter holds as JSON: the columns as text, and `ordinal`. */
export function rowsInJson(columns: readonly string[]): string {
  const shape = Object.fromEntries(columns.map((name) => [name, 'VARCHAR']))
  const json = JSON.stringify([{ ...shape, ordinal: 'BIGINT' }])
  return `(select unnest(from_json($1, '${json}'), recursive := true))`
}

/**
 * The content hash over a row's typed columns, which distinguishes versions of one record. Two
 * characters that no stored text holds separate the columns and mark nulls.
 */
export const contentHash = (list: List): string => {
  const texts = Object.keys(LISTS[list].columns).map(
    (name) => `coalesce(${name}::varchar, chr(30))`,
  )
  return `md5_number_lower(concat_ws(chr(31), ${texts.join(', ')}))::ubigint`
}
