import type { DuckDBConnection } from '@duckdb/node-api'
import { importFields, type ImportOrder } from '../../domain/import.ts'
import { documentedNumber, documentedText } from './documented-text.ts'
import type { FieldSql } from './field-sql.ts'
import { unread } from './file-kind.ts'
import { fromParquet, isNumeric, saysItsUnit, textOf } from './parquet-field.ts'
import { idOf, nameIn, placeOf, refuseAbsent, unusedIn, type Plan, type PlanInput } from './plan.ts'
import { quotedName, quotedFile } from '../connection/sql-literal.ts'
import { rowEvidence } from './row-evidence.ts'
import { unreadable } from './unreadable.ts'
import { hasRows } from '../connection/has-rows.ts'

interface Column {
  x: string
  type: string
  place: string
}

/** Plans the reading of a Parquet file. The names and types of its columns show which column holds which field. */
export async function planParquet(input: PlanInput, connection: DuckDBConnection): Promise<Plan> {
  const { order, reading, file } = input
  const source = `read_parquet(${quotedFile(file.path)}, binary_as_string = true, file_row_number = true, hive_partitioning = false)`
  const types = await typesOf(connection, order, `select * from ${source}`)
  const paths = await pathsIn(connection, input)
  const columns = await columnsOf(connection, input, { source, types, paths })
  const { texts, fields } = fieldsOf(input, columns)
  const numeric = [...columns].filter(([, { type }]) => isNumeric(type)).map(([field]) => field)
  const rows = `(select *, file_row_number as row_no, ${texts.join(', ')} from ${source})`
  const hasEmpty = await hasRowWithoutId(connection, order, { rows, id: columns.get(idOf(order)) })
  const all = [...types.keys()].filter((name) => name !== 'file_row_number').map(quotedName)
  return {
    source: rows,
    hasRowNumbers: true,
    fields,
    guard: hasEmpty
      ? `case when coalesce(${all.map((x) => `(${x})::varchar`).join(', ')}) is not null then true end`
      : 'true',
    ...rowEvidence(fields, (field) => numeric.includes(field)),
    places: Object.fromEntries([...columns].map(([field, { place }]) => [field, place])),
    unused: unusedIn(
      paths,
      [...columns.values()].map(({ place }) => place),
    ),
    empty: new Map(),
    delimiter: reading.delimiter,
  }
}

/** True if a row lacks an id. Only then must all columns be read, to find empty rows. */
async function hasRowWithoutId(
  connection: DuckDBConnection,
  order: ImportOrder,
  { rows, id }: { rows: string; id: Column | undefined },
): Promise<boolean> {
  try {
    return await hasRows(connection, `select 1 from ${rows} where ${id?.x ?? 'null'} is null`)
  } catch (cause) {
    throw unreadable(order, cause)
  }
}

function fieldsOf(
  input: PlanInput,
  columns: ReadonlyMap<string, Column>,
): { texts: string[]; fields: Map<string, FieldSql> } {
  const { order, reading, spellings } = input
  const texts: string[] = []
  const fields = new Map<string, FieldSql>()
  const action = actionOf(input, columns.get('action'))
  for (const [field, { kind, required }] of importFields(order.list)) {
    const column = columns.get(field)
    if (column === undefined) continue
    refuseUnit(input, { field, kind, ...column })
    const name = `"tieout ${texts.length}"`
    const read = isNumeric(column.type) ? documentedNumber : documentedText
    const text = textOf(column.x, column.type, kind)
    texts.push(`${read(text, { field, kind, reading, spellings, action })} as ${name}`)
    const rules = { kind, required, amounts: reading.amounts }
    fields.set(field, fromParquet({ ...column, text: name }, rules))
  }
  return { texts, fields }
}

function actionOf({ reading, spellings }: PlanInput, column: Column | undefined): string {
  if (column === undefined) return "''"
  const text = textOf(column.x, column.type, 'word')
  return documentedText(text, { field: 'action', kind: 'word', reading, spellings, action: "''" })
}

