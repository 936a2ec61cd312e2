/**
 * Goal: a file is read exactly or refused. Method: CSV, JSON and Parquet as programs write them, and files with two
 * readings.
 */
import { gzipSync } from 'node:zlib'
import { join } from 'node:path'
import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { tableOf } from '../api/records.ts'
import { importer, type Importer } from './exports.ts'

const HEADER = 'transactionId,terminalId,action,status,created,amountTotal'
const GOOD = '1,41,CHARGE,CAPTURE,2026-03-01T10:00:00Z,12.30'

const VERSIONS = 'from lake.seen.transaction_version order by ordinal'
const REJECTS = `select ordinal, field, reason, excerpt from lake.seen.quarantine order by ordinal`

/** Without the line and the file, which have a test of their own. */
const reasonOf = (reject: Record<string, unknown> | undefined) =>
  String(reject?.['reason']).replace(/, (?:line|row) \d+ of \S+$/, '')

/** The column that `expected` names, or the reason of the reject, for each row in the file. */
async function outcomes(
  { rows }: Importer,
  table: readonly { expected: string }[],
): Promise<string[]> {
  const landed = await rows(VERSIONS)
  const rejected = await rows(REJECTS)
  return table.map(({ expected }, at) => {
    const [column = ''] = expected.split('=')
    const row = landed.find(({ ordinal }) => ordinal === String(at))
    if (row !== undefined) return `${column}=${String(row[column])}`
    const reject = rejected.find(({ ordinal }) => ordinal === String(at))
    return `${String(reject?.['field'])}: ${reasonOf(reject)} [${String(reject?.['excerpt'])}]`
  })
}

const CSV = tableOf(String.raw`
  amountTotal               | 12.30                | total_cents=1230
  amountTotal               | 12.3                 | amountTotal: is not an amount with two decimals [12.3]
  amountTotal               | "1,000.00"           | amountTotal: is not an amount with two decimals [1,000.00]
  amountTotal               | (nothing)            | amountTotal: is missing []
  amountTax                 | (nothing)            | tax_cents=null
  amountTax                 | ""                   | tax_cents=null
  transactionId             | 9223372036854775807  | transaction_id=9223372036854775807
  transactionId             | 9223372036854775808  | transactionId: is above 2^63 - 1 [9223372036854775808]
  transactionId             | 900.0                | transaction_id=900
  transactionId             | 1.5                  | transactionId: is not a number [1.5]
  created                   | 2026-03-01 10:00:00+00    | created=2026-03-01 10:00:00
  created                   | 2026-03-01 10:00:00+05:30 | created=2026-03-01 04:30:00
  created                   | 2026-03-01 10:00:00.1234567Z | created=2026-03-01 10:00:00.123456
  created                   | 2026-03-01 10:00:00       | created: is not an ISO 8601 instant with Z or an offset [2026-03-01T10:00:00]
  response.approved         | TRUE                 | approved=true
  response.approved         | f                    | approved=false
  response.approved         | 1                    | approved=true
  response.approved         | yes                  | approved=true
  response.approved         | N                    | approved=false
  response.approved         | maybe                | response.approved: is not true or false [aaaaa]
  surcharge.percentage      | 3.50                 | surcharge_percentage=3.5000
  invoiceNumber             | "a ""b"", c"         | invoice_number=a "b", c
  invoiceNumber             | "two\nlines"         | invoice_number=two�lines
  invoiceNumber             | 4111 1111 1111 1111  | invoice_number=****1111
  status                    | =1+1                 | status: begins like a formula [=9+9]
  vault.lastFour            | 0042                 | last_four=0042
  vault.lastFour            | 42                   | last_four=0042
  vault.lastFour            | 7.0                  | last_four=0007
  vault.lastFour            | **42                 | vault.lastFour: is not the last four digits [**99]
  action                    | charge               | action=CHARGE
  status                    | " Capture "          | status=CAPTURE
  vault.accountType         | checking             | account_type=CHECKING
  vault.accountType         | Visa                 | account_type=Visa
  achType                   | ppd                  | ach_type=PPD
  settlement.settlementId   | nine                 | explicit_settlement_id=null
  settlement.settlementId   | 880                  | explicit_settlement_id=880
  settlement.settlementId   | 880.0                | explicit_settlement_id=880
`)

