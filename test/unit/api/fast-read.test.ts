/** Goal: a record read from the bytes of its page gives what the parsed record gives. Method: both ways, compared. */
import { expect, test } from 'vitest'
import { compileFastRead } from '../../../api/record/fast-read.ts'
import { rulesOf } from '../../../api/record/record-rules.ts'
import { keyByNumber } from '../../../api/json/known-keys.ts'
import { type Page, readPage, Unreadable } from '../../../api/http/page.ts'
import { readRecord } from '../../../api/record/record.ts'
import { parsed, SentRecord } from '../../../api/json/sent-record.ts'
import { Failure } from '../../../domain/failure.ts'
import type { Row } from '../../../api/record/rows.ts'
import { RECORD_FIELDS } from '../../../domain/record-fields.ts'
import type { List } from '../../../domain/run.ts'
import { LISTS as COLUMNS } from '../../../lake/landing/list-schemas.ts'
import { TypedRows } from '../../../lake/landing/typed-rows.ts'
import { mutatedBody, PAGE } from './mutations.ts'
import { HASH_KEY, recordText } from './records.ts'

const COUNT = Number(process.env['TIEOUT_TEST_MUTATIONS'] ?? 20_000)
const FIRST_SEED = 20_261_121

const pageWith = (list: List, body: Buffer): Page => {
  const url = new URL(`${PAGE}/${list}?offset=0&limit=50`)
  const reply = { status: 200, headers: { 'content-type': 'application/json' }, body }
  return readPage(reply, url)
}

const recordsOf = (list: List, body: Buffer): unknown[] => pageWith(list, body).records

/** The records of a body, or none where it is no page. */
function readable(list: List, body: Buffer): unknown[] {
  try {
    return recordsOf(list, body)
  } catch (error) {
    if (error instanceof Unreadable || error instanceof Failure) return []
    throw error
  }
}

test('damaged pages give the same rows and rejects, with the same hashes, on both ways', () => {
  const counts = { rows: 0, rejects: 0 }
  for (let seed = FIRST_SEED; seed < FIRST_SEED + COUNT; seed++) {
    const { list, body } = mutatedBody(seed)
    for (const record of readable(list, body)) {
      const [fast, slow] = [record, parsed(record)].map((one) => readRecord(list, one, HASH_KEY))
      if (JSON.stringify(fast) !== JSON.stringify(slow)) expect({ seed, read: fast }).toEqual(slow)
      if (record instanceof SentRecord && fast !== undefined) {
        counts['row' in fast ? 'rows' : 'rejects'] += 1
      }
    }
  }
  // A run with few rows or few rejects proves nothing.
  expect(Math.min(counts.rows, counts.rejects)).toBeGreaterThan(COUNT / 100)
})

const settlement = (more: string) =>
  `{"settlementId":880,"terminalId":41,"created":"2026-03-01T23:00:00Z","status":"COMPLETE",${more}}`

const pageOf = (...records: string[]) => Buffer.from(`{"results":[${records.join(',')}]}`)

const rowOf = (record: string, others: string[] = []) => {
  const last = recordsOf('settlements', pageOf(...others, record)).at(-1)
  return readRecord('settlements', last, HASH_KEY)
}

test('an id that no double holds keeps its last digit', () => {
  const record = settlement('"amountNet":1.00').replace('880', '9007199254740993')
  expect(rowOf(record)).toMatchObject({ row: { settlement_id: '9007199254740993' } })
})

test('an id with a point is refused, although it is a whole number', () => {
  const record = settlement('"amountNet":1.00').replace('880', '880.0')
  expect(rowOf(record)).toMatchObject({ reject: { field: 'settlementId', excerpt: '880.0' } })
})

test('a record that is read again after its page was released gives the same row', () => {
  const [first, second] = ['880', '99'].map((id) =>
    pageWith('settlements', pageOf(settlement('"amountNet":1.00').replace('880', id))),
  )
  const rowIn = (page: Page | undefined) => readRecord('settlements', page?.records[0], HASH_KEY)
  const before = rowIn(first)
  first?.release?.()
  first?.release?.()
  const third = pageWith('settlements', pageOf('{"settlementId":1}'))
  expect(rowIn(first)).toEqual(before)
  expect(rowIn(second)).toMatchObject({ row: { settlement_id: '99' } })
  expect(rowIn(third)).toMatchObject({ reject: { field: 'terminalId' } })
  expect(before).toMatchObject({ row: { settlement_id: '880' } })
})

test('a released page gives no field, not even one with the first known key', () => {
  // A tape without cells would give the first known key, at position 0.
  recordsOf('settlements', pageOf(settlement('"amountNet":1.00')))
  const { name } = keyByNumber(0)
  const read = compileFastRead(rulesOf({ [name]: { kind: 'id', required: true, column: 'id' } }))
  const page = pageWith('terminals', pageOf(`{"${name}":880}`))
  const [sent] = page.records
  if (!(sent instanceof SentRecord)) throw new Error('the page was parsed')
  expect(read(sent)?.values).toEqual(['880'])
  page.release?.()
  expect(read(sent)).toBeUndefined()
})

test('an amount that comes twice is refused if its values differ', () => {
  expect(rowOf(settlement('"amountNet":1.00,"amountNet":2.00'))).toMatchObject({
    reject: { field: 'amountNet', reason: 'is there twice with different values' },
  })
  expect(rowOf(settlement('"amountNet":1.00,"amountNet":1.00'))).toMatchObject({
    row: { net_cents: '100' },
  })
})

test('escapes, white space and the order of names change nothing', () => {
  const usual = settlement('"amountNet":12.30')
  const other = String.raw`{ "amountNet" : 12.30 , "st\u0061tus" : "COMPL\u0045TE",
    "created":"2026-03-01T23:00:00Z", "terminalId":41, "settlementId":880 }`
  expect(rowOf(other, [usual, usual])).toEqual(rowOf(usual))
})

