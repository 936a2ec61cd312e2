/** Rows for the lake, made of the values of a record. */
import { RECORD_COLUMNS, RECORD_FIELDS, type RecordField } from '../../domain/record-fields.ts'
import type { List } from '../../domain/run.ts'
import type { Secret } from '../../domain/settings.ts'
import type { NetAmount } from './field-checks.ts'
import { billingHash } from './keyed-hash.ts'

/**
 * Keys are columns of the lake, always in the same order for one list. Money is integer text of cents, ids are digits,
 * instants are UTC text, absent values are null.
 */
export interface Row {
  terminal_id: string
  transaction_id?: string
  settlement_id?: string
  created?: string
  last_modified?: string | null
  [column: string]: string | boolean | null | undefined
}

interface RowForm {
  /** All columns, in their order. */
  empty: Readonly<Record<string, null>>
  /** The column of each field, by the field's index; undefined where a column is made of more than its value. */
  columns: readonly (string | undefined)[]
}

const FORMS: Readonly<Record<List, RowForm>> = {
  transactions: formOf('transactions'),
  // Sweeps compare rows by a hash of their JSON, so that this order stays, which is not that of the table.
  settlements: formOf('settlements', [
    ...['settlement_id', 'terminal_id', 'created', 'net_cents', 'net_noise', 'status'],
  ]),
  terminals: formOf('terminals'),
}

function formOf(list: List, columns = RECORD_COLUMNS[list]): RowForm {
  const fields: RecordField[] = Object.values(RECORD_FIELDS[list])
  return {
    empty: Object.fromEntries(columns.map((column) => [column, null])),
    columns: fields.map(({ kind, column }) =>
      kind === 'net' || kind === 'personal' ? undefined : column,
    ),
  }
}

const indexOf = (list: List, path: string) => Object.keys(RECORD_FIELDS[list]).indexOf(path)
const NET = indexOf('settlements', 'amountNet')
const FIRST_NAME = indexOf('transactions', 'billing.firstName')
const LAST_NAME = indexOf('transactions', 'billing.lastName')
const ZIP = indexOf('transactions', 'billing.address.zip')

/** The row of a record; `values` are those of its fields, by their index. A keyed hash replaces the cardholder. */
export function rowOf(list: List, values: readonly unknown[], hashKey: Secret): Row {
  const { empty, columns } = FORMS[list]
  const row: Record<string, string | boolean | null> = { ...empty }
  for (let index = 0; index < columns.length; index += 1) {
    const column = columns[index]
    const value = values[index] ?? null
    if (column !== undefined && value !== null) row[column] = value as string | boolean
  }
  if (list === 'settlements') {
    const { cents, noise } = values[NET] as NetAmount
    row['net_cents'] = cents
    row['net_noise'] = noise
  }
  if (list === 'transactions') {
    row['billing_hash'] = billingHash(hashKey, {
      firstName: textAt(values, FIRST_NAME),
      lastName: textAt(values, LAST_NAME),
      zip: textAt(values, ZIP),
    })
  }
  return row as Row
}

const textAt = (values: readonly unknown[], index: number) =>
  (values[index] as string | null | undefined) ?? ''
