import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { ACCOUNTING_PROGRAMS } from '../../../../domain/accounting.ts'
import { DEFAULT_CHART } from '../../../../domain/chart.ts'
import { requireProgram } from '../../../support/outside-program.ts'
import { startPipeline } from '../../../support/pipeline.ts'
import { rowsOf } from '../../../support/temp-lake.ts'
import { partsOf } from './journal-file.ts'
import { ask, type Program } from './plain-text-programs.ts'
import {
  type ReadEntry,
  readBusinessCentral,
  readCsv,
  readIif,
  readNetSuite,
  readQuickBooksOnline,
  readSageIntacct,
  readXero,
} from './strict-readers.ts'

const PROGRAMS: readonly Program[] = ['hledger', 'ledger', 'beancount']

interface World {
  /** A copy of the pack's accounting folder. */
  folder: string
  /** Balance by ledger account, as the lake sums it. */
  balances: Record<string, string>
  /** Entry ids in the order of the journal. */
  entries: string[]
}

const temporary: string[] = []
let world: Promise<World> | undefined
const theWorld = () => (world ??= generate())
afterAll(() => temporary.forEach((folder) => rmSync(folder, { recursive: true })))

/** Five weeks of six terminals with planted errors, swept over HTTP, reconciled and published. */
async function generate(): Promise<World> {
  const size = { seed: 5, terminals: 6, transactions: 2000, days: 40 }
  const accounting = { group: 'entry', programs: ACCOUNTING_PROGRAMS } as const
  const pipeline = await startPipeline(size, '2025-10-30T04:15:00Z', { accounting })
  const { pack } = await pipeline.night('n1')
  const folder = mkdtempSync(join(tmpdir(), 'tieout-accounting-'))
  temporary.push(folder)
  cpSync(join(pack, 'accounting'), folder, { recursive: true })
  const rows = await pipeline.shared.connected((_lake, connection) =>
    rowsOf(
      connection,
      `select account, sum(coalesce(debit, '0')::decimal(18, 2) - coalesce(credit, '0')::decimal(18, 2))::varchar as balance
       from lake.result.journal where run_id = 'n1' group by account`,
    ),
  )
  const journal = readCsv(readFileSync(join(folder, 'journal.csv'), 'utf8')).slice(1)
  return {
    folder,
    balances: Object.fromEntries(rows.map((row) => [row['account'], String(row['balance'])])),
    entries: [...new Set(journal.map(([id = '']) => id))],
  }
}

/** `Assets:1100-Processor-clearing` is the account 1100. */
const byNumber = (balances: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(balances).map(([name, balance]) => [/:(\d+)-/.exec(name)?.[1], balance]),
  )

test.for(PROGRAMS)(
  '%s accepts the journal of a generated world and has the balance of the lake in every account',
  async (program, context) => {
    requireProgram(context, program)
    const { folder, balances, entries } = await theWorld()
    const said = ask[program](join(folder, `tieout.${program}`))
    expect(said.complaint).toBe('')
    expect(said.isAccepted).toBe(true)
    expect(Object.keys(balances).length).toBeGreaterThan(8)
    expect(entries.length).toBeGreaterThan(300)
    expect(byNumber(said.balances)).toEqual(balances)
    expect(said.entries).toEqual(entries)
  },
)

test.for(PROGRAMS)(
  '%s refuses the journal once a posting or an asserted balance is off by one cent',
  async (program, context) => {
    requireProgram(context, program)
    const { folder } = await theWorld()
    const text = readFileSync(join(folder, `tieout.${program}`), 'utf8')
    const isOff = (pattern: RegExp) => {
      const changed = text.replace(pattern, (amount) =>
        amount.replace(/\d$/, (n) => (n === '0' ? '1' : '0')),
      )
      expect(changed).not.toBe(text)
      const file = join(folder, `off.${program}`)
      writeFileSync(file, changed)
      return !ask[program](file).isAccepted
    }
    expect(isOff(/(?<=Assets:1100\S+  )(USD )?-?\d+\.\d\d/)).toBe(true)
    expect(
      isOff(program === 'beancount' ? /(?<=balance \S+ )-?\d+\.\d\d/ : /= USD -?\d+\.\d\d/),
    ).toBe(true)
  },
)

