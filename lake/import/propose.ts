/** Proposes how to read a file, from its first rows. A person has to confirm the proposal. */
import type { DuckDBConnection } from '@duckdb/node-api'
import { importFields, type ImportOrder, type ImportReading } from '../../domain/import.ts'
import { rowsIn } from './csv-header.ts'
import { dateForm } from './date-pattern.ts'
import { likelyColumns } from './field-names.ts'
import { wordForm } from './likely-words.ts'
import { moneyForm } from './money-marks.ts'
import { idOf, namedDelimiter } from './plan.ts'
import type { Judging, ScratchFiles } from './judging.ts'
import { saidOf } from './proposal-words.ts'
import { csvSample, ndjsonSample, parquetSample, textSample, type Sample } from './sample.ts'

export interface Proposal {
  /** The confirmed reading with the proposed changes. */
  reading: ImportReading
  /** The proposed changes, each as a short phrase. */
  said: readonly string[]
  /** Properties with two possible readings, which a person must decide. */
  questions: readonly string[]
}

export interface ProposalTools {
  scratch: ScratchFiles
  connection: DuckDBConnection
  judging: Pick<Judging, 'currency' | 'reading' | 'spellings' | 'timezone'>
}

/**
 * Proposes how to read a file. The proposal is empty for a file that fits the reading, and never covers a value with
 * two readings.
 */
export async function proposeReading(order: ImportOrder, tools: ProposalTools): Promise<Proposal> {
  const { reading } = tools.judging
  try {
    const { layout, sample } = await layoutOf(order, tools)
    return ofSample(order, { ...reading, ...layout }, { sample, layout, ...tools })
  } catch {
    // An unreadable file has no proposal. The import itself reports the error.
    return { reading, said: [], questions: [] }
  }
}

type Layout = Partial<ImportReading>

async function layoutOf(
  order: ImportOrder,
  { connection, scratch, judging: { reading } }: ProposalTools,
): Promise<{ layout: Layout; sample: Sample }> {
  if (order.format === 'parquet') {
    return { layout: {}, sample: await parquetSample(connection, order) }
  }
  const { encoding, delimiter, head, tail } = await textSample(order, reading, scratch.copy)
  const layout: Layout = encoding === reading.encoding ? {} : { encoding }
  if (order.format === 'ndjson') return { layout, sample: ndjsonSample(head) }
  const known = delimiter ?? namedDelimiter(order, reading)
  const header = headerIn(order, head, { ...reading, delimiter: known })
  const isOther = ![known, reading.delimiter].includes(header.delimiter)
  const sample = csvSample(head, header.delimiter, header.at)
  const totalLines = totalLinesIn(order, tail, { ...header, sample, reading })
  return {
    sample,
    layout: {
      ...layout,
      ...(delimiter === undefined && isOther && { delimiter: header.delimiter }),
      ...(header.at !== reading.titleLines && { titleLines: header.at }),
      ...(totalLines !== reading.totalLines && { totalLines }),
    },
  }
}

interface Header {
  delimiter: string
  /** The number of lines above the header. */
  at: number
}

const DELIMITERS = [',', ';', '\t', '|']
const MOST_TITLES = 20

/** Finds the line that names the most fields. */
function headerIn(
  { list }: ImportOrder,
  text: string,
  { delimiter, titleLines, columns }: ImportReading,
): Header {
  const candidates = [...new Set([delimiter, ...DELIMITERS])].flatMap((one) =>
    rowsIn(text, one, MOST_TITLES + 1).map((row, at) => ({
      ...{ delimiter: one, at },
      known: likelyColumns(
        list,
        row.map((name) => name.trim()),
        columns,
      ).size,
    })),
  )
  const confirmed = candidates.find((one) => one.delimiter === delimiter && one.at === titleLines)
  const best = candidates.reduce(
    (one, other) => (other.known > one.known ? other : one),
    confirmed ?? {
      ...{ delimiter, at: titleLines, known: 0 },
    },
  )
  return best.known >= 2 ? best : { delimiter, at: titleLines }
}

const MOST_TOTALS = 5