test('a record in an array is no record', () => {
  expect(rowOf(`[${settlement('"amountNet":1.00')}]`)).toMatchObject({
    reject: { field: '', reason: 'is not an object' },
  })
})

test('an unknown field may hold any JSON, with known names inside', () => {
  const inner = '{"status":"PENDING","settlementId":1,"list":[{"amountNet":5}]}'
  expect(rowOf(settlement(`"new":${inner},"amountNet":1.00`))).toEqual({
    ...rowOf(settlement('"amountNet":1.00')),
    unknown: ['new'],
  })
})

test('500 levels of a page are scanned, and a deeper page is parsed to the same rows', () => {
  const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
  const sentWith = (levels: number) =>
    recordsOf(
      'settlements',
      pageOf(
        ...[nested(levels), `[${nested(400)},${nested(400)}]`].map((deep) =>
          settlement(`"amountNet":1.00,"deep":${deep}`),
        ),
      ),
    )
  expect(sentWith(497).every((record) => record instanceof SentRecord)).toBe(true)
  expect(sentWith(498).some((record) => record instanceof SentRecord)).toBe(false)
  const [scanned, parsedAtOnce] = [497, 498].map((levels) =>
    sentWith(levels).map((one) => readRecord('settlements', one, HASH_KEY)),
  )
  expect(scanned).toEqual(parsedAtOnce)
})

test('names with accents, raw and escaped, in a page that is not ASCII', () => {
  const raw = settlement('"amountNet":1.00').replace('COMPLETE', 'EINGELÖST')
  const escaped = settlement('"amountNet":1.00').replace('COMPLETE', 'EINGEL\\u00d6ST')
  expect(rowOf(raw)).toMatchObject({ row: { status: 'EINGELÖST' } })
  expect(rowOf(escaped, [raw])).toEqual(rowOf(raw))
})

const AMOUNTS = ['0.00', '0.05', '00.10', '0123.45', '1234567890123.45', '12345678901234.56']
const NOT_AMOUNTS = [
  '1.0',
  '-1.00',
  '1,00',
  '.50',
  '1.000',
  '1.00 ',
  '+1.00',
  '1e2',
  '٣.٠٠',
  '1.0x',
]
const IDS = ['1', '42', '999999999999999', '9007199254740993', '123456789012345678']
const LONG_IDS = ['1234567890123456789', '9223372036854775807', '9223372036854775808']
const NOT_IDS = ['0', '-0', '-5', '1.0', '1.5', '1e3', '10E2', '0.1', '12345678901234567890']
const DAYS = ['2026-03-01', '2026-02-29', '2024-02-29', '1969-12-31', '2199-12-31', '2200-01-01']
const TIMES = ['T00:00:00Z', 'T23:59:59Z', 'T24:00:00Z', 'T12:60:00Z', 'T12:00:60Z', 't12:00:00Z']
const OTHER_TIMES = [
  'T1a:00:00Z',
  ' 12:00:00Z',
  'T12:00:00z',
  'T12.00.00Z',
  'T12:00:00.5Z',
  'T12:00Z',
]
const TEXTS = [
  '',
  'A',
  'CAPTURE',
  'NEW_WORD',
  '=SUM',
  '@x',
  '1234',
  '**1234',
  '12a4',
  'é',
  '4111111111111111',
]
const ESCAPED = ['"\\u0041"', '"a\\"b"', '"\\u001f"', '"\\\\"', '"a\\nb"', '"1.\\u00300"']
const OTHERS = [
  'null',
  'true',
  'false',
  '{}',
  '[]',
  '["PPD","WEB"]',
  '3.5',
  '3.50000',
  '0.00001',
  '1E-3',
]

/** Values at and beyond the limits of the checks by bytes. */
const EDGES = [
  ...[...AMOUNTS, ...NOT_AMOUNTS, ...TEXTS].map((text) => `"${text}"`),
  ...DAYS.flatMap((day) => [...TIMES, ...OTHER_TIMES].map((time) => `"${day}${time}"`)),
  ...[...IDS, ...LONG_IDS, ...NOT_IDS, ...ESCAPED, ...OTHERS],
]

/** The value inside objects of these names. */
const within = (names: readonly string[], value: string) =>
  names.reduceRight((inner, name) => `{"${name}":${inner}}`, value)

const LISTS: readonly List[] = ['transactions', 'settlements', 'terminals']

test.each(LISTS)(
  'each value at a limit gives the same by its bytes and by its check, in the form of its column: %s',
  (list) => {
    const counts = { row: 0, reject: 0 }
    const rows: Row[] = []
    for (const field of Object.keys(RECORD_FIELDS[list])) {
      const [outer = '', ...names] = field.split('.')
      for (const edge of EDGES) {
        const sent = within(names, edge)
        const records = [recordText(list, 'uri', '"u"'), recordText(list, outer, sent)]
        for (const record of recordsOf(list, pageOf(...records, ...records.toReversed()))) {
          const [fast, slow] = [record, parsed(record)].map((one) =>
            readRecord(list, one, HASH_KEY),
          )
          if (JSON.stringify(fast) !== JSON.stringify(slow)) {
            expect({ field, edge, read: fast }).toEqual({ field, edge, read: slow })
          }
          if (fast !== undefined) counts['row' in fast ? 'row' : 'reject'] += 1
          if (fast !== undefined && 'row' in fast) rows.push(fast.row)
        }
      }
    }
    expect(Math.min(counts.row, counts.reject)).toBeGreaterThan(100)
    expect(() => TypedRows.of(COLUMNS[list].types, rows).pieces()).not.toThrow()
  },
)