/** Each program's file with its reader, the words that stand for accounts, and the longest entry number. */
const READERS: readonly [string, (text: string) => ReadEntry[], 'number' | 'name', number][] = [
  ['quickbooks-online.csv', readQuickBooksOnline, 'name', 21],
  ['quickbooks-desktop.iif', readIif, 'name', 30],
  ['xero.csv', readXero, 'number', 30],
  ['netsuite.csv', readNetSuite, 'number', 30],
  ['sage-intacct.csv', readSageIntacct, 'number', 30],
  ['business-central.csv', readBusinessCentral, 'number', 20],
]

/** The journal's entries, as an accountant would state them. */
function stated(folder: string, form: 'number' | 'name') {
  const entries = new Map<string, { date: string; memo: string; lines: string[] }>()
  for (const cells of readCsv(readFileSync(join(folder, 'journal.csv'), 'utf8')).slice(1)) {
    const [id = '', date = '', , account = '', name = '', debit = '', credit = '', , memo = ''] =
      cells
    const entry = entries.get(id) ?? { date, memo, lines: [] }
    entry.lines.push(`${form === 'name' ? name : account} ${debit === '' ? `-${credit}` : debit}`)
    entries.set(id, entry)
  }
  return [...entries.values()]
}

const amount = (cents: bigint) =>
  `${cents < 0n ? '-' : ''}${String(cents < 0n ? -cents : cents)
    .padStart(3, '0')
    .replace(/(..)$/, '.$1')}`

test.for(READERS)(
  '%s has every entry of the journal once and whole, with its date, memo, accounts and sides',
  async ([name, read, form, longest]) => {
    const { folder, entries } = await theWorld()
    const parts = partsOf(folder, name)
    const found = parts.flatMap((part) => read(part))
    expect(
      found.map(({ date, memo, lines }) => ({
        date,
        memo,
        lines: lines.map(({ account, cents }) => `${account} ${amount(cents)}`),
      })),
    ).toEqual(stated(folder, form))
    const keys = found.map(({ key }) => key)
    expect(keys.map((key, at) => (entries[at] ?? '').length > longest || key)).toEqual(
      entries.map((id) => id.length > longest || id),
    )
    // A longer number is hashed, and stays unlike every other.
    expect(new Set(keys).size).toBe(entries.length)
  },
)

test('a journal of five weeks needs five files for Xero and two for QuickBooks Online', async () => {
  const { folder } = await theWorld()
  expect(partsOf(folder, 'xero.csv')).toHaveLength(5)
  expect(partsOf(folder, 'quickbooks-online.csv')).toHaveLength(2)
  expect(partsOf(folder, 'netsuite.csv')).toHaveLength(1)
})

test('every account of the default chart has the root of its kind in the plain-text files', async () => {
  const { folder } = await theWorld()
  const roots = readFileSync(join(folder, 'tieout.beancount'), 'utf8').matchAll(/open (\w+):(\d+)/g)
  const kinds = Object.fromEntries([...roots].map(([, root, account]) => [account, root]))
  const { clearing, cash_in_transit, suspense, tax, tips, sales, refunds } = DEFAULT_CHART
  expect([clearing, cash_in_transit, suspense].map(({ account }) => kinds[account])).toEqual([
    'Assets',
    'Assets',
    'Assets',
  ])
  expect([tax, tips].map(({ account }) => kinds[account])).toEqual(['Liabilities', 'Liabilities'])
  expect([sales, refunds].map(({ account }) => kinds[account])).toEqual(['Income', 'Income'])
})
