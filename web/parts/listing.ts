/** Lists that a page filters, sorts and turns over: from the query of an address to a select with its values. */
import { csvLine, guardedText } from '../../domain/csv-text.ts'
import { Failure } from '../../domain/failure.ts'
import type { Cells, AccountReader, Value } from './reader.ts'

/** A filter of a list: its field in the address, and the condition that it sets. */
export interface Filter {
  name: string
  title: string
  /** A condition with `?` for the value. */
  where: string
  /** The values to choose from; absent for a free text. */
  choices?: readonly string[]
  /** The kind of input. */
  input?: 'date' | 'number' | 'text'
  /** Checks and changes the text before it becomes a value; undefined for a text that means nothing. */
  read?: (text: string) => Value | undefined
}

export interface ListSpec {
  /** The path of the page. */
  path: string
  /** A select without filter and order, of the rows of all accounts. */
  from: string
  /** The column with the id of 64 bits that is different in each row; it breaks ties. */
  id: string
  filters: readonly Filter[]
  /** The columns by which the list can be sorted, with their DuckDB types. */
  sorts: Readonly<Record<string, string>>
  /** The sort of an address that names none, with `-` for descending. */
  sortedBy: string
}

export interface Listed {
  rows: Cells[]
  /** The addresses of the other pages and of the file. */
  next: string | undefined
  first: string | undefined
  csv: string
  /** The filters as they are set, for the form. */
  set: Readonly<Record<string, string>>
  sort: Sort
}

export interface Sort {
  column: string
  isDescending: boolean
}

const PAGE_ROWS = 50
const MOST_CSV_ROWS = 200_000

/** The part of an address after its question mark. */
export type Query = Readonly<Record<string, string | undefined>>

/** A page of a list. The next page begins after the last row of this one, wherever rows were added meanwhile. */
export async function listPage(
  reader: AccountReader,
  spec: ListSpec,
  { account, query }: { account: string; query: Query },
): Promise<Listed> {
  const sort = sortOf(spec, query)
  const set = setFilters(spec, query)
  const { where, values } = conditions(spec, { account, set })
  const after = query['after']
  const type = spec.sorts[sort.column] ?? 'varchar'
  if (after !== undefined) where.push(afterRow(spec, { sort, type, after }, values))
  const found = await reader.rows({
    sql: selectOf(spec, where, sort),
    values,
    limit: PAGE_ROWS + 1,
  })
  const rows = found.slice(0, PAGE_ROWS)
  const last = rows.at(-1)
  const hasMore = found.length > PAGE_ROWS && last !== undefined
  const keyOf = (row: Cells) => JSON.stringify([row[sort.column] ?? null, row[spec.id]])
  return {
    ...{ rows, set, sort },
    next: hasMore ? addressOf(spec.path, { ...query, after: keyOf(last) }) : undefined,
    first: after === undefined ? undefined : addressOf(spec.path, { ...query, after: undefined }),
    csv: addressOf(`${spec.path}.csv`, { ...query, after: undefined }),
  }
}

/** All rows of the filtered and sorted list, for its CSV. Throws usage for a list that is too long. */
export async function listAll(
  reader: AccountReader,
  spec: ListSpec,
  { account, query }: { account: string; query: Query },
): Promise<Cells[]> {
  const { where, values } = conditions(spec, { account, set: setFilters(spec, query) })
  const sql = selectOf(spec, where, sortOf(spec, query))
  const rows = await reader.rows({ sql, values, limit: MOST_CSV_ROWS + 1 })
  if (rows.length <= MOST_CSV_ROWS) return rows
  throw new Failure('usage', `the list has more than ${MOST_CSV_ROWS} rows`, {
    remedy: 'narrow the filter, or read the view with tieout query',
  })
}

/** The address of the list with another sort: the same column again turns the order. */
export function sortAddress(spec: ListSpec, query: Query, column: string): string {
  const now = sortOf(spec, query)
  const isTurned = now.column === column && !now.isDescending
  return addressOf(spec.path, {
    ...query,
    after: undefined,
    sort: `${isTurned ? '-' : ''}${column}`,
  })
}

function sortOf({ sorts, sortedBy }: ListSpec, query: Query): Sort {
  const text = query['sort'] ?? sortedBy
  const column = text.replace(/^-/, '')
  if (Object.hasOwn(sorts, column)) return { column, isDescending: text.startsWith('-') }
  return { column: sortedBy.replace(/^-/, ''), isDescending: sortedBy.startsWith('-') }
}

const setFilters = ({ filters }: ListSpec, query: Query): Record<string, string> =>
  Object.fromEntries(
    filters.flatMap(({ name }) => {
      const text = query[name]?.trim() ?? ''
      return text === '' ? [] : [[name, text]]
    }),
  )

function conditions(
  { filters }: ListSpec,
  { account, set }: { account: string; set: Readonly<Record<string, string>> },
): { where: string[]; values: Value[] } {
  const values: Value[] = [account]
  const where = ['account = $1']
  for (const { name, title, where: condition, read, choices } of filters) {
    const text = set[name]
    if (text === undefined) continue
    const isKnown = choices === undefined || choices.includes(text)
    const value = isKnown ? (read === undefined ? text : read(text)) : undefined
    if (value === undefined) throw new Failure('usage', `${title} can't be ${text}`)
    where.push(condition.replaceAll('?', `$${values.push(value)}`))
  }
  return { where, values }
}

/** Empty values come last in either order. */
const selectOf = (
  { from, id }: ListSpec,
  where: readonly string[],
  { column, isDescending }: Sort,
): string =>
  `select * from (${from}) where ${where.join(' and ')}
    order by "${column}" ${isDescending ? 'desc' : 'asc'} nulls last, "${id}" asc`

/** The condition for rows that come after this one in the order of the list. */
function afterRow(
  { id }: ListSpec,
  { sort, type, after }: { sort: Sort; type: string; after: string },
  values: Value[],
): string {
  const [value, last] = readKey(after)
  const lastId = `$${values.push(last)}::varchar`
  const column = `"${sort.column}"`
  const isSame = `"${id}" > try_cast(${lastId} as bigint)`
  if (value === null) return `(${column} is null and ${isSame})`
  const bound = `try_cast($${values.push(value)}::varchar as ${type})`
  const beyond = sort.isDescending ? '<' : '>'
  return `(${column} ${beyond} ${bound} or ${column} is null or (${column} = ${bound} and ${isSame}))`
}

function readKey(after: string): [string | null, string] {
  try {
    const [value, id] = JSON.parse(after) as [unknown, unknown]
    return [value === null ? null : String(value), String(id)]
  } catch {
    return [null, '']
  }
}

/** An address with the set parts of a query. */
export function addressOf(path: string, query: Query): string {
  const parts = Object.entries(query).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '',
  )
  return parts.length === 0 ? path : `${path}?${new URLSearchParams(parts).toString()}`
}

/** Rows as a CSV, with a guard against formulas. */
export const csvOf = (columns: readonly string[], rows: readonly Cells[]): string =>
  [columns, ...rows.map((row) => columns.map((name) => guardedText(row[name] ?? '')))]
    .map(csvLine)
    .join('')
