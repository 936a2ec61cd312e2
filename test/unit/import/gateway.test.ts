/**
 * Goal: an export of a gateway or a spreadsheet is never guessed. Method: files in each known form, with and without
 * confirmation.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createGzip, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { checkedLines, linesOf } from '../../../cli/import/text.ts'
import { checkImport } from '../../../queries/check-import.ts'
import {
  DEFAULT_READING,
  type ImportFormat,
  type ImportOrder,
  type ImportReading,
} from '../../../domain/import.ts'
import { emptyLakeIn } from '../../support/lake-template.ts'
import { plainAccount } from '../../support/plain-account.ts'
import { tempFolder } from '../../support/temp-lake.ts'
import { importer, type Importer } from './exports.ts'

const HEADER = 'transactionId,terminalId,action,status,created,amountTotal'
const line = (id: number, amount = '12.30', more: { action?: string; created?: string } = {}) =>
  [id, 41, more.action ?? 'CHARGE', 'CAPTURE', more.created ?? '2026-03-01T10:00:00Z', amount].join(
    ';',
  )
const semicolons = (...lines: string[]) => `${[HEADER.replaceAll(',', ';'), ...lines].join('\n')}\n`
const NOTHING = 'select 1 from lake.ops.landing union all select 1 from lake.seen.quarantine'
const CENTS = `select transaction_id as id, total_cents as cents from lake.seen.transaction_version order by id`

async function refusal(place: Importer, content: string | Buffer, more = {}): Promise<string> {
  const refused = await place
    .bring(content, { format: 'csv', ...more })
    .then(() => new Error('was read'))
    .catch((error: unknown) => error)
  expect(refused).toMatchObject({ code: 'import_unreadable' })
  expect(await place.rows(NOTHING)).toEqual([])
  return String(refused)
}

const folder = () => tempFolder()

const PARQUET_COLUMNS = `1 as "transactionId", 41 as "terminalId", 'CHARGE' as action, 'CAPTURE' as status,
  timestamp '2026-03-01 10:00:00' as created, 12.30::decimal(18,2) as "amountTotal"`

async function checkOf(
  content: string | Buffer,
  more: Partial<ImportReading> = {},
  name = 'a.csv',
) {
  const place = folder()
  const file = join(place, name)
  writeFileSync(file, content)
  const reading = { ...DEFAULT_READING, ...more }
  const settings = plainAccount({
    ...{ out: join(place, 'out'), lake: emptyLakeIn(place), timezone: 'Europe/Berlin' },
    ...{ currency: 'EUR', imports: { transactions: reading, settlements: reading } },
  })
  const format = name.slice(name.indexOf('.') + 1) as ImportFormat
  const order: ImportOrder = { account: 'acme', list: 'transactions', format, file }
  return checkImport(settings, order, new AbortController().signal)
}

test('a check counts the ids of which two lines differ, and says which line counts', async () => {
  const lines = [line(1), line(1, '99.00'), line(2), line(2), line(3)]
  const checked = await checkOf(semicolons(...lines), { delimiter: ';' })
  expect(checked.confirmed).toMatchObject({ rows: 5, quarantined: 0, differing: 1 })
  const order = { account: 'acme', list: 'transactions', format: 'csv', file: 'a.csv' } as const
  expect(checkedLines(order, checked)).toContain(
    '  1 id with lines that differ; the last line of each counts',
  )
})

test('a check names the columns and the keys that it does not use', async () => {
  const cells = line(1).replaceAll(';', ',')
  const csv = await checkOf(`${HEADER},Tip, Card Holder \n${cells},1.00,Ann\n`)
  expect(csv.confirmed).toMatchObject({ rows: 1, unusedColumns: ['Tip', 'Card Holder'] })
  const order = { account: 'acme', list: 'transactions', format: 'csv', file: 'a.csv' } as const
  expect(checkedLines(order, csv)).toContain('  not used: Tip, Card Holder')
  const record = {
    ...{ transactionId: 1, terminalId: 41, action: 'CHARGE', status: 'CAPTURE' },
    ...{ created: '2026-03-01T10:00:00Z', amountTotal: 12.3, Tip: 1 },
    ...{ vault: { type: 'CARD', token: 'x' }, shop: { clerk: 'Ann' } },
  }
  const json = await checkOf(JSON.stringify(record), {}, 'a.ndjson')
  expect(json.confirmed).toMatchObject({ rows: 1, unusedColumns: ['Tip', 'shop', 'vault.token'] })
  const { connection, folder: parquet } = await importer()
  await connection.run(
    `copy (select ${PARQUET_COLUMNS}, 1 as Tip, {'type': 'CARD', 'token': 'x'} as vault, {'clerk': 'Ann'} as shop)
     to '${join(parquet, 'a.parquet')}' (format parquet)`,
  )
  const columns = await checkOf(readFileSync(join(parquet, 'a.parquet')), {}, 'a.parquet')
  expect(columns.confirmed).toMatchObject({
    ...{ rows: 1, unusedColumns: ['Tip', 'vault.token', 'shop'] },
  })
})

test('a check and an import name the fields that no record has, and what that leads to', async () => {
  const order = { account: 'acme', list: 'transactions', format: 'csv', file: 'a.csv' } as const
  const cells = line(1).replaceAll(';', ',')
  const bare = await checkOf(`${HEADER}\n${cells}\n`)
  expect(checkedLines(order, bare).filter((said) => said.includes('no record has'))).toEqual([
    '  no record has amountBase: each transaction with an amount becomes a TOTAL_MISMATCH',
    '  no record has response.approved: each settled transaction becomes SETTLED_NOT_APPROVED',
    '  no record has settlement.settled: no transaction counts as settled, so that no settlement ties',
    '  no record has vault.type: refunds and duplicate charges of cards are not judged',
  ])
  // A column in which every cell is empty is no better than none.
  const names = `${HEADER},amountBase,response.approved,settlement.settled,vault.type`
  const half = `${names}\n${cells},12.30,,false,CARD\n`
  expect((await checkOf(half)).confirmed.absentFields).toEqual(['response.approved'])
  expect((await checkOf(half.replace('30,,', '30,true,'))).confirmed.absentFields).toEqual([])

  const { bring } = await importer()
  const imported = await bring(half, { format: 'csv' })
  expect(imported).toMatchObject({ absentFields: ['response.approved'] })
  expect(linesOf([imported])).toContainEqual(
    expect.stringContaining('no record has response.approved: each settled transaction becomes'),
  )
  const settlement =
    'settlementId,terminalId,created,amountNet,status\n900,41,2026-03-01T10:00:00Z,5.00,COMPLETE\n'
  expect(await bring(settlement, { format: 'csv', list: 'settlements' })).not.toHaveProperty(
    'absentFields',
  )
})

test('a column without a name says nothing about the fields that the file does not have', async () => {
  const rows = [1, 2, 3].map((id) => `${id - 1},${line(id).replaceAll(';', ',')}`)
  const checked = await checkOf(`,${HEADER}\n${rows.join('\n')}\n`)
  expect(checked).toMatchObject({ understood: [], questions: [], confirmed: { rows: 3 } })
})

test('the tabs of a .tsv need no confirmation, also beside a record that can not be read', async () => {
  const content = `${HEADER}\n${line(1)}\n${line(2, 'x')}\n`.replaceAll(/[,;]/g, '\t')
  const place = await importer()
  const file = join(place.folder, 'a.tsv')
  writeFileSync(file, content)
  expect(await place.importFile({ file, format: 'csv' })).toMatchObject({
    ...{ rows: 2, newVersions: 1, quarantined: 1 },
  })
})

describe('a file that needs no confirmation is read', () => {
  const plain = `${HEADER}\r\n${line(1).replaceAll(';', ',')}\r\n${line(2).replaceAll(';', ',')}\r\n`
  test.each<[string, string | Buffer]>([
    ['UTF-16 with its mark', Buffer.from(`\ufeff${plain}`, 'utf16le')],
    ['UTF-16 of the other order', Buffer.from(`\ufeff${plain}`, 'utf16le').swap16()],
    ['UTF-16 without a mark', Buffer.from(plain, 'utf16le')],
    ['a line that names the delimiter', `sep=;\r\n${plain.replaceAll(',', ';')}`],
    [
      'blanks around the names, in any case',
      plain.replace(HEADER, HEADER.toUpperCase().replaceAll(',', ' , ')),
    ],
    ['empty rows', plain.replace('\r\n1,', '\r\n\r\n,,,,,\r\n , ,,,,\r\n1,')],
    [
      'gzip of two parts',
      Buffer.concat([gzipSync(plain.slice(0, 70)), gzipSync(plain.slice(70)), Buffer.alloc(20)]),
    ],
  ])('%s is read', async (_what, content) => {
    const { bring, rows } = await importer()
    expect(await bring(content, { format: 'csv' })).toMatchObject({ rows: 2, quarantined: 0 })
    expect(await rows(CENTS)).toEqual([
      { id: '1', cents: '1230' },
      { id: '2', cents: '1230' },
    ])
  })

  test('a JSON array is read as its records, and a reject is named by its line', async () => {
    const { bring, rows } = await importer()
    const record = (id: number, amount: string) =>
      JSON.stringify(
        {
          transactionId: id,
          terminalId: 41,
          action: 'charge',
          status: 'Capture',
          created: '2026-03-01T10:00:00Z',
          amountTotal: amount,
        },
        null,
        2,
      )
    const read = await bring(`[\n${record(1, '12.30')},\n${record(2, 'x')}\n]\n`)
    expect(read).toMatchObject({
      rows: 2,
      newVersions: 1,
      rejects: [{ line: 10, field: 'amountTotal' }],
    })
    expect(await rows('select action, status from lake.seen.transaction_version')).toEqual([
      { action: 'CHARGE', status: 'CAPTURE' },
    ])
  })
})

describe('a file in another form is refused with its likely form, and leaves nothing behind', () => {
  test.each<[string, string | Buffer, RegExp]>([
    ['semicolons', semicolons(line(1)), /the delimiter is ";"/],
    [
      'a title',
      `Report of March\n\n${semicolons(line(1)).replaceAll(';', ',')}`,
      /2 lines stand above the header/,
    ],
    [
      'a total',
      `${HEADER}\n${line(1).replaceAll(';', ',')}\nTotal,,,,,12.30\n`,
      /1 line stands below the records/,
    ],
    [
      'letters of Windows',
      Buffer.from(semicolons(line(1, '12.30', { action: 'Geb\u00fchr' })), 'latin1'),
      /windows-1252/,
    ],
    [
      'dates of two readings',
      semicolons(line(1, '12.30', { created: '03/04/2026 10:00' })).replaceAll(';', ','),
      /two readings: set dates.pattern to DD\/MM\/YYYY HH:mm or MM\/DD/,
    ],
    [
      'a local time',
      semicolons(line(1, '12.30', { created: '2026-03-01 10:00:00' })).replaceAll(';', ','),
      /times are YYYY-MM-DD HH:mm:ss/,
    ],
    [
      'words of a gateway',
      semicolons(line(1, '12.30', { action: 'Sale' })).replaceAll(';', ','),
      /action: Sale means CHARGE/,
    ],
    [
      'another currency',
      semicolons(line(1, '12.30 \u20ac')).replaceAll(';', ','),
      /amounts carry "\u20ac" and the account's currency is USD/,
    ],
    [
      'refunds with a minus',
      semicolons(line(1), line(2, '(12.30)', { action: 'REFUND' })).replaceAll(';', ','),
      /the amounts of refunds carry a minus/,
    ],
  ])('%s', async (_what, content, said) => {
    expect(await refusal(await importer(), content)).toMatch(said)
  })

  test.each([
    ['1,234', 'the amount 1,234 has two readings: set decimal_mark'],
    ['1230', 'the amount 1230 has two readings: set amounts to cents'],
  ])('an ambiguous amount is never guessed: %s', async (amount, said) => {
    const { questions, reading } = await checkOf(semicolons(line(1, amount), line(2, amount)))
    expect(questions).toEqual([expect.stringContaining(said)])
    expect(reading).toMatchObject({ decimalMark: '.', thousandsMark: '', amounts: 'decimal' })
  })

  test('a file whose words are mostly unknown, without a meaning to propose', async () => {
    const text = `${HEADER}\n1,41,ACTION_OF_OURS,CAPTURE,2026-03-01T10:00:00Z,1.00\n`
    expect(await refusal(await importer(), text)).toMatch(/1 of 1 records say a word under action/)
  })

  test('a bad value among good ones is no other form: its record is rejected by its line', async () => {
    const { bring, rows } = await importer()
    const lines = Array.from({ length: 30 }, (_, at) => line(at + 1, at === 7 ? '12,30' : '12.30'))
    const text = semicolons(...lines).replaceAll(';', '|')
    const read = await bring(text, { format: 'csv', reading: { delimiter: '|' } })
    expect(read).toMatchObject({ newVersions: 29, rejects: [{ line: 9, excerpt: '12,30' }] })
    expect(await rows('select reason from lake.seen.quarantine')).toEqual([
      { reason: 'is not an amount with two decimals, line 9 of export-1' },
    ])
  })
})

describe('a damaged or foreign file is named, and leaves nothing behind', () => {
  const records = Array.from({ length: 4000 }, (_, at) => line(at + 1).replaceAll(';', ','))
  const packed = gzipSync(`${[HEADER, ...records].join('\n')}\n`)
  const broken = /is broken: what gzip packed ends too early or is damaged/
  const one = gzipSync(`${HEADER}\n${records[0] ?? ''}\n`)
  const altered = Buffer.from(one)
  altered[altered.length - 6] = (altered[altered.length - 6] ?? 0) ^ 1
  const flushed = () => {
    const pack = createGzip()
    const parts: Buffer[] = []
    pack.on('data', (part: Buffer) => parts.push(part))
    return new Promise<Buffer>((resolve) => {
      pack.write(`${[HEADER, ...records].join('\n')}\n`)
      // Whole lines, and neither the check sum nor the length that gzip writes at the end.
      pack.flush(() => resolve(Buffer.concat(parts)))
    })
  }

  test.each<[string, () => Buffer | Promise<Buffer>, RegExp]>([
    ['gzip that is cut at the end of a line', flushed, broken],
    ['gzip without its last byte', () => packed.subarray(0, -1), broken],
    ['gzip of another check sum', () => altered, broken],
    ['gzip whose second part is cut', () => Buffer.concat([one, one.subarray(0, 20)]), broken],
    ['gzip with a part behind zeros', () => Buffer.concat([one, Buffer.alloc(4), one]), broken],
    ['gzip with something behind it', () => Buffer.concat([one, Buffer.from('more')]), broken],
    ['zstd', () => Buffer.from('28b52ffd00', 'hex'), /is packed with zstd; unpack it first/],
    ['a workbook', () => Buffer.from('504b030414', 'hex'), /is an Excel workbook or a ZIP archive/],
    [
      'half a character of UTF-16',
      () => Buffer.from(`\ufeff${HEADER}\n`, 'utf16le').subarray(0, -1),
      /has bytes that are no character of its encoding/,
    ],
  ])('%s', async (_what, content, said) => {
    const place = await importer()
    const bytes = await content()
    expect(await refusal(place, bytes)).toMatch(said)
    if (said === broken) expect(await refusal(place, bytes, { format: 'ndjson' })).toMatch(said)
  })

  test('a JSON array in Latin-1, or one that breaks off within a character', async () => {
    const place = await importer()
    const text = Buffer.from('[{"id": 1, "firstName": "Andr\u00e9"}]', 'latin1')
    const said = /has bytes that are no character of its encoding/
    expect(await refusal(place, text, { format: 'ndjson' })).toMatch(said)
    const cut = Buffer.from('[{"id": 1}]\u00e9').subarray(0, -1)
    expect(await refusal(place, cut, { format: 'ndjson' })).toMatch(said)
  })

  test('Parquet that is cut', async () => {
    const place = await importer()
    const file = join(place.folder, 'whole.parquet')
    await place.connection.run(`copy (from range(100000)) to '${file}' (format parquet)`)
    for (const share of [0.3, 0.99]) {
      const whole = readFileSync(file)
      const cut = whole.subarray(0, Math.floor(whole.length * share))
      expect(await refusal(place, cut, { format: 'parquet' })).toMatch(/can't be read as Parquet/)
    }
  })
})

test('the names of folders add nothing to the records in them', async () => {
  const place = await importer()
  for (const name of ['action=REFUND', 'terminalId=7', 'created=2026-10-06', 'c0=9', 'line=3']) {
    mkdirSync(join(place.folder, name))
    const file = join(place.folder, name, 'a')
    await place.connection.run(`copy (select ${PARQUET_COLUMNS}) to '${file}' (format parquet)`)
    await place.importFile({ file, format: 'parquet' })
    writeFileSync(file, `${HEADER}\n${line(1).replaceAll(';', ',')}\n`)
    await place.importFile({ file, format: 'csv' })
  }
  expect(
    await place.rows(
      'select distinct action, terminal_id, total_cents, created from lake.seen.transaction_version',
    ),
  ).toEqual([
    { action: 'CHARGE', terminal_id: '41', total_cents: '1230', created: '2026-03-01 10:00:00' },
  ])
})

test('an invalid settlement id is left out and counted, and so are empty fields, for the manifest too', async () => {
  const { bring, rows } = await importer()
  const record = (id: number, more: object) =>
    JSON.stringify({
      transactionId: id,
      terminalId: 41,
      action: 'CHARGE',
      status: 'CAPTURE',
      created: '2026-03-01T10:00:00Z',
      amountTotal: '12.30',
      ...more,
    })
  const lines = [
    record(1, { settlementId: 'nine', amountTax: '' }),
    record(2, { settlementId: '880.0', billing: [], achType: {} }),
    '{}',
    record(3, { amountTax: '', response: { approved: '' } }),
    '{"transactionId":null,"billing":{},"amountTotal":""}',
  ]
  expect(await bring(lines.join('\n'))).toMatchObject({
    ...{ rows: 3, newVersions: 3, quarantined: 0, leftOut: { settlementId: 1 } },
    emptyFields: { amountTax: 2, 'response.approved': 1, achType: 1 },
  })
  expect(await rows('select name, records from lake.ops.unknown_name order by name')).toEqual([
    { name: 'achType=(empty)', records: '1' },
    { name: 'amountTax=(empty)', records: '2' },
    { name: 'response.approved=(empty)', records: '1' },
  ])
})

/** A text of the file, the confirmed format of its amounts, and the cents. */
const AMOUNTS: [string, Partial<ImportReading>, string][] = [
  ['12,30', { decimalMark: ',' }, '1230'],
  ['1.234,50', { decimalMark: ',', thousandsMark: '.' }, '123450'],
  ['1.234.567,50', { decimalMark: ',', thousandsMark: '.' }, '123456750'],
  ['1,234.50', { thousandsMark: ',' }, '123450'],
  ["1'234.50", { thousandsMark: "'" }, '123450'],
  ['1\u00a0234,50', { decimalMark: ',', thousandsMark: ' ' }, '123450'],
  ['1\u202f234,50', { decimalMark: ',', thousandsMark: ' ' }, '123450'],
  ['$1,234.50', { thousandsMark: ',', currencyMarks: ['$'] }, '123450'],
  ['USD 12.30', { currencyMarks: ['$', 'USD'] }, '1230'],
  ['12.30 usd', { currencyMarks: ['USD'] }, '1230'],
  ['12.3', { amounts: 'number' }, '1230'],
  ['12', { amounts: 'number' }, '1200'],
  ['1.234,5', { amounts: 'number', decimalMark: ',', thousandsMark: '.' }, '123450'],
  ['1,230', { amounts: 'cents', thousandsMark: ',' }, '1230'],
  ['12,3.50', { thousandsMark: ',' }, 'rejected'],
  ['1,2345.00', { thousandsMark: ',' }, 'rejected'],
  ['12.345', { amounts: 'number' }, 'rejected'],
  ['\u20ac12.30', { currencyMarks: ['$'] }, 'rejected'],
  ['1 2.30', {}, 'rejected'],
  ['-12.30', {}, 'rejected'],
]

