/**
 * Goal: a record from the service and from an export gives the same row or the same reject. Method: each record both
 * ways.
 */
import fc from 'fast-check'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseJson } from '../../../api/json/json.ts'
import { readRecord } from '../../../api/record/record.ts'
import type { ImportList } from '../../../domain/import.ts'
import { land } from '../../../lake/landing/land.ts'
import { HASH_KEY, outcomeOf, recordText, tableOf } from '../api/records.ts'
import { importer, type Importer } from './exports.ts'

/** Values that the service must send as a number and an export may write as text, and the reverse. */
const FORGIVEN = tableOf(String.raw`
  amountTotal   | 12.30        | total_cents=1230
  amountTotal   | 12           | total_cents=1200
  amountTotal   | 12.3         | total_cents=1230
  amountTotal   | 0.1e2        | total_cents=1000
  amountTotal   | 1234567.89   | total_cents=123456789
  amountTotal   | 0.30000000000000004 | total_cents=30
  amountTotal   | 12.000001    | total_cents=1200
  amountTotal   | 12.0000011   | amountTotal: is not an amount with two decimals [12.0000011]
  amountTotal   | 12.345       | amountTotal: is not an amount with two decimals [12.345]
  amountTotal   | -12.3        | amountTotal: is negative [-12.30]
  amountTotal   | 1e400        | amountTotal: is not an amount with two decimals [1e400]
  amountTotal   | 12.30000000000000000000001 | total_cents=1230
  amountBase    | 3            | base_cents=300
  transactionId | "70001"      | transaction_id=70001
  transactionId | "007"        | transactionId: is not a positive integer [007]
  terminalId    | "41"         | terminal_id=41
  settlementId  | "880"        | explicit_settlement_id=880
  response      | {"approved":"true"}   | approved=true
  response      | {"approved":"false"}  | approved=false
  surcharge     | {"percentage":"3.5"}  | surcharge_percentage=3.5000
  amountTotal   | "+12.30"     | total_cents=1230
  amountTotal   | " 12.30"     | total_cents=1230
  amountTotal   | "12.30 "     | total_cents=1230
  amountTotal   | "(12.30)"    | amountTotal: is negative [-12.30]
  transactionId | 5.0          | transaction_id=5
  transactionId | 9007199254740993.0 | transaction_id=9007199254740993
  terminalId    | 41.0         | terminal_id=41
  settlementId  | 880.0        | explicit_settlement_id=880
  created       | "2026-03-01 10:00:00Z" | created=2026-03-01 10:00:00
  status        | "\tCAPTURE"  | status=CAPTURE
  status        | "capture"    | status=CAPTURE
  action        | "charge"     | action=CHARGE
  response      | {"approved":1}        | approved=true
  settlement    | {"settled":"yes"}     | settled=true
  settlement    | {"settled":0}         | settled=false
  vault         | {"lastFour":1111}     | last_four=1111
  vault         | {"lastFour":42}       | last_four=0042
  vault         | {"lastFour":"42"}     | last_four=0042
  vault         | {"type":"ach"}        | vault_type=ACH
`)

const FORGIVEN_NETS = tableOf(String.raw`
  amountNet    | "12.30"       | net_cents=1230
  amountNet    | "-0.30000000000000004" | net_noise=true
  settlementId | "880"         | settlement_id=880
`)

/** Every value of the tables that the reader of the service's records is tested with. */
function tables(...names: string[]): { field: string; sent: string }[] {
  const text = readFileSync(join(import.meta.dirname, '../api/records.test.ts'), 'utf8')
  return names.flatMap((name) => {
    const [, table = ''] =
      new RegExp(`const ${name} = tableOf\\(String.raw\`([^\`]*)\``).exec(text) ?? []
    return tableOf(table)
  })
}

const isForgiven = (list: ImportList, one: { field: string; sent: string }) =>
  holdsNothing(one.sent) ||
  (list === 'transactions' ? FORGIVEN : FORGIVEN_NETS).some(
    ({ field, sent }) => field === one.field && sent === one.sent,
  )

