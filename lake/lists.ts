/** How each list of the service lies in the lake. Names here are constants of the project, never input. */
import type { List } from '../domain/run.ts'

interface Landed {
  table: string
  id: string
  /** Column of the staged row and the expression that types it, in the order of the table. */
  columns: Record<string, string>
}

const bigint = (column: string) => `${column}::bigint`
const boolean = (column: string) => `${column}::boolean`
const timestamp = (column: string) => `${column}::timestamp`
const percentage = (column: string) => `${column}::decimal(9, 4)`
const text = (column: string) => column

const typed = (columns: Record<string, (column: string) => string>) =>
  Object.fromEntries(Object.entries(columns).map(([name, type]) => [name, type(name)]))

export const LISTS: Record<List, Landed> = {
  transactions: {
    table: 'lake.seen.transaction_version',
    id: 'transaction_id',
    columns: {
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
      }),
      // Half of the keyed hash tells billing identities apart within one card group.
      billing_hash: `('0x' || substr(billing_hash, 1, 16))::ubigint`,
    },
  },
  settlements: {
    table: 'lake.seen.settlement_version',
    id: 'settlement_id',
    columns: typed({
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
    columns: typed({
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

/**
 * The hash by which two versions of one record are told apart, over the typed columns of a row. Two characters that no
 * kept text holds stand between the columns, and for what is absent.
 */
export const contentHash = (list: List): string => {
  const texts = Object.keys(LISTS[list].columns).map(
    (name) => `coalesce(${name}::varchar, chr(30))`,
  )
  return `md5_number_lower(concat_ws(chr(31), ${texts.join(', ')}))::ubigint`
}