interface ParquetFile {
  source: string
  types: ReadonlyMap<string, string>
  /** The paths of all columns and of their inner fields. */
  paths: readonly string[]
}

async function columnsOf(
  connection: DuckDBConnection,
  input: PlanInput,
  file: ParquetFile,
): Promise<Map<string, Column>> {
  const { order, reading } = input
  const columns = new Map<string, Column>()
  for (const [field, { required }] of importFields(order.list)) {
    const place = placeOf(reading, field)
    nameIn(order, { field, place }, file.paths)
    const found = await columnAt(connection, { ...file, order }, { field, place })
    if (found !== undefined) columns.set(field, found)
    else refuseAbsent(order, { field, place, isNeeded: required || field in reading.columns })
  }
  return columns
}

function refuseUnit(
  { order, reading: { amounts } }: PlanInput,
  { field, kind, type, place }: { field: string; kind: string } & Column,
): void {
  if ((kind !== 'amount' && kind !== 'net') || saysItsUnit(type, amounts)) return
  throw unread(
    order,
    `column ${place} is ${type}, which can't be ${field} in ${amounts === 'cents' ? 'whole cents' : 'units with two decimals'}`,
    {
      remedy: `set import.${order.list}.amounts to ${amounts === 'cents' ? 'decimal' : 'cents'}, or export another type`,
    },
  )
}

async function typesOf(
  connection: DuckDBConnection,
  order: ImportOrder,
  select: string,
): Promise<Map<string, string>> {
  try {
    const reader = await connection.runAndReadAll(`describe ${select}`)
    return new Map(reader.getRows().map(([name, type]) => [String(name), String(type)]))
  } catch (cause) {
    throw unreadable(order, cause)
  }
}

/**
 * Returns the path of each column and of each of its inner fields, as the file spells them. A reader of DuckDB gives
 * another name to the second of two that differ only in letter case.
 */
async function pathsIn(connection: DuckDBConnection, { file }: PlanInput): Promise<string[]> {
  const reader = await connection.runAndReadAll(
    `select name, coalesce(num_children, 0) from parquet_schema(${quotedFile(file.path)})`,
  )
  const nodes = reader
    .getRows()
    .map(([name, inner]) => [String(name).trim(), Number(inner)] as const)
  // The columns follow their parent, depth first. The root has no name in a path.
  const open: { path: string; left: number }[] = []
  const paths = nodes.map(([name, inner]) => {
    while (open.at(-1)?.left === 0) open.pop()
    const above = open.at(-1)
    if (above !== undefined) above.left -= 1
    const path = open.length < 2 ? name : `${above?.path}.${name}`
    open.push({ path, left: inner })
    return path
  })
  return paths.slice(1)
}

/**
 * Finds a column of this name, or a field of a nested column. SQL ignores letter case in the fields of a nested
 * column.
 */
async function columnAt(
  connection: DuckDBConnection,
  { order, source, types }: Omit<ParquetFile, 'paths'> & { order: ImportOrder },
  { field, place }: { field: string; place: string },
): Promise<Column | undefined> {
  const plain = nameIn(order, { field, place }, [...types.keys()])
  if (plain !== undefined) {
    return { x: quotedName(plain), type: usual(types.get(plain) ?? ''), place: plain }
  }
  const [head = '', ...rest] = place.split('.')
  const outer = nameIn(order, { field, place: head }, [...types.keys()]) ?? ''
  if (rest.length === 0 || types.get(outer)?.startsWith('STRUCT') !== true) return undefined
  const x = [outer, ...rest].map(quotedName).join('.')
  // DuckDB fails for a field that the struct does not have.
  const inner = await typesOf(connection, order, `select ${x} as x from ${source}`).catch(
    () => undefined,
  )
  const type = inner?.get('x')
  return type === undefined ? undefined : { x: `(${x})`, type: usual(type), place }
}

/** Treats every type whose values are words as text. */
const usual = (type: string) => (/^(?:ENUM|UUID|JSON)/.test(type) ? 'VARCHAR' : type)
