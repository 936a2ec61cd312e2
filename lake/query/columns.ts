/** The columns of a result and their form in each format: exact, with nulls, instants in UTC. */
import {
  DuckDBDecimalType,
  type DuckDBPreparedStatement,
  type DuckDBType,
  DuckDBTypeId,
} from '@duckdb/node-api'
import { quoted } from '../connection/sql-literal.ts'

/**
 * The kind of a column, by the conversion that it needs. Its position in the result is its internal
 * name.
 */
export interface Column {
  name: string
  /** SQL of its value, in one of the types of `family`. */
  value: string
  family: 'blob' | 'boolean' | 'date' | 'decimal' | 'float' | 'instant' | 'integer' | 'text'
  /** Bits of an integer or a float. */
  bits: number
  signed: boolean
  /** Digits of a decimal. */
  precision: number
  scale: number
}

type Shape = Omit<Column, 'name' | 'value'> & { cast?: string }

const EXACT = { bits: 0, signed: true, precision: 0, scale: 0 }
const integer = (bits: number, signed = true): Shape => ({
  ...EXACT,
  family: 'integer',
  bits,
  signed,
})
const float = (bits: number): Shape => ({ ...EXACT, family: 'float', bits })
/**
 * Sums of whole numbers are wider than any program reads; a decimal is read everywhere and exact.
 */
const wide: Shape = { ...EXACT, family: 'decimal', precision: 38, cast: '::decimal(38, 0)' }
const instant = (cast?: string): Shape => ({
  ...EXACT,
  family: 'instant',
  ...(cast === undefined ? {} : { cast }),
})
const plain = (family: Shape['family']): Shape => ({ ...EXACT, family })

const SHAPES: Partial<Record<DuckDBTypeId, Shape>> = {
  [DuckDBTypeId.BOOLEAN]: plain('boolean'),
  [DuckDBTypeId.TINYINT]: integer(8),
  [DuckDBTypeId.SMALLINT]: integer(16),
  [DuckDBTypeId.INTEGER]: integer(32),
  [DuckDBTypeId.BIGINT]: integer(64),
  [DuckDBTypeId.UTINYINT]: integer(8, false),
  [DuckDBTypeId.USMALLINT]: integer(16, false),
  [DuckDBTypeId.UINTEGER]: integer(32, false),
  [DuckDBTypeId.UBIGINT]: integer(64, false),
  [DuckDBTypeId.HUGEINT]: wide,
  [DuckDBTypeId.UHUGEINT]: wide,
  [DuckDBTypeId.FLOAT]: float(32),
  [DuckDBTypeId.DOUBLE]: float(64),
  [DuckDBTypeId.DATE]: plain('date'),
  [DuckDBTypeId.TIMESTAMP]: instant(),
  [DuckDBTypeId.TIMESTAMP_TZ]: instant(" at time zone 'UTC'"),
  [DuckDBTypeId.TIMESTAMP_S]: instant('::timestamp'),
  [DuckDBTypeId.TIMESTAMP_MS]: instant('::timestamp'),
  [DuckDBTypeId.TIMESTAMP_NS]: instant('::timestamp'),
  [DuckDBTypeId.VARCHAR]: plain('text'),
  [DuckDBTypeId.BLOB]: plain('blob'),
}

const NESTED = new Set([
  DuckDBTypeId.LIST,
  DuckDBTypeId.STRUCT,
  DuckDBTypeId.MAP,
  DuckDBTypeId.ARRAY,
  DuckDBTypeId.UNION,
])

/** The columns of a prepared select; the second of two equal names becomes `name_2`. */
export function columnsOf(prepared: DuckDBPreparedStatement): Column[] {
  const taken = new Set<string>()
  return Array.from({ length: prepared.columnCount }, (_, index) =>
    columnOf(unique(prepared.columnName(index), taken), `c${index}`, prepared.columnType(index)),
  )
}

function columnOf(name: string, inside: string, type: DuckDBType): Column {
  if (type instanceof DuckDBDecimalType) {
    const { width: precision, scale } = type
    return { ...EXACT, family: 'decimal', precision, scale, name, value: inside }
  }
  if (NESTED.has(type.typeId)) {
    return { ...plain('text'), name, value: `to_json(${inside})::varchar` }
  }
  // A type without an equivalent elsewhere, such as an interval, becomes text.
  const { cast = '', ...shape } = SHAPES[type.typeId] ?? { ...plain('text'), cast: '::varchar' }
  return { ...shape, name, value: `${inside}${cast}` }
}

/** DuckDB and many readers ignore case in names. */
function unique(name: string, taken: Set<string>): string {
  let candidate = name
  for (let at = 2; taken.has(candidate.toLowerCase()); at += 1) candidate = `${name}_${at}`
  taken.add(candidate.toLowerCase())
  return candidate
}

/** The internal names of the columns. */
export const insideNames = (columns: readonly Column[]): string[] =>
  columns.map((_, index) => `c${index}`)

/**
 * A select over the result of a person's SQL. The text is passed as a string literal, which it
 * can't end.
 */
export function selectOver(
  text: string,
  columns: readonly Column[],
  expressions: readonly string[],
): string {
  const names = insideNames(columns).join(', ')
  return `select ${expressions.join(', ')} from query(${quoted(text)}) as answer(${names})`
}
