/** A file's records as typed rows in a scratch file: what is clean by DuckDB alone, the rest one by one. */
import type { DuckDBConnection } from '@duckdb/node-api'
import { Failure } from '../../domain/failure.ts'
import type { ImportList, ImportOrder } from '../../domain/import.ts'
import { contentHash, LISTS, REJECT_COLUMNS } from '../lists.ts'
import { streamed } from '../stream.ts'
import { billingHashSql } from './billing-sql.ts'
import type { FieldSql } from './field-sql.ts'
import type { Plan } from './plan.ts'
import { quoted } from './quoted.ts'
import { unreadable } from './unreadable.ts'

/** A record that SQL does not vouch for. */
export interface Suspect {
  /** Its place in the file, from 0. */
  rowNo: number
  /** The record as JSON, or a JSON object of the texts of its fields. */
  evidence: string
}

/** What the reader of the service's records says of one; keys are columns of the lake, values are text. */
export type Judged = { rowNo: number; row: object } | { rowNo: number; reject: object }

export type Judge = (suspects: readonly Suspect[]) => Judged[]

export interface Staged {
  rows: number
  rejects: number
}

/** As many rejected records, and more than this part of the file, mean that the file is not what it is taken for. */
const MANY_REJECTS = 20
const REJECTS_PER_ROWS = 100

/**
 * Writes the clean records to the scratch file, judges the others, and makes the temporary tables `import_row` (typed
 * rows with content_hash, id and ordinal) and `import_reject`. Throws import_unreadable.
 */
export async function stageImport(
  connections: { main: DuckDBConnection; aside: DuckDBConnection },
  about: { order: ImportOrder; plan: Plan; scratch: string },
  judge: Judge,
): Promise<Staged> {
  const { main, aside } = connections
  const { order, plan, scratch } = about
  try {
    await main.run(`copy (${typedRows(order.list, plan)}) to ${quoted(scratch)} (format parquet)`)
    const clean = `read_parquet(${quoted(scratch)}, file_row_number = true)`
    const rows = await countOf(main, `select count(*) from ${clean} where clean is not null`)
    const suspects = await countOf(main, `select count(*) from ${clean} where not clean`)
    await prepareJudged(main, order.list)
    let rejects = 0
    if (suspects > 0) {
      for await (const batch of suspectsOf(aside, plan)) {
        const judged = judge(batch)
        rejects += judged.filter((one) => 'reject' in one).length
        refuseMany(order, { rows, rejects, judged })
        await keepJudged(main, order.list, judged)
      }
    }
    await main.run(`create or replace temp view import_row as ${rowsOf(order.list, clean)}`)
    return { rows, rejects }
  } catch (cause) {
    throw unreadable(order, cause)
  }
}

/** One row per row of the file, in its order. What is not clean stays empty: it might hold what nobody may keep. */
function typedRows(list: ImportList, plan: Plan): string {
  const values = columnValues(list, plan.fields)
  const conditions = [...plan.fields.values()].map(({ clean }) => `(${clean})`)
  const clean = `case when ${plan.guard} then ${conditions.join(' and ')} else (${plan.guard}) end`
  const typed = Object.entries(LISTS[list].columns).map(
    ([name, type]) => `case when clean then ${type} end as ${name}`,
  )
  return `select *, ${contentHash(list)} as content_hash
    from (select ${typed.join(', ')}, clean from (select ${values.join(', ')}, ${clean} as clean from ${plan.source}))`
}

/** The column of each field of a list. */
export const COLUMNS: Record<ImportList, Record<string, string>> = {
  transactions: {
    transactionId: 'transaction_id',
    terminalId: 'terminal_id',
    action: 'action',
    status: 'status',
    'response.approved': 'approved',
    'settlement.settled': 'settled',
    created: 'created',
    lastModified: 'last_modified',
    amountBase: 'base_cents',
    amountTax: 'tax_cents',
    amountShipping: 'shipping_cents',
    amountTip: 'tip_cents',
    amountSurcharge: 'surcharge_cents',
    amountTotal: 'total_cents',
    achType: 'ach_type',
    method: 'method',
    'surcharge.percentage': 'surcharge_percentage',
    'surcharge.status': 'surcharge_status',
    invoiceNumber: 'invoice_number',
    purchaseOrderNumber: 'purchase_order_number',
    'response.code': 'response_code',
    'vault.type': 'vault_type',
    'vault.accountType': 'account_type',
    'vault.lastFour': 'last_four',
  },
  settlements: {
    settlementId: 'settlement_id',
    terminalId: 'terminal_id',
    created: 'created',
    status: 'status',
    amountNet: 'net_cents',
  },
}

