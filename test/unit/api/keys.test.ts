/** Goal: keys are recognised whatever came before them. Method: each record is also parsed, and both are compared. */
import { expect, test } from 'vitest'
import { readPage } from '../../../api/http/page.ts'
import { readRecord } from '../../../api/record/record.ts'
import { parsed, SentRecord } from '../../../api/json/sent-record.ts'
import { PAGE } from './mutations.ts'
import { HASH_KEY } from './records.ts'

const FIELDS = [
  ['settlementId', '880'],
  ['terminalId', '41'],
  ['created', '"2026-03-01T23:00:00Z"'],
  ['status', '"COMPLETE"'],
  ['amountNet', '12.30'],
] as const

type Field = readonly [name: string, value: string]

/** The text of an object with this white space after each colon. */
const objectText = (fields: readonly Field[], space = '') =>
  `{${fields.map(([name, value]) => `"${name}":${space}${value}`).join(',')}}`

/** Reads the settlements of one page on both ways, and gives what both give. */
function readBoth(records: readonly string[]) {
  const reply = {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(`{"results":[${records.join(',')}]}`),
  }
  const sent = readPage(reply, new URL(`${PAGE}/settlements?offset=0&limit=50`)).records
  expect(sent.every((record) => record instanceof SentRecord)).toBe(true)
  const fast = sent.map((record) => readRecord('settlements', record, HASH_KEY))
  expect(fast).toEqual(sent.map((record) => readRecord('settlements', parsed(record), HASH_KEY)))
  return fast
}

const row = {
  settlement_id: '880',
  terminal_id: '41',
  created: '2026-03-01 23:00:00.000000',
  status: 'COMPLETE',
  net_cents: '1230',
}

test('fields in any order, with any space, and some of them missing in between', () => {
  const rotated = FIELDS.map((_, n) => objectText([...FIELDS.slice(n), ...FIELDS.slice(0, n)]))
  const spaced = [' ', '\t', '\n  ', ''].map((space) => objectText(FIELDS, space))
  const some = FIELDS.map((_, n) => objectText(FIELDS.filter((__, other) => other !== n)))
  const read = readBoth([...rotated, ...some, ...spaced, ...rotated.toReversed()])
  expect(read.filter((one) => 'row' in one)).toHaveLength(rotated.length * 2 + spaced.length)
  expect(read.filter((one) => 'row' in one)).toEqual(
    Array.from({ length: 14 }, () => ({ row: expect.objectContaining(row) })),
  )
})

test('a part of a known name is another name, and an escaped known name is the same', () => {
  const others: Field[] = ['created2', 'create', '\\u0063reatedX', 'Created', 'reated'].map(
    (name) => [name, '1'],
  )
  const [read] = readBoth([objectText([...others, ...FIELDS]), objectText(FIELDS)])
  expect(read).toMatchObject({
    row,
    unknown: ['Created', 'create', 'created2', 'createdX', 'reated'],
  })
  const escaped = objectText([
    ['\\u0063reated', '"2026-03-01T23:00:00Z"'],
    ...FIELDS.slice(0, 2),
    ...FIELDS.slice(3),
  ])
  expect(readBoth([escaped, objectText(FIELDS), escaped])).toMatchObject([
    { row },
    { row },
    { row },
  ])
})

test('a name that comes twice is found, escaped or not', () => {
  const twice = (name: string) => objectText([...FIELDS, [name, '99.00']])
  const spaced = twice('amountNet').replace('"amountNet":99', '"amountNet": 99')
  for (const read of readBoth([twice('amountNet'), twice('amountN\\u0065t'), spaced])) {
    expect(read).toMatchObject({ reject: { field: 'amountNet' } })
  }
})

test('a known name inside a nested object is no field of the record', () => {
  const inner = objectText([
    ['status', '"PENDING"'],
    ['amountNet', '1.00'],
  ])
  const deep = `{"status":[${inner},{"status":${inner}}],"settlementId":5}`
  const read = readBoth([
    objectText([['more', deep], ...FIELDS]),
    objectText([...FIELDS, ['more', deep]]),
  ])
  expect(read).toMatchObject([
    { row, unknown: ['more'] },
    { row, unknown: ['more'] },
  ])
})

test('new names are counted beyond the limits of known keys', () => {
  const many = Array.from({ length: 5000 }, (_, n): Field => [`new${n}`, `{"inner${n}":${n}}`])
  const long: Field = ['x'.repeat(300), '1']
  const shares = Array.from({ length: 50 }, (_, n) => many.slice(n * 100, n * 100 + 100))
  const read = readBoth(shares.map((share) => objectText([...share, long, ...FIELDS])))
  for (const [n, one] of read.entries()) {
    expect(one).toMatchObject({ row })
    expect(one.unknown).toHaveLength(101)
    expect(one.unknown).toContain(`new${n * 100}`)
  }
  expect(readBoth([objectText(FIELDS)])).toMatchObject([{ row }])
})
