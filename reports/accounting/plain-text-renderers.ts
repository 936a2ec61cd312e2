/** The journal for hledger, ledger and beancount: declared accounts, exact sums, each balance asserted at its end. */
import { addDays } from '../../domain/business-day.ts'
import { formatCents } from '../../domain/cents.ts'
import { Failure } from '../../domain/failure.ts'
import type { Entry, Renderer } from './entry.ts'
import { oneLine } from './harmless-text.ts'
import type { JournalFacts } from './journal-facts.ts'

export interface PlainTextBook {
  facts: JournalFacts
  /** Plain-text account by ledger account. */
  accounts: ReadonlyMap<string, string>
  /** ISO 4217. */
  currency: string
}

const NOTE =
  '; The journal of one report pack. It begins at zero: the balances asserted are those of this file alone.\n'
const TAGS = ['terminal', 'settlement', 'source'] as const

/** For `hledger check --strict`. */
export function hledgerRenderer(book: PlainTextBook): Renderer {
  const declared = names(book).map((name) => `account ${name}\n`)
  const head = `${NOTE}decimal-mark .\ncommodity ${code(book)} 1000.00\n${declared.join('')}`
  return { head, entry: ledgerEntry(book), tail: '' }
}

/** For `ledger --pedantic --explicit`. */
export function ledgerRenderer(book: PlainTextBook): Renderer {
  const declared = names(book).map((name) => `account ${name}\n`)
  const tags = TAGS.map((tag) => `tag ${tag}\n`).join('')
  const commodity = `commodity ${code(book)}\n    format ${code(book)} 1000.00\n`
  return {
    head: `${NOTE}${commodity}${tags}${declared.join('')}`,
    entry: ledgerEntry(book),
    tail: '',
  }
}

/** For `bean-check`, whose tolerance is half a cent by default. */
export function beancountRenderer(book: PlainTextBook): Renderer {
  const { firstDate, lastDate, accounts } = book.facts
  const currency = code(book)
  const opened = names(book).map((name) => `${firstDate} open ${name} ${currency}\n`)
  // A balance applies to the start of its day, so it stands on the day after the last entry.
  const after = lastDate === '' ? '' : addDays(lastDate, 1)
  const balances = [...accounts.values()].map(
    ({ account, balance_cents }) =>
      `${after} balance ${nameOf(book, account)} ${formatCents(balance_cents)} ~ 0 ${currency}\n`,
  )
  return {
    head: `${NOTE}option "operating_currency" "${currency}"\noption "tolerance_multiplier" "0"\n${opened.join('')}`,
    entry: (entry) => ({ text: beancountEntry(book, entry), rows: entry.lines.length }),
    tail: balances.length > 0 ? `\n${balances.join('')}` : '',
  }
}

const names = ({ accounts }: PlainTextBook): string[] => [...accounts.values()]

function nameOf({ accounts }: PlainTextBook, account: string): string {
  const name = accounts.get(account)
  if (name === undefined)
    throw new Failure('invariant_broken', 'the journal changed while it was rendered')
  return name
}

function code({ currency }: PlainTextBook): string {
  const upper = currency.toUpperCase()
  if (/^[A-Z]{3}$/.test(upper)) return upper
  throw new Failure('config_invalid', 'currency is not a code of three letters')
}

/** hledger and ledger read the same entries; the last line of each account carries its balance. */
function ledgerEntry(book: PlainTextBook): Renderer['entry'] {
  const currency = code(book)
  return (entry, rowsBefore) => {
    const lines = entry.lines.map(({ account, amount_cents }, at) => {
      const facts = book.facts.accounts.get(account)
      const assertion =
        facts?.lastRow === rowsBefore + at
          ? ` = ${currency} ${formatCents(facts.balance_cents)}`
          : ''
      return `    ${nameOf(book, account)}  ${currency} ${formatCents(amount_cents)}${assertion}\n`
    })
    const tags = tagsOf(entry).map(([tag, value]) => `    ; ${tag}: ${value}\n`)
    const head = `${entry.date} * (${plainId(entry.id)}) ${description(entry.memo)}`
    return { text: `\n${head}\n${tags.join('')}${lines.join('')}`, rows: lines.length }
  }
}

function beancountEntry(book: PlainTextBook, entry: Entry): string {
  const currency = code(book)
  const lines = entry.lines.map(
    ({ account, amount_cents }) =>
      `  ${nameOf(book, account)}  ${formatCents(amount_cents)} ${currency}\n`,
  )
  const tags = tagsOf(entry).map(([tag, value]) => `  ${tag}: "${value}"\n`)
  const narration = oneLine(entry.memo).replaceAll(/["\\]/g, String.raw`\$&`)
  const head = `${entry.date} * "${narration}" ^${plainId(entry.id)}`
  return `\n${head}\n${tags.join('')}${lines.join('')}`
}

function tagsOf(entry: Entry): [string, string][] {
  const values = {
    terminal: entry.terminalId,
    settlement: entry.settlementId,
    source: entry.source,
  }
  return TAGS.map((tag): [string, string] => [tag, plainId(values[tag])]).filter(
    ([, value]) => value !== '',
  )
}

/** A semicolon begins a comment, and a bar divides payee and note. */
const description = (memo: string): string =>
  oneLine(memo.replaceAll(';', ',').replaceAll('|', '/'))

const plainId = (id: string): string => id.replaceAll(/[^A-Za-z0-9._-]/g, '-')