/** Optional fields that hold nothing have a test of their own. */
const holdsNothing = (sent: string) => /^(?:\{"[^"]*":)?(?:""|\[\]|\{\})\}?$/.test(sent)

/** The record with a mark of its own, so that no two of them are versions of one. */
function marked(list: ImportList, { field, sent }: { field: string; sent: string }, at: number) {
  const id = list === 'transactions' ? 'transactionId' : 'settlementId'
  const base = recordText(list, field, sent)
  return field === id
    ? base
    : base.replace(/"(?:transactionId|settlementId)":(?:70001|880)/, `"${id}":${100_000 + at}`)
}

/** Enough good records that the bad ones are few. */
const padding = (list: ImportList, bad: number) =>
  Array.from({ length: bad * 101 }, (_, at) =>
    marked(list, { field: 'note', sent: '1' }, 1_000_000 + at),
  )

const LANDED = {
  transactions: `select columns(c -> c not in ('sweep_id', 'ordinal', 'observed_at', 'landing_seq')) from lake.seen.transaction_version
    where transaction_id not between 1100000 and 9000000 order by content_hash`,
  settlements: `select columns(c -> c not in ('sweep_id', 'ordinal', 'observed_at', 'landing_seq')) from lake.seen.settlement_version
    where settlement_id not between 1100000 and 9000000 order by content_hash`,
  // An import says in which line of which file a record stands, too.
  quarantine: `select columns(c -> c not in ('sweep_id', 'ordinal', 'observed_at', 'landing_seq'))
    from (select * replace (regexp_replace(reason, ', line [0-9]+ of [^ ]+$', '') as reason) from lake.seen.quarantine) order by all`,
}

async function landAsSent(
  { lake, connection }: Importer,
  list: ImportList,
  lines: readonly string[],
) {
  const read = lines.map((line) => readRecord(list, parseJson(line), HASH_KEY))
  await land(lake, connection, {
    account: 'acme',
    runId: 'r1',
    sweepId: `r1/${list}/1`,
    list,
    batch: 0,
    rows: read.flatMap((one) => ('row' in one ? [one.row] : [])),
    rejects: read.flatMap((one) => ('reject' in one ? [one.reject] : [])),
    pages: [],
    state: {},
    observedAt: '2026-11-02T00:00:00.000Z',
  })
  return read.filter((one) => 'reject' in one).length
}

async function expectSame(list: ImportList, lines: readonly string[]): Promise<void> {
  const sent = await importer()
  const exported = await importer()
  const rejects = await landAsSent(sent, list, lines)
  const result = await exported.bring([...lines, ...padding(list, rejects)].join('\n'), { list })
  expect(await exported.rows(LANDED.quarantine)).toEqual(await sent.rows(LANDED.quarantine))
  expect(await exported.rows(LANDED[list])).toEqual(await sent.rows(LANDED[list]))
  expect(result.quarantined).toBe(rejects)
}

const CASES: [ImportList, string[]][] = [
  ['transactions', ['MONEY', 'IDS', 'TIMES', 'WORDS', 'NESTED']],
  ['settlements', ['NET', 'SETTLEMENTS']],
]

test.each(CASES)('every value of the tables of %s', async (list, names) => {
  const values = tables(...names).filter((one) => !isForgiven(list, one))
  expect(values.length).toBeGreaterThan(list === 'transactions' ? 240 : 50)
  await expectSame(
    list,
    values.map((value, at) => marked(list, value, at)),
  )
})

test.each([
  ['transactions', FORGIVEN],
  ['settlements', FORGIVEN_NETS],
] as const)(
  'another permitted form of an export of %s is read with the same meaning',
  async (list, table) => {
    const { bring, rows } = await importer()
    const lines = table.map((value, at) => marked(list, value, at))
    await bring(lines.join('\n'), { list })
    const landed = await rows(`from lake.seen.${list.slice(0, -1)}_version`)
    const rejected = await rows('from lake.seen.quarantine')
    const outcomes = table.map(({ field, sent, expected }, at) => {
      const [column = ''] = expected.split('=')
      const row = landed.find(({ ordinal }) => ordinal === String(at))
      const reject = rejected.find(({ ordinal }) => ordinal === String(at))
      const outcome =
        row === undefined
          ? `${String(reject?.['field'])}: ${String(reject?.['reason']).replace(/, line.*$/, '')} [${String(reject?.['excerpt'])}]`
          : `${column}=${String(row[column])}`
      return `${field} ${sent}: ${outcome}`
    })
    expect(outcomes).toEqual(
      table.map(({ field, sent, expected }) => `${field} ${sent}: ${expected}`),
    )
    for (const { field, sent, expected } of table) {
      const bySent = readRecord(list, parseJson(recordText(list, field, sent)), HASH_KEY)
      expect(outcomeOf(bySent, expected)).not.toBe(expected)
    }
  },
)

test('people have the same hash of their billing identity both ways', async () => {
  const names = [
    'Ada',
    ' ada ',
    'ADA',
    'Zoë',
    'ZOE\u0308',
    'İpek',
    'ıpek',
    'Straße',
    'STRASSE',
    'Łukasz',
    'ŁUKASZ',
    'ŉa',
    'ﬁn',
    'fin',
    'Ὀδυσσεύς',
    'ΟΔΥΣΣΕΥΣ',
    '李',
    'a"b',
    'a\\b',
    'Ａda',
    '\u00a0Ada\u2003',
    'a\tb',
    'Ǆ',
    'ſ',
    'ĳ',
    'Ĳ',
    '😀',
    'a\u0300\u0323',
    '  ',
    '',
    "o'Neil",
  ]
  const lines = names.flatMap((name, at) => [
    marked('transactions', { field: 'billing', sent: JSON.stringify({ firstName: name }) }, 3 * at),
    marked(
      'transactions',
      { field: 'billing', sent: JSON.stringify({ lastName: name, address: { zip: '02134' } }) },
      3 * at + 1,
    ),
    marked(
      'transactions',
      {
        field: 'billing',
        sent: JSON.stringify({ firstName: 'x', lastName: name, address: { zip: name } }),
      },
      3 * at + 2,
    ),
  ])
  await expectSame('transactions', lines)
})

test('the hash is that of the service for every letter that SQL converts to lower case, and for any key', async () => {
  const letters = Array.from({ length: 0x180 }, (_, code) => String.fromCodePoint(code)).filter(
    (letter) => letter >= ' ',
  )
  const lines = letters.map((letter, at) =>
    marked(
      'transactions',
      {
        field: 'billing',
        sent: JSON.stringify({ firstName: `${letter}x`, lastName: `x${letter}` }),
      },
      at,
    ),
  )
  await expectSame('transactions', lines)
})

const scalar = fc.oneof(
  fc.constantFrom(
    'CHARGE',
    '12.30',
    '',
    ' ',
    '=1',
    '4111 1111 1111 1111',
    '2026-03-01T10:00:00+05:30',
    '2026-13-01T10:00:00Z',
    'x'.repeat(70),
    'été',
  ),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.integer(),
  fc.double({ noDefaultInfinity: true, noNaN: true }),
  fc.boolean(),
  fc.constant(null),
)

test('random records give the same result both ways', async () => {
  const top = [
    'transactionId',
    'terminalId',
    'action',
    'created',
    'lastModified',
    'amountTip',
    'achType',
    'invoiceNumber',
    'response',
    'vault',
    'surcharge',
    'billing',
    'settlement',
  ]
  const inner = [
    'approved',
    'code',
    'settled',
    'settlementId',
    'percentage',
    'status',
    'type',
    'lastFour',
    'firstName',
    'address',
    'zip',
  ]
  const object = fc.dictionary(fc.constantFrom(...inner), scalar, { maxKeys: 4 })
  const value = fc.oneof(scalar, object, fc.dictionary(fc.constant('address'), object))
  const record = fc.tuple(fc.constantFrom(...top), value)
  // A number in quotes, and the other way round, is another table's business.
  const isNumberLike = (sent: string) =>
    /^"?-?[0-9.e+-]+"?$/i.test(sent) ||
    /"(?:settlementId|percentage)":"|"(?:settled|approved)":(?:"(?:true|false)"|-?\d)|"lastFour":-?\d/.test(
      sent,
    )
  // So are blanks around a value, and values that hold nothing.
  const isBlank = (sent: string) => /""|\{\}|\[\]|"\s|\s"|\\[tnr]"|"\\[tnr]/.test(sent)
  const isPlain = ([field, value]: [string, unknown]) => {
    const sent = JSON.stringify(value)
    const isStrict =
      !/Id$|^amount/.test(field) &&
      !['surcharge', 'settlement', 'response', 'vault'].includes(field)
    return !isBlank(sent) && (isStrict || !isNumberLike(sent))
  }
  const records = fc.sample(record.filter(isPlain), { numRuns: 600, seed: 7 })
  await expectSame(
    'transactions',
    records.map(([field, sent], at) =>
      marked('transactions', { field, sent: JSON.stringify(sent) }, at),
    ),
  )
})
