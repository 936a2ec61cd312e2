import { importFields } from '../../domain/import.ts'
import { csvHeader, valuesIn } from './csv-header.ts'
import { documentedText } from './documented-text.ts'
import { fromText, type FieldSql } from './field-sql.ts'
import { unread } from './file-kind.ts'
import {
  idOf,
  namedDelimiter,
  nameIn,
  placeOf,
  refuseAbsent,
  type Plan,
  type PlanInput,
} from './plan.ts'
import { quoted, quotedFile } from '../connection/sql-literal.ts'
import { rowEvidence } from './row-evidence.ts'

/** Plans the reading of a CSV file. The names in its header show which column holds which field. */
export async function planCsv(input: PlanInput): Promise<Plan> {
  const { order, file } = input
  const delimiter = delimiterOf(input)
  const names = await csvHeader(order, file, delimiter)
  const columns = columnsOf(input, names)
  const id = `c${columns.get(idOf(order)) ?? 0}`
  refuseCutRecord(input, { delimiter, idAt: columns.get(idOf(order)) })
  const types = names.map((_name, at) => `'c${at}': 'VARCHAR'`)
  const rows = `read_csv(${quotedFile(file.path)}, columns = {${types.join(', ')}}, auto_detect = false, header = true,
    delim = ${quoted(delimiter)}, quote = '"', escape = '"', max_line_size = 16000000, compression = 'none', hive_partitioning = false)`
  const { texts, fields } = fieldsOf(input, columns)
  const all = names.map((_name, at) => `c${at}`).join(', ')
  const filled = `case when trim(${id}) <> '' or trim(concat(${all})) <> '' then true end`
  return {
    source: `(select ${texts.join(', ')}, ${filled} as filled from ${rows})`,
    hasRowNumbers: false,
    fields,
    guard: 'filled',
    ...rowEvidence(fields, () => false),
    places: Object.fromEntries([...columns].map(([field, at]) => [field, names[at]?.trim() ?? ''])),
    unused: unusedColumns(names, columns),
    empty: new Map(),
    delimiter,
  }
}

function unusedColumns(names: readonly string[], columns: ReadonlyMap<string, number>): string[] {
  const read = new Set(columns.values())
  return names.map((name) => name.trim()).filter((name, at) => name !== '' && !read.has(at))
}

/**
 * Chooses the delimiter. The file's own `sep=` line has priority, then a configured one; a name that ends in .tsv
 * means tabs.
 */
const delimiterOf = ({ order, reading, file }: PlanInput): string =>
  file.delimiter ?? namedDelimiter(order, reading)

function columnsOf({ order, reading }: PlanInput, names: readonly string[]): Map<string, number> {
  const columns = new Map<string, number>()
  for (const [field, { required }] of importFields(order.list)) {
    const place = placeOf(reading, field)
    const name = nameIn(order, { field, place }, names)
    if (name !== undefined) columns.set(field, names.indexOf(name))
    else refuseAbsent(order, { field, place, isNeeded: required || field in reading.columns })
  }
  return columns
}

function fieldsOf(
  { order, reading, spellings }: PlanInput,
  columns: ReadonlyMap<string, number>,
): { texts: string[]; fields: Map<string, FieldSql> } {
  const texts: string[] = []
  const fields = new Map<string, FieldSql>()
  const rulesOf = { reading, spellings }
  const word = { field: 'action', kind: 'word', ...rulesOf, action: "''" } as const
  const action = documentedText(`c${columns.get('action') ?? 0}`, word)
  for (const [field, { kind, required }] of importFields(order.list)) {
    const at = columns.get(field)
    if (at === undefined) continue
    const name = `f${texts.length}`
    texts.push(`${documentedText(`c${at}`, { field, kind, ...rulesOf, action })} as ${name}`)
    fields.set(field, fromText(name, { kind, required, amounts: reading.amounts }))
  }
  return { texts, fields }
}

/** Throws import_unreadable if the lines that are cut off as totals contain a record. */
function refuseCutRecord(
  { order, file }: PlanInput,
  { delimiter, idAt }: { delimiter: string; idAt: number | undefined },
): void {
  const isRecord = file.below
    .split(/[\r\n]+/)
    .some((line) => /^\s*[0-9]+\s*$/.test(valuesIn(line, delimiter)?.[idAt ?? 0] ?? ''))
  if (!isRecord) return
  throw unread(order, 'the last lines, which are taken for totals, hold a record with an id', {
    remedy: `correct import.${order.list}.total_lines in the config file`,
  })
}