test.each(AMOUNTS)('the amount %s by %j is %s cents', async (amount, said, cents) => {
  const { confirmed } = await checkOf(semicolons(line(1, amount)).replaceAll(';', '|'), {
    delimiter: '|',
    ...said,
  })
  const place = await importer()
  const content = semicolons(line(1, amount)).replaceAll(';', '|')
  if (cents === 'rejected') {
    expect(confirmed).toMatchObject({ rows: 1, quarantined: 1 })
    return
  }
  await place.bring(content, { format: 'csv', reading: { delimiter: '|', ...said } })
  expect(await place.rows(CENTS)).toEqual([{ id: '1', cents }])
})

test.each([
  ['(12.30)', '-1230'],
  ['12.30-', '-1230'],
  ['\u22121,234.50', '-123450'],
  ['- 12.30', '-1230'],
  ['+12.30', '1230'],
])('a net of %s is %s cents', async (net, cents) => {
  const place = await importer()
  const text = `settlementId|terminalId|created|amountNet|status\n1|41|2026-03-01T10:00:00Z|${net}|Complete\n`
  const reading = { delimiter: '|', thousandsMark: ',' }
  await place.bring(text, { list: 'settlements', format: 'csv', reading })
  expect(await place.rows('select net_cents, status from lake.seen.settlement_version')).toEqual([
    { net_cents: cents, status: 'COMPLETE' },
  ])
})

