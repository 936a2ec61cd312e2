/** CSV, JSON and aligned text. DuckDB makes each row into a line, whole columns at a time. */
import { FORMULA_PATTERN, NUMBER_PATTERN } from '../../domain/csv-text.ts'
import type { Column } from './columns.ts'
import { quotedName } from '../connection/sql-literal.ts'

/** The text of a cell in the form of the packs: exact decimals, instants with a Z. */
export function cellText({ family, value }: Column): string {
  if (family === 'instant') return instantText(value)
  if (family === 'blob') return `lower(hex(${value}))`
  return family === 'text' ? value : `${value}::varchar`
}

/**
 * Repeats the models' macro `instant`, which a view of a locked lake doesn't see; DuckDB itself
 * drops trailing zeros. An infinite instant is `infinity` or `-infinity`.
 */
const instantText = (value: string) =>
  `(replace((${value})::varchar, ' ', 'T') || if(isfinite(${value}), 'Z', ''))`

/**
 * The value of a CSV cell. A formula gets a quote before it; a number stored as text is no formula.
 */
export function csvCell(column: Column): string {
  return column.family === 'text' ? guarded(column.value) : cellText(column)
}

const guarded = (cell: string) =>
  `case when regexp_matches(${cell}, '${FORMULA_PATTERN}') and not regexp_matches(${cell}, '${NUMBER_PATTERN}')
    then '''' || ${cell} else ${cell} end`

const SPECIAL = [`'"'`, `','`, 'chr(13)', 'chr(10)']

/** Quotes distinguish an empty text from a null. */
const quotedCell = (cell: string) =>
  `case when ${cell} = '' or ${SPECIAL.map((text) => `contains(${cell}, ${text})`).join(' or ')}
    then '"' || replace(${cell}, '"', '""') || '"' else ${cell} end`

/** A row as a line of RFC 4180 with its line end; `names` hold the results of `csvCell`. */
export function csvLine(columns: readonly Column[], names: readonly string[]): string {
  const cells = columns.map(({ family }, index) => {
    const name = names[index] ?? ''
    return family === 'text' ? quotedCell(name) : name
  })
  return `concat(${cells.join(", ',', ")}, chr(13), chr(10))`
}

export const csvHeader = (columns: readonly Column[]): string =>
  `${columns.map(({ name }) => (/[",\r\n]/.test(name) ? quotedName(name) : name)).join(',')}\r\n`

/**
 * A row as an object on a line. Counts are numbers. Money, ids, and numbers that a double would
 * round are text.
 */
export function jsonLine(columns: readonly Column[]): string {
  const members = columns.map((column) => `${quotedName(column.name)} := ${jsonValue(column)}`)
  return `to_json(struct_pack(${members.join(', ')}))::varchar || chr(10)`
}

function jsonValue(column: Column): string {
  const { family, bits, value } = column
  if (family === 'boolean' || (family === 'integer' && bits < 64)) return value
  if (family === 'float') return `case when isfinite(${value}) then ${value} end`
  return isCount(column) ? countJson(value) : cellText(column)
}

/** A whole number that identifies nothing: no record, act or landing. */
const isCount = ({ family, name, precision, scale }: Column) =>
  (family === 'integer' || (family === 'decimal' && precision === 38 && scale === 0)) &&
  !/^(?:id|seq|scan|knownAt)$|_id$|Id$|Seq$/.test(name)

/** Up to 2^53, beyond which a double is not exact. */
const countJson = (value: string) =>
  `case when ${value} between -9007199254740992 and 9007199254740992
    then to_json(${value}::bigint) else to_json(${value}::varchar) end`
