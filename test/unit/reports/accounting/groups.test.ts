/**
 * Goal: whatever the group, the files for programs book the same as the journal. Method: one simulated world, reconciled
 * once for each group, and read back with strict readers that share no code with the writers.
 */
import type { DuckDBConnection } from '@duckdb/node-api'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { ACCOUNTING_PROGRAMS, type AccountingSettings } from '../../../../domain/accounting.ts'
import { knowledgeFor } from '../../../../lake/results/knowledge.ts'
import { PackRows } from '../../../../lake/results/pack-rows.ts'
import { readModels, runModels, setVariables } from '../../../../lake/run/models.ts'
import { runAllModels } from '../../../../lake/run/run-all.ts'
import { variablesFor } from '../../../../lake/run/run-variables.ts'
import { accountingOptions } from '../../../../reports/accounting/options.ts'
import { writeAccounting } from '../../../../reports/accounting/write-accounting.ts'
import { requireProgram } from '../../../support/outside-program.ts'
import { startPipeline } from '../../../support/pipeline.ts'
import { partsOf } from './journal-file.ts'
import { readWorkbook } from './program-workbook-reader.ts'
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

const GROUPS: Readonly<Record<string, AccountingSettings>> = {
  entry: { group: 'entry' },
  day: { group: 'day' },
  settlement: { group: 'settlement' },
  month: { group: 'month' },
  'day, by terminal': { group: 'day', by_terminal: true },
  'month, by terminal': { group: 'month', by_terminal: true },
}
const NAMES = Object.keys(GROUPS)

const temporary: string[] = []
let packs: Promise<ReadonlyMap<string, string>> | undefined
const folderOf = async (group: string) => (await (packs ??= generate())).get(group) ?? ''
afterAll(() => temporary.forEach((folder) => rmSync(folder, { recursive: true })))

/** Five weeks of four terminals with planted errors. Answers with the accounting folder of each group. */
async function generate(): Promise<ReadonlyMap<string, string>> {
  const size = { seed: 9, terminals: 4, transactions: 1000, days: 40 }
  const pipeline = await startPipeline(size, '2025-10-30T04:15:00Z')
  await pipeline.sweep('n1')
  const window = { from: '2025-09-25', to: '2025-10-30' }
  const run = { runId: 'n1', account: 'acme', window, asOf: '2025-10-30T04:15:00Z' }
  return pipeline.shared.connected(async (_lake, connection) => {
    const knowledge = await knowledgeFor(connection, 'acme', undefined)
    await runAllModels(connection, { settings: pipeline.settings, run, knowledge })
    const made = new Map<string, string>()
    for (const name of NAMES) {
      const accounting = { ...GROUPS[name], programs: ACCOUNTING_PROGRAMS }
      const settings = { ...pipeline.settings, accounting }
      await setVariables(connection, variablesFor(settings, run, knowledge))
      await runModels(connection, GATHERING)
      made.set(name, await filesFor(connection, { ...run, parameters: settings }))
    }
    return made
  })
}

/** The models that a group changes; what they read stays on the connection. */
const GATHERING = readModels().filter(({ name }) => /^(gathered_line|pack_gathered)$/.test(name))

async function filesFor(
  connection: DuckDBConnection,
  about: Parameters<typeof accountingOptions>[0],
): Promise<string> {
  const pack = mkdtempSync(join(tmpdir(), 'tieout-groups-'))
  temporary.push(pack)
  const folder = join(pack, 'accounting')
  mkdirSync(folder)
  const source = new PackRows(connection)
  await source.writeCsv('journal', join(folder, 'journal.csv'))
  const rows = () => source.batches('gathered')
  await writeAccounting(pack, accountingOptions(about), rows)
  return folder
}

const READERS: readonly [string, (text: string) => ReadEntry[], 'number' | 'name'][] = [
  ['quickbooks-online.csv', readQuickBooksOnline, 'name'],
  ['quickbooks-desktop.iif', readIif, 'name'],
  ['xero.csv', readXero, 'number'],
  ['netsuite.csv', readNetSuite, 'number'],
  ['sage-intacct.csv', readSageIntacct, 'number'],
  ['business-central.csv', readBusinessCentral, 'number'],
]

/** Cents by period and account, without those of zero. */
function balancesOf(lines: Iterable<{ period: string; account: string; cents: bigint }>) {
  const sums = new Map<string, bigint>()
  for (const { period, account, cents } of lines) {
    const key = `${period} ${account}`
    sums.set(key, (sums.get(key) ?? 0n) + cents)
  }
  return Object.fromEntries([...sums].filter(([, cents]) => cents !== 0n).sort())
}

const asLines = (entries: readonly ReadEntry[]) =>
  entries.flatMap(({ date, lines }) => lines.map((line) => ({ ...line, period: date.slice(0, 7) })))

const cents = (text: string) => BigInt(text === '' ? '0' : text.replace('.', ''))

function journalLines(folder: string, form: 'number' | 'name') {
  const rows = readCsv(readFileSync(join(folder, 'journal.csv'), 'utf8')).slice(1)
  return rows.map(([, , period = '', account = '', name = '', debit = '', credit = '']) => ({
    period,
    account: form === 'name' ? name : account,
    cents: cents(debit) - cents(credit),
  }))
}