/** Counts the lines at the end that are not empty and have no id. */
function totalLinesIn(
  order: ImportOrder,
  tail: string,
  { delimiter, sample, reading }: Header & { sample: Sample; reading: ImportReading },
): number {
  const id = likelyColumns(order.list, sample.names, reading.columns).get(idOf(order))
  const at = id === undefined ? -1 : sample.names.indexOf(id)
  if (at < 0) return reading.totalLines
  const rows = rowsIn(tail, delimiter, Infinity).filter((row) => row.join('').trim() !== '')
  const last = rows.slice(1).slice(-MOST_TOTALS).toReversed()
  const isRecord = (row: readonly string[]) => /^\s*[0-9]+(?:\.0+)?\s*$/.test(row[at] ?? '')
  const below = last.findIndex(isRecord)
  const looksSo = (row: readonly string[]) =>
    row.length !== sample.names.length || (row[at] ?? '').trim() === '' || TOTAL.test(row.join(' '))
  return below > 0 && last.slice(0, below).every(looksSo)
    ? below
    : below === 0
      ? 0
      : reading.totalLines
}

const TOTAL = /total|sum|summe|count|records|rows|end of|gesamt/i

interface Sampled extends ProposalTools {
  sample: Sample
  layout: Layout
}

function ofSample(
  { list }: ImportOrder,
  reading: ImportReading,
  { sample, layout, judging }: Sampled,
): Proposal {
  const found = likelyColumns(list, sample.names, reading.columns)
  const values = (field: string) =>
    sample.rows.map((row) => cellOf(row, found.get(field))).filter((value) => value !== '')
  const of = (...kinds: string[]) =>
    importFields(list).flatMap(([field, { kind }]) => (kinds.includes(kind) ? values(field) : []))
  const columns = columnsOf(list, reading, found)
  const texts = new Map([...found].map(([field, name]) => [field, { name, values: values(field) }]))
  const words = wordForm(list, texts, { reading, spellings: judging.spellings })
  const meant = { ...reading, words: { ...reading.words, ...words.words } }
  const money = moneyForm(of('amount', 'net'), reading, judging.currency)
  const dates = reading.dates === undefined ? dateForm(of('instant'), judging.timezone) : {}
  const change: Layout = {
    ...{ ...layout, ...money.change },
    ...(dates.dates && { dates: dates.dates }),
    ...(hasNegativeRefunds(list, { sample, found, reading: meant }) && { negativeRefunds: true }),
    ...(Object.keys(words.words).length > 0 && { words: meant.words }),
  }
  const named = { ...columns, ...words.columns }
  const changed = {
    ...change,
    ...(Object.keys(named).length > 0 && { columns: { ...reading.columns, ...named } }),
  }
  return {
    reading: { ...reading, ...changed },
    said: saidOf(changed, { columns, words: words.words }),
    questions: [money.question, dates.question].filter((one) => one !== undefined),
  }
}

/** The text of a field; a column without a name is none of a field. */
const cellOf = (row: Sample['rows'][number], name: string | undefined): string =>
  name === undefined ? '' : (row[name] ?? '')

/** Proposes column names only if a required field has another name than configured. */
function columnsOf(
  list: ImportOrder['list'],
  { columns }: ImportReading,
  found: ReadonlyMap<string, string>,
): Record<string, string> {
  const others = [...found].filter(
    ([field, name]) => name.toLowerCase() !== (columns[field] ?? field).trim().toLowerCase(),
  )
  const isForeign = others.some(([field]) =>
    importFields(list).some(([one, { required }]) => one === field && required),
  )
  return isForeign ? Object.fromEntries(others) : {}
}

/** True if some amounts are negative, and all of these belong to refunds. */
function hasNegativeRefunds(
  list: ImportOrder['list'],
  {
    sample,
    found,
    reading,
  }: { sample: Sample; found: ReadonlyMap<string, string>; reading: ImportReading },
): boolean {
  const at = found.get('action')
  const words = Object.entries(reading.words['action'] ?? {}).map(
    ([word, meant]) => [word.toLowerCase(), meant] as const,
  )
  const actionOf = (said: string) => new Map(words).get(said.toLowerCase()) ?? said.toUpperCase()
  const amounts = importFields(list).flatMap(([field, { kind }]) =>
    kind === 'amount' ? [found.get(field)] : [],
  )
  const below = sample.rows.filter((row) =>
    amounts.some((name) => /[-\u2212(]/.test(cellOf(row, name))),
  )
  return (
    !reading.negativeRefunds &&
    below.length > 0 &&
    below.every((row) => actionOf(cellOf(row, at)) === 'REFUND')
  )
}
