/**
 * Writes a file's records as typed rows to a scratch file. DuckDB reads the clean ones, and the others are judged one
 * by one.
 */
import type { DuckDBConnection } from '@duckdb/node-api'
import { basename } from 'node:path'
import {
  importFields,
  nameOf,
  type ImportList,
  type ImportOrder,
  type RejectedLine,
} from '../../domain/import.ts'
import { contentHash, LISTS, REJECT_COLUMNS, rowsInJson } from '../landing/list-schemas.ts'
import { streamed } from '../connection/stream.ts'
import { billingHashSql } from './billing-sql.ts'
import type { FieldSql } from './field-sql.ts'
import type { Plan } from './plan.ts'
import { quoted, quotedFile } from '../connection/sql-literal.ts'
import type { ReadableFile } from './readable-file.ts'
import { recordLines } from './record-lines.ts'
import { unreadable } from './unreadable.ts'

/** A record that is not clean by the SQL checks. */
export interface Suspect {
  /** Its place in the file, from 0. */
  rowNo: number
  /** The record as JSON, or a JSON object of the texts of its fields. */
  evidence: string
}

/** The result of the reader of the service's records. Keys are columns of the lake, values are text. */
export type Judged = ({ row: object } | { reject: object }) & {
  rowNo: number
  /** Fields whose value was left out. */
  leftOut?: readonly string[]
}

export type Judge = (suspects: readonly Suspect[]) => Judged[]

export interface Staged {
  rows: number
  rejects: number
  first: readonly RejectedLine[]
  leftOut: Readonly<Record<string, number>>
}

/** With this many rejects, and more than this share of the file, the file must hold something else. */
const MANY_REJECTS = 20
const REJECTS_PER_ROWS = 100

export interface Staging {
  order: ImportOrder
  plan: Plan
  file: ReadableFile
  /** The scratch file of typed rows. */
  scratch: string
}

/**
 * Writes the clean records to the scratch file and judges the others. The function makes two temporary tables:
 * `import_row` with typed rows, content_hash, id and ordinal, and `import_reject`. With too many rejects the function
 * stops early. Throws import_unreadable.
 */
export async function stageImport(
  connections: { main: DuckDBConnection; aside: DuckDBConnection },
  about: Staging,
  judge: Judge,
): Promise<Staged> {
  const { main, aside } = connections
  const { order, plan, scratch, file } = about
  try {
    await main.run(`copy (${typedRows(order.list, plan)}) to ${quoted(scratch)} (format parquet)`)
    const clean = `read_parquet(${quotedFile(scratch)}, file_row_number = true, hive_partitioning = false)`
    const rows = await countOf(main, `select count(*) from ${clean} where clean is not null`)
    const suspects = await countOf(main, `select count(*) from ${clean} where not clean`)
    await prepareJudged(main, order.list)
    const leftOut: Record<string, number> = {}
    let rejects = 0
    if (suspects > 0) {
      for await (const batch of suspectsOf(aside, plan)) {
        const judged = judge(batch)
        rejects += judged.filter((one) => 'reject' in one).length
        for (const field of judged.flatMap((one) => one.leftOut ?? [])) {
          leftOut[field] = (leftOut[field] ?? 0) + 1
        }
        await keepJudged(main, order.list, judged)
        if (isTooMany(rejects, rows)) break
      }
    }
    await main.run(`create or replace temp view import_row as ${rowsOf(order.list, clean)}`)
    const first = rejects === 0 ? [] : await nameLines(main, about)
    return { rows, rejects, first, leftOut }
  } catch (cause) {
    throw unreadable(order, cause, file.linesAbove)
  }
}

/** True if so many records are wrong that the file must hold something else. */
export const isTooMany = (rejects: number, rows: number): boolean =>
  rejects === rows || (rejects >= MANY_REJECTS && rejects * REJECTS_PER_ROWS > rows)

const MOST_SHOWN = 10

/** Adds line and file to the reason of each reject, and returns the first rejects. */
async function nameLines(
  connection: DuckDBConnection,
  { order, plan, file }: Staging,
): Promise<RejectedLine[]> {
  const reader = await connection.runAndReadAll('select ordinal from import_reject')
  const places = new Set(reader.getRows().map(([ordinal]) => Number(ordinal)))
  const about = { format: order.format, delimiter: plan.delimiter }
  const lines = [...(await recordLines(file, about, places))].map(([ordinal, line]) => ({
    ordinal,
    line,
  }))
  const name = basename(nameOf(order))
    .replaceAll(/[^ -~]/g, '?')
    .slice(0, 80)
  const unit = order.format === 'parquet' ? 'row' : 'line'
  await connection.run(
    `create or replace temp table import_line as
     select unnest(from_json($1, '[{"ordinal":"BIGINT","line":"BIGINT"}]'), recursive := true)`,
    [JSON.stringify(lines)],
  )
  const shown = await connection.runAndReadAll(
    `select line::double as line, field, reason, excerpt from import_reject left join import_line using (ordinal)
     order by ordinal limit ${MOST_SHOWN}`,
  )
  await connection.run(
    `update import_reject set reason = concat(reason, $1, import_line.line, ' of ', $2::varchar)
     from import_line where import_line.ordinal = import_reject.ordinal`,
    [`, ${unit} `, name],
  )
  return shown.getRowObjectsJson() as unknown as RejectedLine[]
}

/**
 * Selects one row for each row of the file, in order. A row that is not clean stays empty, because it may hold
 * personal data. The select depends on the fields of the file, so that it can't be a file of sql/import.
 */
function typedRows(list: ImportList, plan: Plan): string {
  const values = columnValues(list, plan.fields)
  const conditions = [...plan.fields.values()].map(({ clean }) => `(${clean})`)
  const clean = `case when ${plan.guard} then ${conditions.join(' and ')} else (${plan.guard}) end`
  const typed = Object.entries(LISTS[list].columns).map(
    ([name, type]) => `case when clean then ${type} end as ${name}`,
  )
  const empty = [...plan.empty.values()]
  const hasEmpty = empty.length === 0 ? 'false' : `coalesce(${empty.join(' or ')}, false)`
  return `select *, ${contentHash(list)} as content_hash
    from (select ${typed.join(', ')}, clean, has_empty
      from (select ${values.join(', ')}, ${clean} as clean, ${hasEmpty} as has_empty from ${plan.source}))`
}

function columnValues(list: ImportList, fields: Plan['fields']): string[] {
  const value = (field: string) => fields.get(field)?.value ?? 'null'
  const plain = importFields(list).flatMap(([field, { kind, column }]) =>
    kind === 'looseId' || kind === 'personal' ? [] : [`${value(field)} as ${column}`],
  )
  // A clean net is exact. A net with a remainder is judged by itself.
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
  const typed = Object.values(columns)
  if (rows.length > 0) {
    await connection.run(
      `insert into import_judged select ${typed.join(', ')}, ordinal from ${rowsInJson(Object.keys(columns))}`,
      [JSON.stringify(rows)],
    )
  }
  const rejects = judged.flatMap((one) =>
    'reject' in one ? [{ ...one.reject, ordinal: one.rowNo }] : [],
  )
  if (rejects.length === 0) return
  await connection.run(
    `insert into import_reject select ${REJECT_COLUMNS.join(', ')}, ordinal from ${rowsInJson(REJECT_COLUMNS)}`,
    [JSON.stringify(rejects)],
  )
}

/** Yields the records that are not clean, a few thousand at a time. */
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

async function countOf(connection: DuckDBConnection, select: string): Promise<number> {
  const reader = await connection.runAndReadAll(select)
  return Number(reader.getRows()[0]?.[0])
}