test.each(NAMES)('every program has the balance of the journal, gathered by %s', async (group) => {
  const folder = await folderOf(group)
  for (const [file, read, form] of READERS) {
    // A reader refuses a file beyond its program's limits, and an entry that does not balance.
    const entries = partsOf(folder, file).flatMap((part) => read(part))
    const keys = entries.map(({ key }) => key)
    expect([file, new Set(keys).size]).toEqual([file, keys.length])
    expect([file, balancesOf(asLines(entries))]).toEqual([
      file,
      balancesOf(journalLines(folder, form)),
    ])
  }
})

test.for(NAMES)(
  'the workbook has the rows of the text file, gathered by %s',
  async (group, context) => {
    requireProgram(context, 'openpyxl')
    const folder = await folderOf(group)
    const [text = ''] = partsOf(folder, 'business-central.csv')
    expect(readBusinessCentral(text).length).toBeGreaterThan(5)
    expect(readWorkbook(join(folder, 'business-central.xlsx'))).toEqual(readCsv(text))
  },
)

test('the journal and the plain-text books are those of the journal in every group', async () => {
  for (const name of ['journal.csv', 'tieout.hledger', 'tieout.ledger', 'tieout.beancount']) {
    const texts = await Promise.all(
      NAMES.map(async (group) => readFileSync(join(await folderOf(group), name), 'utf8')),
    )
    expect([name, new Set(texts).size]).toEqual([name, 1])
  }
})

test('hledger has the balance of every gathered account in every period', async (context) => {
  requireProgram(context, 'hledger')
  const folder = await folderOf('day')
  const file = join(folder, 'tieout.hledger')
  const args = ['-f', file, 'balance', '--monthly', '-N', '--flat', '-O', 'csv']
  const [head = [], ...rows] = readCsv(
    execFileSync('hledger', args, { encoding: 'utf8' }).replaceAll(/\r?\n/g, '\r\n'),
  )
  const said = rows.flatMap(([account = '', ...amounts]) =>
    amounts.map((amount, at) => ({
      period: head[at + 1] ?? '',
      account: /:(\d+)-/.exec(account)?.[1] ?? account,
      cents: cents(amount === '0' ? '0.00' : amount.replace('USD ', '')),
    })),
  )
  const [netsuite = ''] = partsOf(folder, 'netsuite.csv')
  expect(balancesOf(asLines(readNetSuite(netsuite)))).toEqual(balancesOf(said))
})

test('a day has one line for each ledger account, and five weeks of days make one file', async () => {
  const folder = await folderOf('day')
  const [only = '', ...others] = partsOf(folder, 'netsuite.csv')
  expect(others).toEqual([])
  const entries = readNetSuite(only)
  expect(entries.length).toBeLessThanOrEqual(36)
  for (const { key, date, lines } of entries) {
    expect(key).toBe(`D-${date.replaceAll('-', '')}`)
    const accounts = lines.map(({ account }) => account)
    expect(new Set(accounts).size).toBe(accounts.length)
  }
  for (const [file] of READERS) expect(partsOf(folder, file).length).toBeLessThanOrEqual(2)
})

test('the class, location or tracking category of each line is its terminal', async () => {
  const folder = await folderOf('day, by terminal')
  const columns: [string, string][] = [
    ['quickbooks-online.csv', 'Class'],
    ['xero.csv', 'TrackingOption1'],
    ['netsuite.csv', 'Location'],
    ['sage-intacct.csv', 'LOCATION_ID'],
    ['business-central.csv', 'Shortcut Dimension 1 Code'],
  ]
  for (const [file, column] of columns) {
    const parts = partsOf(folder, file).map((part) => readCsv(part))
    const cells = parts.flatMap(([head = [], ...rows]) =>
      rows.map((row) => row[head.indexOf(column)] ?? ''),
    )
    expect([file, new Set(cells).size]).toEqual([file, 4])
    expect(cells.every((cell) => /^\d+$/.test(cell))).toBe(true)
  }
})

test.each(NAMES)('README.txt has the totals of each file, gathered by %s', async (group) => {
  const folder = await folderOf(group)
  const readme = readFileSync(join(folder, 'README.txt'), 'utf8')
  expect(readme).toContain(`accounting.group is ${group.split(',')[0]}.`)
  const listed = new Map(
    [...readme.matchAll(/^([a-z-]+[\d]*\.\w+) +(\d+) +(\d+) +([\d.]+) +([\d.]+)\r$/gm)].map(
      ([, name = '', ...totals]): [string, string[]] => [name, totals],
    ),
  )
  for (const [file, read] of READERS) {
    for (const [at, part] of partsOf(folder, file).entries()) {
      const name = at === 0 ? file : file.replace('.', `-${at + 1}.`)
      expect([name, listed.get(name)]).toEqual([name, totalsOf(read(part))])
    }
  }
  expect(listed.get('business-central.xlsx')).toEqual(listed.get('business-central.csv'))
  for (const name of ['tieout.hledger', 'tieout.ledger', 'tieout.beancount'])
    expect(listed.get(name)).toEqual(listed.get('journal.csv'))
})

function totalsOf(entries: readonly ReadEntry[]): string[] {
  const lines = entries.flatMap((entry) => entry.lines.map((line) => line.cents))
  const sum = (side: bigint) =>
    lines.filter((one) => one * side > 0n).reduce((total, one) => total + one * side, 0n)
  const money = (total: bigint) => String(total).replace(/(..)$/, '.$1')
  return [String(entries.length), String(lines.length), money(sum(1n)), money(sum(-1n))]
}
