/** How a file is read: where its rows come from and what each field is in SQL. */
import type { DuckDBConnection } from '@duckdb/node-api'
import { Failure } from '../../domain/failure.ts'
import { importFields, type ImportOrder, type ImportReading } from '../../domain/import.ts'
import { csvHeader } from './csv-header.ts'
import { fromJson, fromText, type FieldSql } from './field-sql.ts'
import { fromParquet, isNumeric, saysItsUnit, untyped } from './parquet-field.ts'
import { identifier, quoted, quotedFile } from './quoted.ts'
import { unreadable } from './unreadable.ts'

export interface Plan {
  /** What follows `from`; its rows have a `row_no`, from 0 in the order of the file, where that costs nothing. */
  source: string
  hasRowNumbers: boolean
  /** Fields that the file has. */
  fields: ReadonlyMap<string, FieldSql>
  /** True for rows of which the fields tell all; null for rows that are none, such as empty lines. */
  guard: string
  /** What a row is judged by where it is judged one by one, as JSON text. */
  evidence: string
  /** Fields whose text is a number. */
  numeric: ReadonlySet<string>
}

/** Plans the reading of a file. Throws import_unreadable naming the file and the column. */
export async function planImport(
  connection: DuckDBConnection,
  order: ImportOrder,
  reading: ImportReading,
): Promise<Plan> {
  if (order.format === 'ndjson') return planNdjson(connection, order, reading)
  return order.format === 'csv' ? planCsv(order, reading) : planParquet(connection, order, reading)
}

const placeOf = (reading: ImportReading, field: string) => reading.columns[field] ?? field

async function planCsv(order: ImportOrder, reading: ImportReading): Promise<Plan> {
  const delimiter = /\.tsv(?:\.gz)?$/i.test(order.file) ? '\t' : reading.delimiter
  const names = await csvHeader(order, delimiter)
  const fields = new Map<string, FieldSql>()
  for (const [field, { kind, required }] of importFields(order.list)) {
    const place = placeOf(reading, field)
    const at = names.indexOf(place)
    if (at < 0) {
      refuseAbsent(order, { field, place, isNeeded: required || field in reading.columns })
      continue
    }
    if (names.indexOf(place, at + 1) >= 0) {
      throw new Failure(
        'import_unreadable',
        `${order.file}: two columns are called ${place}, which ${field} stands under`,
      )
    }
    const x = `c${at}`
    fields.set(field, fromText(untyped(x, kind), { kind, required, amounts: reading.amounts }))
  }
  const columns = names.map((_name, at) => `'c${at}': 'VARCHAR'`)
  const source = `read_csv(${quotedFile(order.file)}, columns = {${columns.join(', ')}}, auto_detect = false, header = true,
    delim = ${quoted(delimiter)}, quote = '"', escape = '"', max_line_size = 16000000)`
  return { source, hasRowNumbers: false, fields, guard: 'true', ...told(fields, () => true) }
}

