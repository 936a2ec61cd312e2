/**
 * Goal: new names of the service pass, and each run reports them once. Method: a service with new fields and a new
 * status.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { summaryOf } from '../../../cli/run/summary.ts'
import { tamperedRecords, type ChangeRecord } from '../privacy/tampered-service.ts'
import { startPipeline, type Night } from '../../support/pipeline.ts'
import { rowsOf } from '../../support/temp-lake.ts'

const WORLD = { terminals: 3, transactions: 600, from: '2026-09-20', days: 40 }
const NOW = '2026-10-28T04:15:00Z'

const manifestOf = ({ pack }: Night): Record<string, unknown> =>
  JSON.parse(readFileSync(join(pack, 'manifest.json'), 'utf8'))

/**
 * Every tenth transaction has two new fields, and empty values for tax and billing. Two settlements have a new
 * status.
 */
const change: ChangeRecord = (list, ordinal, record) => {
  if (list === 'transactions' && ordinal % 10 === 0) {
    const empty = record
      .replace(/,"amountTax":"[^"]*"/, '')
      .replace(/,"billing":\{[^{}]*(\{[^{}]*\}[^{}]*)?\}/, '')
    return empty.replace(
      '{',
      '{"amountTax":"","billing":[],"channel":"ada@example.com","Ada Lovelace":1,',
    )
  }
  if (list === 'settlements' && ordinal < 2) {
    return record.replace(/"status":"[A-Z]+"/, '"status":"REPORTED"')
  }
  return record
}

test('unknown fields and words are in the manifest and in the answer, by name and never by value', async () => {
  const through = async (url: string) => (await tamperedRecords(url, change)).url
  const pipeline = await startPipeline(WORLD, NOW, { through })
  const night = await pipeline.night('one')
  // The settlements are read before the transactions and after them; both readings are of one run. The terminals hold
  // nothing new and are not named.
  const { channel = 0 } = night.unknownNames?.transactions ?? {}
  expect(channel).toBeGreaterThan(40)
  const told = {
    settlements: { 'status=REPORTED': 4 },
    transactions: { '(unprintable)': channel, channel },
  }
  expect(night.unknownNames).toEqual(told)
  expect(manifestOf(night)['unknownNames']).toEqual(told)
  expect(manifestOf(night)['emptyValues']).toEqual({
    transactions: { amountTax: channel, billing: channel },
  })
  expect(summaryOf({ ...night, ...night.run }, 'UTC')).toEqual(
    expect.arrayContaining([
      "settlements hold fields or values that the known interface doesn't have: status=REPORTED (4)",
      `transactions hold fields or values that the known interface doesn't have: (unprintable) (${channel}), channel (${channel})`,
    ]),
  )
  const stored = await pipeline.shared.connected((_lake, connection) =>
    rowsOf(
      connection,
      `select distinct run_id, list, name from lake.ops.unknown_name order by all`,
    ),
  )
  expect(stored).toEqual([
    { run_id: 'one', list: 'settlements', name: 'status=REPORTED' },
    { run_id: 'one', list: 'transactions', name: '(unprintable)' },
    { run_id: 'one', list: 'transactions', name: 'amountTax=(empty)' },
    { run_id: 'one', list: 'transactions', name: 'billing=(empty)' },
    { run_id: 'one', list: 'transactions', name: 'channel' },
  ])
  const files = ['manifest.json', 'exceptions.csv'].map((name) =>
    readFileSync(join(night.pack, name), 'utf8'),
  )
  expect(files.join('')).not.toMatch(/ada@|Lovelace/)
}, 120_000)
