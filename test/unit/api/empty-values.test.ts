/**
 * Goal: an empty value is never a wrong value. Method: each optional and required field, with each kind of emptiness.
 */
import { expect, test } from 'vitest'
import { readPage } from '../../../api/http/page.ts'
import { readRecord } from '../../../api/record/record.ts'
import type { List } from '../../../domain/run.ts'
import { HASH_KEY } from './records.ts'

const RECORDS: Record<List, [required: string, optional: string[]]> = {
  settlements: [
    '"settlementId":1,"terminalId":41,"created":"2026-03-01T00:00:00Z","amountNet":1.00,"status":"COMPLETE"',
    [],
  ],
  terminals: [
    '"terminalId":41',
    ['nickName', 'type', 'enabled', 'accountId', 'merchantNumber', 'surcharge', 'acceptance'],
  ],
  transactions: [
    '"transactionId":1,"terminalId":41,"action":"CHARGE","status":"CAPTURE","created":"2026-03-01T00:00:00Z","amountTotal":"1.00"',
    [
      ...['amountBase', 'amountTax', 'amountTip', 'lastModified', 'achType', 'method'],
      ...['invoiceNumber', 'response', 'settlement', 'surcharge', 'vault', 'billing'],
    ],
  ],
}
const EMPTY = ['""', '[]', '{}', 'null']

/** Reads one record from the bytes of its page, as a sweep does. */
function read(list: List, fields: string) {
  const reply = { status: 200, headers: {}, body: Buffer.from(`{"results":[{${fields}}]}`) }
  const page = readPage(reply, new URL(`http://127.0.0.1/${list}?offset=0&limit=50`))
  return readRecord(list, page.records[0], HASH_KEY)
}

const OPTIONAL = Object.entries(RECORDS).flatMap(([list, [, names]]) =>
  names.flatMap((name) => EMPTY.map((empty) => [list as List, name, empty] as const)),
)

test.each(OPTIONAL)('%s: %s that is %s is absent and counted', (list, name, empty) => {
  const [required] = RECORDS[list]
  const record = read(list, `${required},"${name}":${empty}`)
  expect(record).toEqual({ ...read(list, required), unknown: [`${name}=(empty)`] })
})

test.each([
  ['vault', 'lastFour'],
  ['response', 'approved'],
  ['settlement', 'settled'],
  ['surcharge', 'percentage'],
])('an empty part of a part is counted by its path: %s.%s', (part, name) => {
  const [required] = RECORDS.transactions
  for (const empty of EMPTY) {
    const record = read('transactions', `${required},"${part}":{"${name}":${empty}}`)
    expect(record).toMatchObject({ row: {}, unknown: [`${part}.${name}=(empty)`] })
  }
})

test.each(
  Object.entries(RECORDS).flatMap(([list, [required]]) =>
    required
      .split(',')
      .flatMap((field) => EMPTY.map((empty) => [list as List, field, empty] as const)),
  ),
)('%s: an empty required field is refused: %s as %s', (list, field, empty) => {
  const [required] = RECORDS[list]
  const name = field.split('"')[1] ?? ''
  const record = read(list, required.replace(field, `"${name}":${empty}`))
  expect(record).toMatchObject({ reject: { field: name } })
})

test('zero is a value', () => {
  const [required] = RECORDS.transactions
  expect(read('transactions', `${required},"amountTax":"0.00"`)).toMatchObject({
    row: { tax_cents: '0' },
  })
})