const FIELDS: Record<string, string> = {
  transactionId: '1',
  terminalId: '41',
  action: 'CHARGE',
  status: 'CAPTURE',
  created: '2026-03-01T10:00:00Z',
  amountTotal: '12.30',
}

function csvOf(table: readonly { field: string; sent: string }[], ending: string): string {
  const names = [...new Set([...Object.keys(FIELDS), ...table.map(({ field }) => field)])]
  const lines = table.map(({ field, sent }, at) => {
    const value = sent === '(nothing)' ? '' : sent.replaceAll(String.raw`\n`, '\n')
    const record = { ...FIELDS, transactionId: String(at + 1), [field]: value }
    return names.map((name) => (record as Record<string, string>)[name] ?? '').join(',')
  })
  return [names.join(','), ...lines].join(ending) + ending
}

describe('CSV', () => {
  test.each([
    ['', '\n'],
    ['\ufeff', '\r\n'],
  ])(
    'a CSV file is read by its text, with the mark %j and lines that end in %j',
    async (mark, ending) => {
      const place = await importer()
      await place.bring(mark + csvOf(CSV, ending), { format: 'csv' })
      expect(await outcomes(place, CSV)).toEqual(CSV.map(({ expected }) => expected))
    },
  )

  test('a CSV file may have any column names, be compressed, and give amounts in cents', async () => {
    const { importFile, folder, rows } = await importer()
    const file = join(folder, 'export.csv.gz')
    writeFileSync(
      file,
      gzipSync(
        'Who;id;what;state;when;gross\nAda Lovelace;7;CHARGE;CAPTURE;2026-03-01T10:00:00Z;1230\n',
      ),
    )
    const columns = {
      transactionId: 'id',
      terminalId: 'id',
      action: 'what',
      status: 'state',
      created: 'when',
      amountTotal: 'gross',
    }
    await importFile(
      { file, format: 'csv' },
      { reading: { columns, amounts: 'cents', delimiter: ';' } },
    )
    expect(await rows(VERSIONS)).toMatchObject([
      { transaction_id: '7', terminal_id: '7', total_cents: '1230' },
    ])
  })

  test.each([
    ['no header', '\n', 'line 1 is no header of CSV'],
    ['nothing', '', 'is empty'],
    [
      'no column for a field that must be there',
      `${HEADER.replace('created', 'when')}\n`,
      'no column is called created, and it is needed',
    ],
    [
      'a column twice',
      `${HEADER},status\n${GOOD},HOLD\n`,
      'two columns are called status, and only one can hold status',
    ],
    [
      'a column twice in other letters and blanks',
      `${HEADER}, AmountTotal \n${GOOD},99.00\n`,
      'two columns are called amountTotal, apart from letter case and blanks, and only one can hold amountTotal',
    ],
    [
      'a flag twice in other letters',
      `${HEADER},settlement.settled,Settlement.Settled\n${GOOD},true,false\n`,
      'two columns are called settlement.settled, apart from letter case and blanks, and only one can hold settlement.settled',
    ],
    [
      'a value too many',
      `${HEADER}\n${GOOD}\n${GOOD},1\n`,
      'line 3 has another number of values than the header',
    ],
    [
      'a value too few',
      `${HEADER}\n${GOOD}\n1,41\n`,
      'line 3 has another number of values than the header',
    ],
    [
      'a quote that stays open',
      `${HEADER}\n1,41,"CHARGE,CAPTURE\n`,
      'line 2 holds a quote that is not closed, or not doubled within a value',
    ],
    [
      'letters of another encoding',
      Buffer.from(
        `${HEADER}\n${GOOD}\n2,41,CHARG\u00c9,CAPTURE,2026-03-01T10:00:00Z,1.00\n`,
        'latin1',
      ),
      'line 3 is not UTF-8',
    ],
  ])('with %s is refused, with its line or column', async (_what, content, said) => {
    const { bring, rows } = await importer()
    await expect(bring(content, { format: 'csv' })).rejects.toMatchObject({
      code: 'import_unreadable',
      message: expect.stringMatching(new RegExp(`export-1: ${said}(?:[.] The file seems|$)`)),
    })
    expect(await rows('select 1 from lake.ops.landing')).toEqual([])
  })
})

