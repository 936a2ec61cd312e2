/** The sheets of the workbook: the rows of the pack's files, with further columns from the records. */

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
export const SHEETS: Readonly<Record<string, Sheet>> = {
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

/** Limits ordered rows to the first ones. */
export const first = (rows: string, mostRows?: number): string =>
  mostRows === undefined ? rows : `from (${rows}) limit ${mostRows}`

/** Numbers the rows, so that their order can be restored after a join. */
export const numbered = (rows: string, mostRows?: number): string =>
  `select row_number() over () as row_no, * from (${first(rows, mostRows)})`

/** Adds the newest known version of its record to each row. A row without a record stays, with empty cells. */
export const joined = ({ seen, key, columns }: Sheet, rows: string, isFilled = true): string => `
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
