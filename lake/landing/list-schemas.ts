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

const typed = (columns: Record<string, Column>): Pick<Landed, 'columns' | 'types'> => ({
  columns: Object.fromEntries(Object.entries(columns).map(([name, { of }]) => [name, of(name)])),
  types: Object.fromEntries(Object.entries(columns).map(([name, { type }]) => [name, type])),
})

export const LISTS: Record<List, Landed> = {
  transactions: {
    table: 'lake.seen.transaction_version',
    id: 'transaction_id',
    ...typed({
      transaction_id: bigint,
      terminal_id: bigint,
      action: text,
      status: text,
      approved: boolean,
      settled: boolean,
      explicit_settlement_id: bigint,
      created: timestamp,
      last_modified: timestamp,
      base_cents: bigint,
      tax_cents: bigint,
      shipping_cents: bigint,
      tip_cents: bigint,
      surcharge_cents: bigint,
      total_cents: bigint,
      ach_type: text,
      method: text,
      surcharge_percentage: percentage,
      surcharge_status: text,
      invoice_number: text,
      purchase_order_number: text,
      response_code: text,
      vault_type: text,
      account_type: text,
      last_four: text,
      billing_hash: halfHash,
    }),
  },
  settlements: {
    table: 'lake.seen.settlement_version',
    id: 'settlement_id',
    ...typed({
      settlement_id: bigint,
      terminal_id: bigint,
      created: timestamp,
      status: text,
      net_cents: bigint,
      net_noise: boolean,
    }),
  },
  terminals: {
    table: 'lake.seen.terminal_version',
    id: 'terminal_id',
    ...typed({
      terminal_id: bigint,
      nick_name: text,
      type: text,
      enabled: boolean,
      account_uuid: text,
      company_dba: text,
      merchant_number: text,
      surcharge_enabled: boolean,
      surcharge_percentage: percentage,
      surcharge_taxable: boolean,
      acceptance: text,
    }),
  },
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
