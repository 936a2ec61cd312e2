import { expect, test } from 'vitest'
import { parseJson } from '../../../api/json/json.ts'
import { readParsed } from '../../../api/record/read-parsed.ts'
import { RULES } from '../../../api/record/record-rules.ts'
import { countNames, isUnknown } from '../../../api/record/unknown-fields.ts'
import type { List } from '../../../domain/run.ts'
import { read, recordText } from './records.ts'

const named = (list: List, texts: readonly string[]) =>
  texts.map((text) => ({
    unknown: readParsed(RULES[list], parseJson(text)).unknown.filter(isUnknown),
  }))

const counted = (list: List, ...texts: string[]) => countNames({}, named(list, texts))

const DOCUMENTED = `{"transactionId":1,"uri":"u","terminalId":2,"action":"CHARGE","achType":"PPD",
  "amountBase":"1.00","amountTax":"0.00","amountShipping":"0.00","amountTip":"0.00",
  "amountSurcharge":"0.00","amountTotal":"1.00","surcharge":{"percentage":1,"status":"APPLIED"},
  "invoiceNumber":"1","purchaseOrderNumber":"2","method":"KEYED","service":"API",
  "signatureStatus":"SIGNED","status":"CAPTURE","created":"2026-03-01T10:00:00Z",
  "lastModified":"2026-03-01T10:00:00Z","response":{"approved":true,"code":"00","message":"m",
  "processor":{"authorized":true}},"settlement":{"settled":true},"vault":{"type":"CARD",
  "accountType":"VISA","lastFour":"1111","achRoutingNumber":"1"},"billing":{},"shipping":{}}`

test('a record of the documented interface has no unknown name', () => {
  expect(counted('transactions', DOCUMENTED)).toEqual({})
  for (const list of ['settlements', 'terminals'] as const) {
    expect(counted(list, recordText(list, 'terminalId', '41'))).toEqual({})
  }
})

test('new fields pass, and each is counted by its name and never by its value', () => {
  const texts = ['"Ada"', '"Grace"'].map((value) => recordText('settlements', 'feeNet', value))
  for (const text of texts) expect(read('settlements', text)).toHaveProperty('row')
  expect(counted('settlements', ...texts)).toEqual({ feeNet: 2 })
  expect(counted('transactions', '{"settlement":{"settled":true,"batch":9}}')).toEqual({
    'settlement.batch': 1,
  })
})

test('an undocumented status, action, type or code passes and is counted', () => {
  expect(read('settlements', recordText('settlements', 'status', '"REPORTED"'))).toHaveProperty(
    'row',
  )
  expect(counted('settlements', '{"status":"REPORTED"}', '{"status":"pass"}')).toEqual({
    'status=REPORTED': 1,
    'status=(unprintable)': 1,
  })
  expect(counted('transactions', '{"action":"REVERSAL","vault":{"type":"WALLET"}}')).toEqual({
    'action=REVERSAL': 1,
    'vault.type=WALLET': 1,
  })
  expect(counted('terminals', '{"acceptance":["PPD","TEL"]}', '{"acceptance":"ARC"}')).toEqual({
    'acceptance=TEL': 1,
    'acceptance=ARC': 1,
  })
})

test.each(['Lovelace', 'ada', 'Ada Lovelace', 'ADA LOVELACE'])(
  'the value %j is no word of a service and is not repeated',
  (value) => {
    expect(counted('settlements', JSON.stringify({ status: value }))).toEqual({
      'status=(unprintable)': 1,
    })
  },
)

test('a rejected record has only the names of its fields counted', () => {
  const text = recordText('settlements', 'status', '["LOVELACE"]').replace('{', '{"feeNet":1,')
  expect(read('settlements', text)).toMatchObject({ reject: {}, unknown: ['feeNet'] })
})

test.each(['ada@example.com', '4111111111111111', 'Ada Lovelace', '', '__proto__', '\u0000'])(
  'the name %j is no plain word and is not repeated',
  (name) => {
    expect(
      counted(
        'terminals',
        JSON.stringify({ terminalId: 1 }).replace('}', `,${JSON.stringify(name)}:1}`),
      ),
    ).toEqual({
      '(unprintable)': 1,
    })
  },
)

test.each(['constructor', 'toString', 'hasOwnProperty', 'valueOf'])(
  'a field with the name %s is a field like any other',
  (name) => {
    expect(counted('terminals', `{"${name}":1}`, `{"${name}":2}`)).toEqual({ [name]: 2 })
  },
)

test('at most fifty names have a count of their own', () => {
  const fields = Array.from({ length: 80 }, (_, index) => `"new${index}":1`)
  const record = `{${fields.join(',')}}`
  const found = counted('settlements', record)
  expect(Object.keys(found)).toHaveLength(51)
  expect(found['(others)']).toBe(30)
  const again = countNames(found, named('settlements', [record]))
  expect(Object.values(again).reduce((sum, times) => sum + times)).toBe(160)
})

test('the counts of two pages add up', () => {
  const next = [{ unknown: ['b'] }, { unknown: ['b'] }, { unknown: ['b', 'toString_'] }, {}]
  expect(countNames({ a: 1, b: 2 }, next)).toEqual({
    a: 1,
    b: 5,
    toString_: 1,
  })
})

test.each(['null', '1', '[]', '"text"'])('the record %s has no names to count', (text) => {
  expect(counted('transactions', text)).toEqual({})
})