test('a refund may carry a minus if that is confirmed; a charge with a minus and a refund without one are rejected', async () => {
  const { bring, rows } = await importer()
  const refund = { action: 'refund' }
  const lines = [
    line(1),
    line(2, '-5.00', refund),
    line(3, '-6.00'),
    line(4, '7.00', refund),
    line(5, '0.00', refund),
  ]
  const read = await bring(semicolons(...lines), {
    format: 'csv',
    reading: { delimiter: ';', negativeRefunds: true },
  })
  expect(await rows(CENTS)).toEqual([
    { id: '1', cents: '1230' },
    { id: '2', cents: '500' },
    { id: '5', cents: '0' },
  ])
  expect(read.rejects?.map((one) => [one.line, one.reason])).toEqual([
    [4, 'is negative'],
    [5, 'is not an amount with two decimals'],
  ])
})

test('local times are converted in their zone, except those that the clocks skip or show twice', async () => {
  const { bring, rows } = await importer()
  const dates = { pattern: 'DD.MM.YYYY HH:mm', zone: 'Europe/Berlin' }
  const times = [
    '01.07.2026 12:00',
    '01.12.2026 12:00',
    '29.03.2026 02:30',
    '25.10.2026 02:30',
    '25.10.2026 03:00',
  ]
  const text = semicolons(...times.map((created, at) => line(at + 1, '12.30', { created })))
  const read = await bring(text, { format: 'csv', reading: { delimiter: ';', dates } })
  expect(
    await rows(
      'select transaction_id as id, created from lake.seen.transaction_version order by 1',
    ),
  ).toEqual([
    { id: '1', created: '2026-07-01 10:00:00' },
    { id: '2', created: '2026-12-01 11:00:00' },
    { id: '5', created: '2026-10-25 02:00:00' },
  ])
  expect(read.rejects?.map((one) => one.line)).toEqual([4, 5])
})

