/** Keys that were met before are recognised, whatever came in between: each record is read as the parser reads it. */
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

/** An object with so much white space after each colon. */
const written = (fields: readonly Field[], space = '') =>
  `{${fields.map(([name, value]) => `"${name}":${space}${value}`).join(',')}}`

/** Reads settlements of one page on both ways, and gives what both came to. */
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
  const rotated = FIELDS.map((_, n) => written([...FIELDS.slice(n), ...FIELDS.slice(0, n)]))
  const spaced = [' ', '\t', '\n  ', ''].map((space) => written(FIELDS, space))
  const some = FIELDS.map((_, n) => written(FIELDS.filter((__, other) => other !== n)))
  const read = readBoth([...rotated, ...some, ...spaced, ...rotated.toReversed()])
  expect(read.filter((one) => 'row' in one)).toHaveLength(rotated.length * 2 + spaced.length)
  expect(read.filter((one) => 'row' in one)).toEqual(
    Array.from({ length: 14 }, () => ({ row: expect.objectContaining(row) })),
  )
})

test('a name that another one begins with, ends with or only writes otherwise is another or the same name', () => {
  const others: Field[] = ['created2', 'create', '\\u0063reatedX', 'Created', 'reated'].map(
    (name) => [name, '1'],
  )
  const [read] = readBoth([written([...others, ...FIELDS]), written(FIELDS)])
  expect(read).toMatchObject({
    row,
    unknown: ['Created', 'create', 'created2', 'createdX', 'reated'],
  })
  const escaped = written([
    ['\\u0063reated', '"2026-03-01T23:00:00Z"'],
    ...FIELDS.slice(0, 2),
    ...FIELDS.slice(3),
  ])
  expect(readBoth([escaped, written(FIELDS), escaped])).toMatchObject([{ row }, { row }, { row }])
})

test('the same name twice is found however it is written', () => {
  const twice = (name: string) => written([...FIELDS, [name, '99.00']])
  const spaced = twice('amountNet').replace('"amountNet":99', '"amountNet": 99')
  for (const read of readBoth([twice('amountNet'), twice('amountN\\u0065t'), spaced])) {
    expect(read).toMatchObject({ reject: { field: 'amountNet' } })
  }
})

test('the same name in objects within objects stands for itself in each', () => {
  const inner = written([
    ['status', '"PENDING"'],
    ['amountNet', '1.00'],
  ])
  const deep = `{"status":[${inner},{"status":${inner}}],"settlementId":5}`
  const read = readBoth([
    written([['more', deep], ...FIELDS]),
    written([...FIELDS, ['more', deep]]),
  ])
  expect(read).toMatchObject([
    { row, unknown: ['more'] },
    { row, unknown: ['more'] },
  ])
})

test('more new names than anybody remembers, and longer ones, are told all the same', () => {
  const many = Array.from({ length: 5000 }, (_, n): Field => [`new${n}`, `{"inner${n}":${n}}`])
  const long: Field = ['x'.repeat(300), '1']
  const shares = Array.from({ length: 50 }, (_, n) => many.slice(n * 100, n * 100 + 100))
  const read = readBoth(shares.map((share) => written([...share, long, ...FIELDS])))
  for (const [n, one] of read.entries()) {
    expect(one).toMatchObject({ row })
    expect(one.unknown).toHaveLength(101)
    expect(one.unknown).toContain(`new${n * 100}`)
  }
  expect(readBoth([written(FIELDS)])).toMatchObject([{ row }])
})
