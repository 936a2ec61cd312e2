/** A journal.csv written from a short text, and the entries that a reader finds in it. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ACCOUNTING_PROGRAMS } from '../../../../domain/accounting.ts'
import {
  type AccountingOptions,
  accountingOptions,
} from '../../../../reports/accounting/options.ts'
import type { JournalRow } from '../../../../reports/accounting/read-entries.ts'
import { writeAccounting } from '../../../../reports/accounting/write-accounting.ts'
import { tempFolder } from '../../../support/temp-lake.ts'
import { readCsv } from './strict-readers.ts'

/** An entry: lines of `account` and cents, debits plus. */
export interface Posted {
  id: string
  date?: string
  memo?: string
  settlement?: string
  terminal?: string
  lines: readonly (readonly [
    account: string,
    cents: number | bigint,
    name?: string,
    terminal?: string,
  ])[]
}

const NAMES: Record<string, string> = { '1100': 'Processor clearing', '1110': 'Cash in transit' }
const HEADER =
  'entryId,date,period,account,accountName,debit,credit,currency,memo,settlementId,terminalId,source'

const cell = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

const money = (cents: bigint) => {
  const digits = String(cents).padStart(3, '0')
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** Writes the journal into a new folder, and answers with the folder. */
export function journalIn(entries: Iterable<Posted>): string {
  const folder = join(tempFolder(), 'accounting')
  mkdirSync(folder)
  const lines = [HEADER]
  for (const { id, date = '2026-11-18', memo = `Entry ${id}`, ...entry } of entries) {
    for (const [
      account,
      amount,
      name = NAMES[account] ?? `Account ${account}`,
      at,
    ] of entry.lines) {
      const cents = BigInt(amount)
      const sides = cents > 0n ? [money(cents), ''] : ['', money(-cents)]
      const about = [cell(memo), entry.settlement ?? '', at ?? entry.terminal ?? '7', 'charges']
      lines.push(
        [id, date, date.slice(0, 7), account, cell(name), ...sides, 'USD', ...about].join(','),
      )
    }
  }
  writeFileSync(join(folder, 'journal.csv'), `${lines.join('\r\n')}\r\n`)
  return folder
}

const ABOUT = {
  account: 'acme',
  window: { from: '2026-11-01', to: '2026-12-01' },
  asOf: '2026-11-30T12:00:00Z',
  parameters: { currency: 'USD', timezone: 'UTC' },
}

/** Renders the journal of a folder for every program, entry by entry; `more` replaces options. */
export async function render(folder: string, more: Partial<AccountingOptions> = {}) {
  const accounting = { group: 'entry', programs: ACCOUNTING_PROGRAMS, ...more.accounting } as const
  const options = { ...accountingOptions(ABOUT), ...more, accounting }
  const written = await writeAccounting(join(folder, '..'), options, () => rowsIn(folder))
  return { folder, written, text: (name: string) => readFileSync(join(folder, name), 'utf8') }
}

async function* rowsIn(folder: string): AsyncGenerator<JournalRow[]> {
  const text = readFileSync(join(folder, 'journal.csv'), 'utf8')
  const [head = [], ...rows] = readCsv(text)
  yield rows.map((cells) => Object.fromEntries(head.map((name, at) => [name, cells[at] ?? ''])))
}

/** The parts of a file in their order, such as `xero.csv`, `xero-2.csv`. */
export function partsOf(folder: string, name: string): string[] {
  const [stem = '', ending = ''] = name.split('.')
  const number = (file: string) => Number(/-(\d+)\./.exec(file.slice(stem.length))?.[1] ?? 1)
  return readdirSync(folder)
    .filter((file) => file.startsWith(stem) && file.endsWith(`.${ending}`))
    .sort((a, b) => number(a) - number(b))
    .map((file) => readFileSync(join(folder, file), 'utf8'))
}