test.each([
  // Two hours, half an hour, and three hours at another time of the year.
  ['Antarctica/Troll', ['25.10.2026 00:59', '25.10.2026 01:30', '25.10.2026 02:30']],
  ['Australia/Lord_Howe', ['05.04.2026 01:29', '05.04.2026 01:30', '05.04.2026 01:59']],
  ['Antarctica/Casey', ['09.03.2023 03:00', '09.03.2023 00:00', '09.03.2023 02:59']],
])(
  'a local time that %s shows twice is set aside, by whatever the clocks go back',
  async (zone, times) => {
    const { bring, rows } = await importer()
    const dates = { pattern: 'DD.MM.YYYY HH:mm', zone }
    const text = semicolons(...times.map((created, at) => line(at + 1, '12.30', { created })))
    await bring(text, { format: 'csv', reading: { delimiter: ';', dates } })
    expect(await rows('select transaction_id as id from lake.seen.transaction_version')).toEqual([
      { id: '1' },
    ])
  },
)

const REPORT = [
  'Umsätze März',
  '',
  'Trans ID;Terminal;Type;Status;Transaction Date;Amount;Last 4',
  '1001;41;Sale;Settled;13.03.2026 10:05:00;1.234,50 €;42',
  '1002;41;Credit;Captured;14.03.2026 10:05:00;(12,30 €);7',
  '1003;41;Sale;Declined;14.03.2026 11:05:00;99,00 €;4242',
  ';;;;;;',
  'Total;;;;;1.345,80 €;',
  '',
].join('\r\n')

