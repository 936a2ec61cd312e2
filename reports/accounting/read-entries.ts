/**
 * Reads the lines of a journal as entries. The plain-text books are made from the very bytes of journal.csv that are
 * published.
 */
import { createReadStream } from 'node:fs'
import { printedCents } from '../../domain/cents.ts'
import { assert, Failure } from '../../domain/failure.ts'
import { cellsOf, RecordReader } from '../pack/csv-records.ts'
import { balanced, type Entry, type EntryLine } from './entry.ts'

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

/** A row by column, as the lake or a file has it. An empty cell may be null. */
export type JournalRow = Readonly<Record<string, string | null>>

type Line = Omit<Entry, 'lines'> & EntryLine

/** The entries of journal.csv in batches, in the file's order. Throws like `entriesFrom`. */
export const readEntries = (path: string): AsyncGenerator<Entry[]> => entriesFrom(readRows(path))

/**
 * The entries of rows with the columns of journal.csv, in batches. Lines of one entry stand together. Throws
 * invariant_broken if a line has no single side or an entry does not sum to zero.
 */
export async function* entriesFrom(
  batches: AsyncIterable<readonly JournalRow[]>,
): AsyncGenerator<Entry[]> {
  let open: Line[] = []
  for await (const rows of batches) {
    const entries: Entry[] = []
    for (const line of rows.map(lineOf)) {
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

async function* readRows(path: string): AsyncGenerator<JournalRow[]> {
  let isHeader = true
  for await (const records of readRecords(path)) {
    if (isHeader && records.length > 0) {
      isHeader = false
      if (records.shift()?.join(',').replace('\uFEFF', '') !== COLUMNS.join(','))
        throw new Failure('invariant_broken', 'journal.csv has a wrong header')
    }
    yield records.map(rowOf)
  }
}

const rowOf = (cells: readonly string[]): JournalRow =>
  Object.fromEntries(COLUMNS.map((column, at) => [column, cells[at] ?? '']))

async function* readRecords(path: string): AsyncGenerator<string[][]> {
  const stream = createReadStream(path, { encoding: 'utf8', highWaterMark: 1 << 18 })
  const reader = new RecordReader()
  for await (const chunk of stream) yield [...reader.feed(String(chunk))].map(cellsOf)
  if (reader.rest() !== '')
    throw new Failure('invariant_broken', 'journal.csv does not end with a line end')
}

function lineOf(row: JournalRow): Line {
  const cell = (column: Column) => row[column] ?? ''
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
  const cents: bigint = printedCents(debit === '' ? credit : debit) ?? 0n
  if (cents === 0n || (debit !== '' && credit !== ''))
    throw new Failure('invariant_broken', 'a journal line is not one debit or one credit')
  return debit === '' ? -cents : cents
}

function entryOf(lines: readonly Line[]): Entry {
  const [first] = lines
  assert(first !== undefined, 'an entry has a line')
  const { id, date, currency, memo, settlementId, terminalId, source } = first
  return balanced({ id, date, currency, memo, settlementId, terminalId, source, lines })
}
