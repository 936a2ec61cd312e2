/**
 * The reader of journal.csv by entry: the formats are made from the very bytes that are published.
 */
import { createReadStream } from 'node:fs'
import { parseCents } from '../../domain/cents.ts'
import { Failure } from '../../domain/failure.ts'
import type { Entry, EntryLine } from './entry.ts'

/** A cell with its end; a cell cut off by the chunk does not match. */
const CELL = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y

const COLUMNS = [
  'entryId',
  'date',
  'period',
  'account',
  'accountName',
  'debit',
  'credit',
  'currency',
  'memo',
  'settlementId',
  'terminalId',
  'source',
] as const

type Column = (typeof COLUMNS)[number]

const INDEXES: ReadonlyMap<Column, number> = new Map(
  COLUMNS.map((column, index) => [column, index]),
)

type Line = Omit<Entry, 'lines'> & EntryLine

/**
 * The entries of a journal in batches, in the file's order. Lines of one entry stand together there.
 * Throws invariant_broken if a line has no single side or an entry does not sum to zero.
 */
export async function* readEntries(path: string): AsyncGenerator<Entry[]> {
  let open: Line[] = []
  for await (const lines of readLines(path)) {
    const entries: Entry[] = []
    for (const line of lines) {
      if (open[0] !== undefined && open[0].id !== line.id) {
        entries.push(entryOf(open))
        open = []
      }
      open.push(line)
    }
    if (entries.length > 0) yield entries
  }
  if (open.length > 0) yield [entryOf(open)]
}

async function* readLines(path: string): AsyncGenerator<Line[]> {
  let isHeader = true
  for await (const records of readRecords(path)) {
    if (isHeader && records.length > 0) {
      isHeader = false
      if (records.shift()?.join(',').replace('\uFEFF', '') !== COLUMNS.join(','))
        throw new Failure('invariant_broken', 'journal.csv has a wrong header')
    }
    yield records.map(lineOf)
  }
}

async function* readRecords(path: string): AsyncGenerator<string[][]> {
  const stream = createReadStream(path, { encoding: 'utf8', highWaterMark: 1 << 18 })
  let rest = ''
  for await (const chunk of stream) {
    const cut = cutRecords(rest + String(chunk))
    rest = cut.rest
    yield cut.records
  }
  if (rest !== '') throw new Failure('invariant_broken', 'journal.csv does not end with a line end')
}

function cutRecords(text: string): { records: string[][]; rest: string } {
  const records: string[][] = []
  let cells: string[] = []
  let start = 0
  CELL.lastIndex = 0
  for (let found = CELL.exec(text); found !== null; found = CELL.exec(text)) {
    cells.push(found[1]?.replaceAll('""', '"') ?? found[2] ?? '')
    if (found[3] === ',') continue
    records.push(cells)
    cells = []
    start = CELL.lastIndex
  }
  return { records, rest: text.slice(start) }
}

function lineOf(cells: readonly string[]): Line {
  const cell = (column: Column) => cells[INDEXES.get(column) ?? -1] ?? ''
  return {
    id: cell('entryId'),
    date: cell('date'),
    account: cell('account'),
    accountName: cell('accountName'),
    amount_cents: amountOf(cell('debit'), cell('credit')),
    currency: cell('currency'),
    memo: cell('memo'),
    settlementId: cell('settlementId'),
    terminalId: cell('terminalId'),
    source: cell('source'),
  }
}

function amountOf(debit: string, credit: string): bigint {
  const cents: bigint = parseCents(debit === '' ? credit : debit) ?? 0n
  if (cents === 0n || (debit !== '' && credit !== ''))
    throw new Failure('invariant_broken', 'a journal line is not one debit or one credit')
  return debit === '' ? -cents : cents
}

function entryOf(lines: readonly Line[]): Entry {
  const [first] = lines
  const sum = lines.reduce((total, { amount_cents }) => total + amount_cents, 0n)
  if (first === undefined || sum !== 0n)
    throw new Failure('invariant_broken', `the entry ${first?.id ?? ''} does not sum to zero`)
  const { id, date, currency, memo, settlementId, terminalId, source } = first
  return { id, date, currency, memo, settlementId, terminalId, source, lines }
}