function columnValues(list: ImportList, fields: Plan['fields']): string[] {
  const value = (field: string) => fields.get(field)?.value ?? 'null'
  const plain = Object.entries(COLUMNS[list]).map(
    ([field, column]) => `${value(field)} as ${column}`,
  )
  // A clean net is exact: one with a remainder is judged one by one.
  if (list === 'settlements') return [...plain, 'false as net_noise']
  const text = (field: string): FieldSql['value'] => `${value(field)}::varchar`
  return [
    ...plain,
    `coalesce(${value('settlement.settlementId')}, ${value('settlementId')}) as explicit_settlement_id`,
    `${billingHashSql(text('billing.firstName'), text('billing.lastName'), text('billing.address.zip'))} as billing_hash`,
  ]
}

const rowsOf = (list: ImportList, clean: string): string => {
  const names = Object.keys(LISTS[list].columns).join(', ')
  return `select ${names}, content_hash, ordinal, ${LISTS[list].id} as id from (
      select ${names}, content_hash, file_row_number as ordinal from ${clean} where clean
      union all by name
      select ${names}, ${contentHash(list)} as content_hash, ordinal from import_judged)`
}

async function prepareJudged(connection: DuckDBConnection, list: ImportList): Promise<void> {
  const { columns } = LISTS[list]
  const texts = Object.keys(columns).map((name) => `null::varchar as ${name}`)
  const typed = Object.entries(columns).map(([name, type]) => `${type} as ${name}`)
  await connection.run(
    `create or replace temp table import_judged as
     select ${typed.join(', ')}, 0::bigint as ordinal from (select ${texts.join(', ')}) limit 0`,
  )
  const rejected = REJECT_COLUMNS.map((name) => `${name} varchar`)
  await connection.run(
    `create or replace temp table import_reject (${rejected.join(', ')}, ordinal bigint)`,
  )
}

async function keepJudged(
  connection: DuckDBConnection,
  list: ImportList,
  judged: readonly Judged[],
): Promise<void> {
  const { columns } = LISTS[list]
  const rows = judged.flatMap((one) => ('row' in one ? [{ ...one.row, ordinal: one.rowNo }] : []))
  const names = Object.keys(columns)
  const typed = Object.values(columns)
  if (rows.length > 0) {
    await connection.run(
      `insert into import_judged select ${typed.join(', ')}, ordinal from ${handed([...names], '$1')}`,
      [JSON.stringify(rows)],
    )
  }
  const rejects = judged.flatMap((one) =>
    'reject' in one ? [{ ...one.reject, ordinal: one.rowNo }] : [],
  )
  if (rejects.length === 0) return
  await connection.run(
    `insert into import_reject select ${REJECT_COLUMNS.join(', ')}, ordinal from ${handed(REJECT_COLUMNS, '$1')}`,
    [JSON.stringify(rejects)],
  )
}

function handed(names: readonly string[], parameter: string): string {
  const shape = Object.fromEntries(names.map((name) => [name, 'VARCHAR']))
  const json = JSON.stringify([{ ...shape, ordinal: 'BIGINT' }])
  return `(select unnest(from_json(${parameter}, '${json}'), recursive := true))`
}

/** The records that are not clean, a few thousand at a time. */
async function* suspectsOf(connection: DuckDBConnection, plan: Plan): AsyncGenerator<Suspect[]> {
  const conditions = [...plan.fields.values()].map(({ clean }) => `(${clean})`)
  const isSuspect = `${plan.guard} is not null and not coalesce((${plan.guard}) and ${conditions.join(' and ')}, false)`
  const numbered = plan.hasRowNumbers
    ? plan.source
    : `(select *, row_number() over () - 1 as row_no from ${plan.source})`
  const select = `select row_no::integer, ${plan.evidence} from ${numbered} where ${isSuspect}`
  for await (const rows of streamed(connection, select, (result) => result.yieldRows())) {
    yield rows.map(([rowNo, evidence]) => ({ rowNo: Number(rowNo), evidence: String(evidence) }))
  }
}

function refuseMany(
  { file, list }: ImportOrder,
  { rows, rejects, judged }: { rows: number; rejects: number; judged: readonly Judged[] },
): void {
  if (rejects < MANY_REJECTS || rejects * REJECTS_PER_ROWS <= rows) return
  const reject = judged.flatMap((one) => ('reject' in one ? [one.reject] : [])).at(0) ?? {}
  const { field, reason } = { field: '', reason: 'can not be read', ...reject }
  throw new Failure(
    'import_unreadable',
    `${file}: ${rejects} of ${rows} records or more can't be read, such as one whose ${field} ${reason}`,
    { remedy: `correct the file, or import.${list} in the config file, and run the command again` },
  )
}

async function countOf(connection: DuckDBConnection, select: string): Promise<number> {
  const reader = await connection.runAndReadAll(select)
  return Number(reader.getRows()[0]?.[0])
}