/** Windows-1252, in which the euro sign has a place of its own. */
const WINDOWS = Buffer.from(REPORT.replaceAll('€', '\x80'), 'latin1')

test('a gateway’s report is understood by its first rows, and read after confirmation', async () => {
  const checked = await checkOf(WINDOWS)
  expect(checked).toMatchObject({
    questions: [],
    proposed: { rows: 3, quarantined: 0 },
    form: 'WINDOWS-1252',
  })
  expect(checked.confirmed.refusal).toMatch(/no column is called transactionId/)
  expect(checked.reading).toMatchObject({
    ...{ encoding: 'windows-1252', delimiter: ';', titleLines: 2, totalLines: 1, decimalMark: ',' },
    ...{ thousandsMark: '.', currencyMarks: ['€'], negativeRefunds: true },
    dates: { pattern: 'DD.MM.YYYY HH:mm:ss', zone: 'Europe/Berlin' },
  })
  const { bring, rows } = await importer()
  await bring(WINDOWS, { format: 'csv', reading: checked.reading })
  expect(
    await rows(`select transaction_id as id, action, status, total_cents as cents, settled, approved, last_four, created
      from lake.seen.transaction_version order by 1`),
  ).toEqual([
    {
      id: '1001',
      action: 'CHARGE',
      status: 'CAPTURE',
      cents: '123450',
      settled: true,
      approved: true,
      last_four: '0042',
      created: '2026-03-13 09:05:00',
    },
    {
      id: '1002',
      action: 'REFUND',
      status: 'CAPTURE',
      cents: '1230',
      settled: false,
      approved: true,
      last_four: '0007',
      created: '2026-03-14 09:05:00',
    },
    {
      id: '1003',
      action: 'CHARGE',
      status: 'CAPTURE',
      cents: '9900',
      settled: false,
      approved: false,
      last_four: '4242',
      created: '2026-03-14 10:05:00',
    },
  ])
})

test('a record is never left out as a total', async () => {
  const text = `${HEADER}\n1,41,CHARGE,CAPTURE,2026-03-01T10:00:00Z,12.30\n2,41,CHARGE,CAPTURE,2026-03-01T10:00:00Z,1.00\n`
  const said = await refusal(await importer(), text, { reading: { totalLines: 1 } })
  expect(said).toMatch(/the last lines, which are taken for totals, hold a record with an id/)
})

test('a file in the documented form needs no confirmation', async () => {
  const text = `${HEADER}\n1,41,CHARGE,CAPTURE,2026-03-01T10:00:00Z,12.30\n`
  expect(await checkOf(text)).toMatchObject({
    ...{ understood: [], questions: [], form: '', reading: DEFAULT_READING },
    confirmed: { rows: 1, quarantined: 0 },
  })
})