describe('NDJSON', () => {
  const line = (id: number, more = '') =>
    `{"transactionId":${id},"terminalId":41,"action":"CHARGE","status":"CAPTURE","created":"2026-03-01T10:00:00Z","amountTotal":"12.30"${more}}`

  test('an NDJSON file may begin with a byte order mark, end its lines either way, and have empty lines', async () => {
    const { bring, rows } = await importer()
    const result = await bring(`\ufeff${line(1)}\r\n\n  \n${line(2)}\n${line(3)}`)
    expect(result).toMatchObject({ rows: 3, newVersions: 3, quarantined: 0 })
    expect(await rows(`select transaction_id as id ${VERSIONS}`)).toEqual([
      { id: '1' },
      { id: '2' },
      { id: '3' },
    ])
  })

  test('an NDJSON file may nest its fields in another way', async () => {
    const { bring, rows } = await importer()
    const columns = {
      transactionId: 'meta.id',
      'response.approved': 'ok',
      amountTotal: 'money.gross',
    }
    const text =
      '{"meta":{"id":5},"ok":true,"money":{"gross":7.5},"terminalId":41,"action":"CHARGE","status":"CAPTURE","created":"2026-03-01T10:00:00Z"}\n'
    const bad = text.replace('7.5', '7.555').replace('5}', '6}')
    await bring(text + bad, { reading: { columns } })
    expect(await rows(VERSIONS)).toMatchObject([
      { transaction_id: '5', approved: true, total_cents: '750' },
    ])
    expect(await rows(REJECTS)).toEqual([
      {
        ordinal: '1',
        field: 'amountTotal',
        reason: 'is not an amount with two decimals, line 2 of export-1',
        excerpt: '7.555',
      },
    ])
  })

  test.each([
    [`${line(1)}\n\n{"transactionId":\n`, 'line 3 is not JSON'],
    [`[\n${line(1)},\n`, 'line 3 is not JSON'],
    [`[\n${line(1)}\n${line(2)}]`, 'line 2 is not JSON'],
    [`[${line(1)}]\n${line(2)}`, 'line 2 is not JSON'],
    [`${line(1)}${line(2)}\n`, 'line 1 is not JSON'],
  ])('that is none is refused with its line: %#', async (content, said) => {
    const { bring } = await importer()
    await expect(bring(content)).rejects.toMatchObject({
      code: 'import_unreadable',
      message: expect.stringMatching(new RegExp(`${said}$`)),
    })
  })

  const TWICE = ', apart from letter case and blanks, and only one can hold'
  test.each([
    [
      'in one record',
      line(1, ',"AmountTotal":"99.00"'),
      `two columns are called amountTotal${TWICE} amountTotal`,
    ],
    [
      'in two records',
      `${line(1, ',"settlement":{"settled":true}')}\n${line(2, ',"Settlement":{"settled":true}')}`,
      `two columns are called settlement${TWICE} settlement.settled`,
    ],
    [
      'in an inner object',
      line(1, ',"settlement":{"settled":true," Settled":false}'),
      `two columns are called settled${TWICE} settlement.settled`,
    ],
    [
      'flat beside nested',
      line(1, ',"Settlement.settled":false,"settlement":{"settled":true}'),
      'the key "Settlement.settled" has a dot, and settlement.settled is read from nested objects alone',
    ],
    [
      'flat alone',
      line(1, ',"billing":{"address.zip":"02134"}'),
      'the key "address.zip" has a dot, and address.zip is read from nested objects alone',
    ],
  ])('with a field under two names %s is refused', async (_what, content, said) => {
    const { bring, rows } = await importer()
    await expect(bring(content)).rejects.toMatchObject({
      code: 'import_unreadable',
      message: expect.stringMatching(new RegExp(`export-1: ${said}$`)),
    })
    expect(await rows('select 1 from lake.ops.landing')).toEqual([])
  })

  test('a file without a readable record is refused as a whole; a file with one bad record is read', async () => {
    const { bring, rows } = await importer()
    const bad = Array.from({ length: 20 }, (_, at) => line(at + 1, ',"amountTip":"x"')).join('\n')
    await expect(bring(bad)).rejects.toMatchObject({
      code: 'import_unreadable',
      message: expect.stringContaining(
        'none of its 20 records can be read, such as line 1: amountTip is not an amount with two decimals',
      ),
    })
    expect(await rows('select 1 from lake.ops.landing')).toEqual([])
    const good = Array.from({ length: 1980 }, (_, at) => line(at + 100)).join('\n')
    expect(await bring(`${bad}\n${good}`)).toMatchObject({ newVersions: 1980, quarantined: 20 })
  })
})

