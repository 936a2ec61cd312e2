import { existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { askChart } from '../../../cli/setup/ask-chart.ts'
import { changesIn, refuseTwoNames } from '../../../cli/setup/chart-changes.ts'
import { CHART_KEYS, type ChartKey, DEFAULT_CHART } from '../../../domain/chart.ts'
import { readConfigFile } from '../../../workers/config/read-config-file.ts'
import { starterConfig } from '../../../workers/config/starter-config.ts'
import { type ChartAccount, writeChart } from '../../../workers/config/write-chart.ts'
import { tempFolder } from '../../support/temp-lake.ts'

const changes = (...given: string[]) => Object.fromEntries(changesIn(given, DEFAULT_CHART))

test('an account is given as key, number and name, and a name that is left out stays', () => {
  expect(
    changes('sales=4100:Card sales: shop', 'tips=2200', 'tax = 2100'.replaceAll(' ', '')),
  ).toEqual({
    sales: { account: '4100', name: 'Card sales: shop' },
    tips: { account: '2200', name: 'Tips payable' },
  })
})

test.each([
  ['sale=4000:Sales', '--set sale is not a key of the chart of accounts; did you mean sales?'],
  [
    'deposits=1',
    '--set deposits is not a key of the chart of accounts; known keys: clearing, cash_in',
  ],
  ['4000', '--set 4000 is not a key of the chart of accounts'],
  ['sales=', 'the number of sales must be text on one line'],
  ['sales=4000: ', 'the name of sales must be text on one line'],
  ['sales=4000:a\nb', 'the name of sales must be text on one line'],
])('%j is refused', (given, message) => {
  const attempt = () => changesIn([given], DEFAULT_CHART)
  expect(attempt).toThrow(expect.objectContaining({ code: 'usage' }))
  expect(attempt).toThrow(message)
})

test('a key that is given twice is refused', () => {
  expect(() => changesIn(['tax=1', 'tax=2'], DEFAULT_CHART)).toThrow('--set gives tax twice')
})

test('two keys may share an account under one name, and not under two', () => {
  const shared = { ...DEFAULT_CHART, shipping: DEFAULT_CHART.sales }
  expect(() => refuseTwoNames(shared)).not.toThrow()
  const two = { ...DEFAULT_CHART, shipping: { account: '4000', name: 'Shipping' } }
  expect(() => refuseTwoNames(two)).toThrow('sales and shipping give account 4000 two names')
})

const answering =
  (answers: Record<string, string>, asked: string[] = []) =>
  (question: string) => {
    asked.push(question)
    const found = Object.entries(answers).find(([part]) => question.includes(part))
    return Promise.resolve(found?.[1] ?? '')
  }

test('a walk asks for each account, and keeps what was confirmed', async () => {
  const asked: string[] = []
  const answers = { '[4000]': '4100', '[Tips payable]': ' Tips ', '[y/N]': 'y' }
  const found = await askChart(DEFAULT_CHART, answering(answers, asked))
  expect(Object.fromEntries(found)).toEqual({
    sales: { account: '4100', name: 'Sales' },
    tips: { account: '2110', name: 'Tips' },
  })
  expect(asked).toHaveLength(2 * CHART_KEYS.length + 1)
  expect(asked[0]).toBe(
    'clearing: card amounts that are not in a COMPLETE settlement yet\n  number [1100]: ',
  )
  expect(asked.at(-1)).toContain('\n  tips 2110 Tips\n  sales 4100 Sales\n')
})

test('a walk without a change asks for no confirmation, and a refused one changes nothing', async () => {
  const asked: string[] = []
  expect((await askChart(DEFAULT_CHART, answering({}, asked))).size).toBe(0)
  expect(asked).toHaveLength(2 * CHART_KEYS.length)
  expect((await askChart(DEFAULT_CHART, answering({ '[4000]': '4100' }))).size).toBe(0)
})

function fileWith(text: string): string {
  const file = join(tempFolder(), 'tieout.yaml')
  writeFileSync(file, text, { mode: 0o640 })
  return file
}

const to = (key: ChartKey, account: string, name: string) =>
  new Map<ChartKey, ChartAccount>([[key, { account, name }]])

const FILE = `# Our settings
timezone: Europe/Berlin # where the shops are

chart_of_accounts:
  # from the tax adviser
  sales: { account: '4000', name: Sales } # net
  tax:
    account: "2100" # state
    name: Sales tax payable

# the end
`

test('the file gets the account, and keeps its comments, other keys and rights', () => {
  const file = fileWith(FILE)
  writeChart(file, to('sales', '8400', 'Erlöse: "19%"'))
  writeChart(file, to('tax', '1776', 'Umsatzsteuer'))
  writeChart(file, to('tips', '007', 'Tips'))
  const text = readFileSync(file, 'utf8')
  for (const comment of FILE.match(/#.*/g) ?? []) expect(text).toContain(comment)
  expect(readConfigFile(file)).toMatchObject({
    timezone: 'Europe/Berlin',
    chart_of_accounts: {
      sales: { account: '8400', name: 'Erlöse: "19%"' },
      tax: { account: '1776', name: 'Umsatzsteuer' },
      tips: { account: '007', name: 'Tips' },
    },
  })
  expect(statSync(file).mode & 0o777).toBe(0o640)
})

test('a file that is absent begins as init writes it', () => {
  const file = join(tempFolder(), 'tieout.yaml')
  writeChart(file, to('sales', '4100', 'Sales'))
  expect(readConfigFile(file).chart_of_accounts).toEqual({
    sales: { account: '4100', name: 'Sales' },
  })
  // The commented keys stay below the keys that they belong to.
  expect(readFileSync(file, 'utf8')).toContain(starterConfig().trimEnd())
})

test.each(['', '# nothing yet\n', 'timezone: UTC\n', 'chart_of_accounts: {}\n'])(
  'a file with %j takes the first account',
  (text) => {
    const file = fileWith(text)
    writeChart(file, to('sales', '4100', 'Sales'))
    expect(readConfigFile(file).chart_of_accounts['sales']).toEqual({
      account: '4100',
      name: 'Sales',
    })
  },
)

test('a listed account gets a chart of its own', () => {
  const file = fileWith('accounts:\n  - name: acme\n  # the other shop\n  - name: bolt\n')
  writeChart(file, to('sales', '4100', 'Sales'), 'bolt')
  expect(parse(readFileSync(file, 'utf8'))).toEqual({
    accounts: [
      { name: 'acme' },
      { name: 'bolt', chart_of_accounts: { sales: { account: '4100', name: 'Sales' } } },
    ],
  })
  expect(readFileSync(file, 'utf8')).toContain('# the other shop')
})

test('a link stays a link, and its file is changed', () => {
  const file = fileWith('timezone: UTC\n')
  const link = join(tempFolder(), 'link.yaml')
  symlinkSync(file, link)
  writeChart(link, to('sales', '4100', 'Sales'))
  expect(readFileSync(file, 'utf8')).toContain('4100')
})

test('a file that can not be read is refused and stays as it is', () => {
  const text = 'timezone: UTC\nchart_of_account: {}\n'
  const file = fileWith(text)
  expect(() => writeChart(file, to('sales', '4100', 'Sales'))).toThrow(
    'chart_of_account is not a key; did you mean chart_of_accounts?',
  )
  expect(readFileSync(file, 'utf8')).toBe(text)
  expect(existsSync(`${file}.${process.pid}.new`)).toBe(false)
})