async function planParquet(
  connection: DuckDBConnection,
  order: ImportOrder,
  reading: ImportReading,
): Promise<Plan> {
  const source = `read_parquet(${quotedFile(order.file)}, binary_as_string = true, file_row_number = true)`
  const columns = await typesOf(connection, order, `select * from ${source}`)
  const fields = new Map<string, FieldSql>()
  const numeric = new Set<string>()
  for (const [field, { kind, required }] of importFields(order.list)) {
    const place = placeOf(reading, field)
    const found = await columnAt(connection, { order, source, columns }, place)
    if (found === undefined) {
      refuseAbsent(order, { field, place, isNeeded: required || field in reading.columns })
      continue
    }
    const { x, type } = found
    const { amounts } = reading
    if ((kind === 'amount' || kind === 'net') && !saysItsUnit(type, amounts)) {
      throw new Failure(
        'import_unreadable',
        `${order.file}: column ${place} is ${type}, which can't be ${field} in ${amounts === 'cents' ? 'whole cents' : 'units with two decimals'}`,
        {
          remedy: `set import.${order.list}.amounts to ${amounts === 'cents' ? 'decimal' : 'cents'}, or export another type`,
        },
      )
    }
    if (isNumeric(type)) numeric.add(field)
    fields.set(field, fromParquet(x, type, { kind, required, amounts }))
  }
  return {
    source: `(select *, file_row_number as row_no from ${source})`,
    hasRowNumbers: true,
    fields,
    guard: 'true',
    ...told(fields, (field) => numeric.has(field)),
  }
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

interface ParquetFile {
  order: ImportOrder
  source: string
  columns: ReadonlyMap<string, string>
}

/** A column of this very name, or a field of a nested one. */
async function columnAt(
  connection: DuckDBConnection,
  { order, source, columns }: ParquetFile,
  place: string,
): Promise<{ x: string; type: string } | undefined> {
  const plain = columns.get(place)
  if (plain !== undefined) return { x: identifier(place), type: usual(plain) }
  const [head = '', ...rest] = place.split('.')
  if (rest.length === 0 || columns.get(head)?.startsWith('STRUCT') !== true) return undefined
  const x = [head, ...rest].map(identifier).join('.')
  // Whether the struct has such a field, DuckDB tells by failing.
  const types = await typesOf(connection, order, `select ${x} as x from ${source}`).catch(
    () => undefined,
  )
  const type = types?.get('x')
  return type === undefined ? undefined : { x: `(${x})`, type: usual(type) }
}

/** Words are text, however a file keeps them. */
const usual = (type: string) => (/^(?:ENUM|UUID|JSON)/.test(type) ? 'VARCHAR' : type)

function refuseAbsent(
  { file, list }: ImportOrder,
  { field, place, isNeeded }: { field: string; place: string; isNeeded: boolean },
): void {
  if (!isNeeded) return
  throw new Failure(
    'import_unreadable',
    `${file}: no column is called ${place}, which ${field} stands under`,
    {
      remedy: `name the column in the config file under import.${list}.columns.${field}`,
    },
  )
}

/** The texts of all fields as a JSON object; what is absent is null. */
function told(
  fields: ReadonlyMap<string, FieldSql>,
  isNumber: (field: string) => boolean,
): Pick<Plan, 'evidence' | 'numeric'> {
  const entries = [...fields].map(([field, { text }]) => `${quoted(field)}, (${text})::varchar`)
  return {
    evidence: `json_object(${entries.join(', ')})::varchar`,
    numeric: new Set([...fields.keys()].filter(isNumber)),
  }
}

/** Number texts that may not come out of a double as they went in. */
const ROUNDED = String.raw`\.[0-9]{10}|[0-9.]{10}[eE]|[eE]-[0-9]{2}`

async function planNdjson(
  connection: DuckDBConnection,
  order: ImportOrder,
  reading: ImportReading,
): Promise<Plan> {
  const all = importFields(order.list)
  const places = all.map(([field]) => placeOf(reading, field).split('.'))
  const parents = [...new Set(places.flatMap(parentsOf))]
  // No value of JSON holds this character as it is, so each line is one value.
  const lines = `read_csv(${quotedFile(order.file)}, columns = {'line': 'VARCHAR'}, auto_detect = false, header = false,
    delim = '\u0001', quote = '', escape = '', max_line_size = 16000000, strict_mode = false)`
  const list = (paths: string[]) => `[${paths.map(quoted).join(', ')}]`
  const paths = places.map(jsonPath)
  const source = `(
    select line, j, json_extract_string(j, ${list(paths)}) as v, json_type(j, ${list([...paths, ...parents])}) as t
    from (select line, case when json_valid(line) then line end as j from ${lines}))`
  const fields = new Map(
    all.map(([field, { kind, required }], at) => [
      field,
      fromJson(`v[${at + 1}]`, `t[${at + 1}]`, { kind, required, amounts: reading.amounts }),
    ]),
  )
  const whole = parents.map(
    (_path, at) => `coalesce(t[${paths.length + at + 1}], 'NULL') in ('OBJECT', 'NULL')`,
  )
  const exact = `not (list_contains(t, 'DOUBLE') and regexp_matches(line, ${quoted(ROUNDED)}))`
  const single = (await hasRepeatedKeys(connection, { order, source, parents }))
    ? [isSingle(parents)]
    : []
  return {
    source,
    hasRowNumbers: false,
    fields,
    guard: `case when trim(coalesce(line, '')) <> '' then ${['j is not null', ...whole, exact, ...single].join(' and ')} end`,
    evidence: 'line',
    numeric: new Set(),
  }
}

const jsonPath = (names: readonly string[]) =>
  names.reduce((path, name) => `${path}.${identifier(name)}`, '$')

/** The whole record and every object on the way to a field. */
const parentsOf = (names: readonly string[]): string[] =>
  names.map((_name, at) => jsonPath(names.slice(0, at)))

interface Objects {
  order: ImportOrder
  source: string
  parents: readonly string[]
}

/**
 * Records are alike, so the distinct lists of their keys are few; only where one of them names a key twice is each record
 * looked at for it.
 */
async function hasRepeatedKeys(
  connection: DuckDBConnection,
  { order, source, parents }: Objects,
): Promise<boolean> {
  try {
    const reader = await connection.runAndReadAll(
      `select 1 from (select distinct j.json_keys([${parents.map(quoted).join(', ')}]) as keys from ${source})
       where not ${areSingle('keys')} limit 1`,
    )
    return reader.currentRowCount > 0
  } catch (cause) {
    throw unreadable(order, cause)
  }
}

const isSingle = (parents: readonly string[]) =>
  areSingle(`j.json_keys([${parents.map(quoted).join(', ')}])`)

const areSingle = (keys: string) =>
  `coalesce(len(list_filter(${keys}, lambda k: len(k) <> len(list_distinct(k)))) = 0, true)`