/** SQL of one column, and what comes of it. */
const PARQUET = tableOf(String.raw`
  amountTotal          | 12.30::decimal(18,2)     | total_cents=1230
  amountTotal          | 12.3000::decimal(18,4)   | total_cents=1230
  amountTotal          | 12.3450::decimal(18,4)   | amountTotal: is not an amount with two decimals [12.3450]
  amountTotal          | 12.3::decimal(10,1)      | total_cents=1230
  amountTotal          | 12::decimal(38,0)        | total_cents=1200
  amountTotal          | -1.00::decimal(18,2)     | amountTotal: is negative [-1.00]
  amountTotal          | 12.3::double             | total_cents=1230
  amountTotal          | 12.0000009::double       | total_cents=1200
  amountTotal          | 12.000001::double        | total_cents=1200
  amountTotal          | 12.0000011::double       | amountTotal: is not an amount with two decimals [12.0000011]
  amountTotal          | 12.345::double           | amountTotal: is not an amount with two decimals [12.345]
  amountTotal          | 0.1::double + 0.2::double | total_cents=30
  amountTotal          | 123456789012.25::double  | total_cents=12345678901225
  amountTotal          | -0.5::double             | amountTotal: is negative [-0.50]
  amountTotal          | 'nan'::double            | amountTotal: is not an amount with two decimals [aaa]
  amountTotal          | 12.5::float              | total_cents=1250
  amountTotal          | 1234.56::float           | amountTotal: is not an amount with two decimals [1234.56005859375]
  amountTotal          | '12.30'                  | total_cents=1230
  amountTotal          | '12.3'                   | amountTotal: is not an amount with two decimals [12.3]
  amountTotal          | null::decimal(18,2)      | amountTotal: is missing []
  created              | timestamp '2026-03-01 10:00:00.123456' | created=2026-03-01 10:00:00.123456
  created              | timestamptz '2026-03-01 10:00:00+05:30' | created=2026-03-01 04:30:00
  created              | '2026-03-01 10:00:00.123456789'::timestamp_ns | created=2026-03-01 10:00:00.123456
  created              | timestamp '1960-01-01'   | created: is not an ISO 8601 instant with Z or an offset [1960-01-01T00:00:00.000000Z]
  created              | date '2026-03-01'        | created: is not an ISO 8601 instant with Z or an offset [2026-03-01]
  created              | '2026-03-01 10:00:00Z'   | created=2026-03-01 10:00:00
  transactionId        | 70001::integer           | transaction_id=70001
  transactionId        | 70001::double            | transaction_id=70001
  transactionId        | 70001.5::double          | transactionId: is not a positive integer [70001.5]
  transactionId        | 70001::decimal(20,0)     | transaction_id=70001
  transactionId        | 9223372036854775808::ubigint | transactionId: is above 2^63 - 1 [9223372036854775808]
  transactionId        | '70001'                  | transaction_id=70001
  response.approved    | true                     | approved=true
  response.approved    | 0::tinyint               | approved=false
  response.approved    | 'T'                      | approved=true
  settlement.settlementId | 880::double           | explicit_settlement_id=880
  surcharge.percentage | 3.5::double              | surcharge_percentage=3.5000
  surcharge.percentage | 3.5::decimal(9,4)        | surcharge_percentage=3.5000
  settlement.settlementId | '880.0'              | explicit_settlement_id=880
  vault.lastFour       | 42::integer              | last_four=0042
  vault.lastFour       | 42::double               | last_four=0042
  vault.lastFour       | '42'                     | last_four=0042
  action               | 'charge'                 | action=CHARGE
  response.approved    | 'No'                     | approved=false
  status               | 'CAPTURE'::enum('CAPTURE') | status=CAPTURE
  invoiceNumber        | 17::integer              | invoice_number=17
`)

const COLUMNS = `1::bigint as "transactionId", 41 as "terminalId", 'CHARGE' as "action", 'CAPTURE' as "status",
  timestamp '2026-03-01 10:00:00' as "created", 12.30::decimal(18,2) as "amountTotal"`

