/** Records that are read straight from the text of their page come to the same as those that are parsed first. */
import { expect, test } from 'vitest'
import { Unreadable, readPage } from '../../api/page.ts'
import { readRecord } from '../../api/record.ts'
import { parsed, SentRecord } from '../../api/sent-record.ts'
import { Failure } from '../../domain/failure.ts'
import type { List } from '../../domain/run.ts'
import { mutatedBody, PAGE } from './mutations.ts'
import { HASH_KEY } from './records.ts'

const COUNT = Number(process.env['TIEOUT_TEST_MUTATIONS'] ?? 20_000)
const FIRST_SEED = 20_261_121

const recordsOf = (list: List, body: Buffer): unknown[] => {
  const url = new URL(`${PAGE}/${list}?offset=0&limit=50`)
  const reply = { status: 200, headers: { 'content-type': 'application/json' }, body }
  return readPage(reply, url).records
}

/** The records of a body, or none where it is no page. */
function readable(list: List, body: Buffer): unknown[] {
  try {
    return recordsOf(list, body)
  } catch (error) {
    if (error instanceof Unreadable || error instanceof Failure) return []
    throw error
  }
}

test('damaged pages give the same rows and the same rejects, with the same hashes, on both ways', () => {
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
  // Without both kinds in numbers this would have proved nothing.
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

test('an amount that is sent twice with different values is refused, with the same value it counts', () => {
  expect(rowOf(settlement('"amountNet":1.00,"amountNet":2.00'))).toMatchObject({
    reject: { field: 'amountNet', reason: 'is there twice with different values' },
  })
  expect(rowOf(settlement('"amountNet":1.00,"amountNet":1.00'))).toMatchObject({
    row: { net_cents: '100' },
  })
})

test('names and values with escapes, blanks between them, and another order of names change nothing', () => {
  const usual = settlement('"amountNet":12.30')
  const other = String.raw`{ "amountNet" : 12.30 , "st\u0061tus" : "COMPL\u0045TE",
    "created":"2026-03-01T23:00:00Z", "terminalId":41, "settlementId":880 }`
  expect(rowOf(other, [usual, usual])).toEqual(rowOf(usual))
})

test('a record in an array is no record, whatever stands in it', () => {
  expect(rowOf(`[${settlement('"amountNet":1.00')}]`)).toMatchObject({
    reject: { field: '', reason: 'is not an object' },
  })
})

test('what nobody reads may hold anything that is JSON, fields of known names too', () => {
  const inner = '{"status":"PENDING","settlementId":1,"list":[{"amountNet":5}]}'
  expect(rowOf(settlement(`"new":${inner},"amountNet":1.00`))).toEqual({
    ...rowOf(settlement('"amountNet":1.00')),
    unknown: ['new'],
  })
})

test('names with accents, raw and escaped, in a page that is not ASCII', () => {
  const raw = settlement('"amountNet":1.00').replace('COMPLETE', 'EINGELÖST')
  const escaped = settlement('"amountNet":1.00').replace('COMPLETE', 'EINGEL\\u00d6ST')
  expect(rowOf(raw)).toMatchObject({ row: { status: 'EINGELÖST' } })
  expect(rowOf(escaped, [raw])).toEqual(rowOf(raw))
})
