/** The rows of the workbook: those of the pack's files, with further columns from the records. */
import type { DuckDBConnection } from '@duckdb/node-api'
import {
  inPackText,
  readBatches,
  readModelBatches,
  readSelected,
  first,
  type PackRow,
  type StoredTable,
} from './read-pack-tables.ts'
import { macros } from '../run/models.ts'
import { storedRows } from './store-run.ts'

interface Sheet {
  /** The pack's table with these rows. */
  table: string
  /** The table of the lake that holds the records. */
  seen: string
  key: { row: string; record: string }
  /** SQL for the columns that are added to those of the table. */
  columns: string
}

const PARTS = ['base', 'tax', 'shipping', 'tip', 'surcharge'].map((part) => `${part}_cents`)

/** The sheets, under the names by which the workbook reads them. */
const SHEETS: Readonly<Record<string, Sheet>> = {
  sheet_lines: {
    table: 'attributions',
    seen: 'lake.seen.transaction_version',
    key: { row: '"transactionId"', record: 'transaction_id' },
    columns: `
      invoice_number as "invoiceNumber",
      purchase_order_number as "purchaseOrderNumber",
      money(base_cents) as "amountBase",
      money(tax_cents) as "amountTax",
      money(shipping_cents) as "amountShipping",
      money(tip_cents) as "amountTip",
      money(surcharge_cents) as "amountSurcharge",
      money(total_cents - (${PARTS.map((part) => `coalesce(${part}, 0)`).join(' + ')})) as "amountUnallocated"`,
  },
  sheet_settlements: {
    table: 'settlements',
    seen: 'lake.seen.terminal_version',
    key: { row: '"terminalId"', record: 'terminal_id' },
    columns: `
      merchant_number as "merchantNumber",
      account_uuid as "accountId",
      company_dba as "companyDba"`,
  },
}

/** Reads the first rows of a table like `readBatches`, or of a sheet of the workbook. */
export async function* readSheetBatches(
  connection: DuckDBConnection,
  source: StoredTable & { account: string; knownAt: string },
  mostRows?: number,
): AsyncGenerator<PackRow[]> {
  const sheet = SHEETS[source.table]
  if (sheet === undefined) return yield* readBatches(connection, source, mostRows)
  await connection.run(macros())
  await connection.run('set variable run_id = $1::varchar', [source.runId])
  await connection.run('set variable account = $1::varchar', [source.account])
  await connection.run('set variable known_at = $1::bigint', [source.knownAt])
  const rows = inPackText(sheet.table, numbered(storedRows(sheet.table, source.isFilled), mostRows))
  yield* readSelected(connection, joined(sheet, rows, source.isFilled?.(sheet.seen)))
}

/** Reads the same from models that have just run on this connection. Their variables limit the known versions. */
export async function* readModelSheetBatches(
  connection: DuckDBConnection,
  table: string,
  mostRows?: number,
): AsyncGenerator<PackRow[]> {
  const sheet = SHEETS[table]
  if (sheet === undefined) return yield* readModelBatches(connection, table, mostRows)
  const rows = `select row_no, columns(* exclude (row_no))::varchar from (${inPackText(sheet.table, numbered(`from pack_${sheet.table}`, mostRows))})`
  yield* readSelected(connection, joined(sheet, rows))
}

/** Numbers the rows, so that their order can be restored after a join. */
const numbered = (rows: string, mostRows?: number): string =>
  `select row_number() over () as row_no, * from (${first(rows, mostRows)})`

/** Adds the newest known version of its record to each row. A row without a record stays, with empty cells. */
const joined = ({ seen, key, columns }: Sheet, rows: string, isFilled = true): string => `
  select listed.* exclude (row_no), beside.* exclude (record_id)
  from (${rows}) as listed
  left join (
    select ${key.record} as record_id, ${columns}
    from ${seen}
    where account = getvariable('account') and landing_seq <= getvariable('known_at') and ${isFilled}
      and ${key.record} in (select ${key.row}::bigint from (${rows}))
    qualify row_number() over (partition by ${key.record} order by landing_seq desc, ordinal desc) = 1
  ) as beside
    on beside.record_id = listed.${key.row}::bigint
  order by listed.row_no`