describe('Parquet', () => {
  async function write(
    { connection, folder }: Importer,
    name: string,
    select: string,
  ): Promise<string> {
    const file = join(folder, name)
    await connection.run(`copy (${select}) to '${file}' (format parquet)`)
    return file
  }

  test('Parquet columns of every type are read by their type', async () => {
    const place = await importer()
    const results: string[] = []
    for (const [at, { field, sent, expected }] of PARQUET.entries()) {
      const added =
        field in FIELDS
          ? `select * replace (${sent} as "${field}")`
          : `select *, ${sent} as "${field}"`
      const file = await write(place, `${at}.parquet`, `${added} from (select ${COLUMNS})`)
      const [column = ''] = expected.split('=')
      // A file without a readable record is refused, with the fault of its first record.
      const refused = await place
        .importFile({ file, format: 'parquet' })
        .then(() => undefined)
        .catch((error: unknown) => / such as line 1: ([^.]+)/.exec(String(error))?.[1])
      const [row] = await place.rows('from lake.seen.transaction_version')
      results.push(`${sent}: ${refused ?? `${column}=${String(row?.[column])}`}`)
      // The next file would bring no new version of an equal record.
      await place.connection.run('delete from lake.seen.transaction_version')
    }
    expect(results).toEqual(
      PARQUET.map(({ sent, expected }) => `${sent}: ${expected.replace(/: (.*) \[.*\]$/, ' $1')}`),
    )
  })

  test('nested columns are found by their path, and the config file can declare whole cents', async () => {
    const place = await importer()
    const select = `select ${COLUMNS.replace('12.30::decimal(18,2)', '1230::bigint')}, {'approved': true, 'code': '00'} as response`
    const file = await write(place, 'nested.parquet', select)
    await expect(place.importFile({ file, format: 'parquet' })).rejects.toMatchObject({
      code: 'import_unreadable',
      message: `${file}: column amountTotal is BIGINT, which can't be amountTotal in units with two decimals`,
    })
    await place.importFile({ file, format: 'parquet' }, { reading: { amounts: 'cents' } })
    expect(await place.rows(VERSIONS)).toMatchObject([
      { approved: true, response_code: '00', total_cents: '1230' },
    ])
  })

  test.each([
    ['amountTotal', `2.00::decimal(18,2) as "XmountTotal"`, 'XmountTotal', 'AmountTotal'],
    ['amountTotal', `2.00::decimal(18,2) as "xmountTotal"`, 'xmountTotal', 'amountTotal'],
    ['amountTotal', `2.00::decimal(18,2) as " AmountTotal"`, 'AmountTotal', 'AmountTotal'],
    [
      'settlement.settled',
      `{'settled': true, 'Xettled': false} as settlement`,
      'Xettled',
      'Settled',
    ],
    [
      'settlement.settled',
      `{'settled': true} as settlement, false as "Settlement.settled"`,
      'Settlement',
      'Settlement',
    ],
  ])('a file with two columns for %s is refused: %s', async (field, select, written, name) => {
    const place = await importer()
    const file = await write(place, 'twice.parquet', `select ${COLUMNS}, ${select}`)
    // DuckDB writes no two names that are alike, so that the second one gets its letters afterwards.
    const bytes = readFileSync(file, 'latin1').replaceAll(written, name)
    writeFileSync(file, bytes, 'latin1')
    await expect(place.importFile({ file, format: 'parquet' })).rejects.toMatchObject({
      code: 'import_unreadable',
      message: expect.stringContaining(`two columns are called ${field}`),
    })
    expect(await place.rows('select 1 from lake.ops.landing')).toEqual([])
  })

  test('a file that is not Parquet is refused', async () => {
    const { bring } = await importer()
    await expect(bring('hello', { format: 'parquet' })).rejects.toMatchObject({
      code: 'import_unreadable',
      message: expect.stringMatching(/export-1: can't be read as Parquet$/),
    })
  })

  test('a column outside the known fields is never read, and no personal data of a cardholder is stored', async () => {
    const place = await importer()
    const file = await write(
      place,
      'people.parquet',
      `select ${COLUMNS}, 'Ada' as "billing.firstName", 'ada@example.com' as email`,
    )
    await place.importFile({ file, format: 'parquet' })
    const text = JSON.stringify(await place.rows(VERSIONS))
    expect(text).not.toMatch(/Ada|example/)
    expect(text).toMatch(/"billing_key":"\d+"/)
  })
})
