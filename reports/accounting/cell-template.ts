/** The cell templates of a configuration: text with fields such as `{entryId:21}` or `{memo}`. */
import { formatCents } from '../../domain/cents.ts'
import { Failure } from '../../domain/failure.ts'
import type { Entry, EntryLine } from './entry.ts'
import { cutText, shortId } from './harmless-text.ts'

/** A journal line with the values of its format. */
export interface CellSource {
  entry: Entry
  line: EntryLine
  /** Date and account in the form of the program. */
  date: string
  account: string
  name: string
  /** Number of the line within its entry and within the export, from 1. */
  lineNo: number
  row: number
}

const isDebit = ({ line }: CellSource): boolean => line.amount_cents > 0n

/** The fields that a cell can hold. */
const FIELDS = {
  entryId: ({ entry }: CellSource) => entry.id,
  date: ({ date }: CellSource) => date,
  account: ({ account }: CellSource) => account,
  accountName: ({ line }: CellSource) => line.accountName,
  name: ({ name }: CellSource) => name,
  debit: (cell: CellSource) => (isDebit(cell) ? formatCents(cell.line.amount_cents) : ''),
  credit: (cell: CellSource) => (isDebit(cell) ? '' : formatCents(-cell.line.amount_cents)),
  amount: ({ line }: CellSource) => formatCents(line.amount_cents),
  currency: ({ entry }: CellSource) => entry.currency,
  memo: ({ entry }: CellSource) => entry.memo,
  settlementId: ({ entry }: CellSource) => entry.settlementId,
  terminalId: ({ line }: CellSource) => line.terminalId,
  source: ({ entry }: CellSource) => entry.source,
  line: ({ lineNo }: CellSource) => String(lineNo),
  row: ({ row }: CellSource) => String(row),
} as const

type Field = keyof typeof FIELDS

const isField = (text: string): text is Field => Object.hasOwn(FIELDS, text)

/** A cell with only one of these is a figure, and is never guarded. */
const FIGURES: ReadonlySet<string> = new Set(['{debit}', '{credit}', '{amount}', '{line}', '{row}'])

export const isFigure = (template: string): boolean => FIGURES.has(template)

/** True if the cell is the same in every line of an entry. */
export const isOfEntry = (template: string): boolean =>
  !/\{(account|accountName|name|debit|credit|amount|line|row|terminalId)[:}]/.test(template)

/** Compiles a template. Throws config_invalid with the key for an unknown field. */
export function compileCell(template: string, key: string): (source: CellSource) => string {
  const parts = template.split(/(\{[^{}]*\})/).filter((part) => part !== '')
  const written = parts.map((part) => compilePart(part, key))
  const [only] = written
  if (written.length === 1 && only !== undefined) return only
  return (source) => written.map((write) => write(source)).join('')
}

function compilePart(part: string, key: string): (source: CellSource) => string {
  const found = /^\{([a-zA-Z]+)(?::([1-9]\d{0,3}))?\}$/.exec(part)
  if (found === null && !/[{}]/.test(part)) return () => part
  const field = found?.[1] ?? ''
  if (!isField(field)) {
    const known = Object.keys(FIELDS).join(', ')
    throw new Failure('config_invalid', `${key}: ${part} is not a field; known are ${known}`)
  }
  const read = FIELDS[field]
  const max = Number(found?.[2] ?? 0)
  if (max === 0) return read
  return field === 'entryId'
    ? (source) => shortId(read(source), max)
    : (source) => cutText(read(source), max)
}

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')

/** Compiles a date pattern such as `MM/DD/YYYY` or `D MMM YYYY`. Throws config_invalid. */
export function compileDate(pattern: string, key: string): (date: string) => string {
  const isWhole = [/YY/, /M/, /D/].every((token) => token.test(pattern))
  if (!isWhole || /[A-CE-LN-XZa-z]/.test(pattern))
    throw new Failure('config_invalid', `${key}: ${pattern} is not a pattern such as MM/DD/YYYY`)
  return (date) => {
    const [year = '', month = '', day = ''] = date.split('-')
    const tokens: Record<string, string> = {
      ...{ YYYY: year, YY: year.slice(2), MM: month, DD: day },
      ...{ M: String(Number(month)), D: String(Number(day)) },
      MMM: MONTHS[Number(month) - 1] ?? '',
    }
    return pattern.replaceAll(/YYYY|YY|MMM|MM|M|DD|D/g, (token) => tokens[token] ?? token)
  }
}
