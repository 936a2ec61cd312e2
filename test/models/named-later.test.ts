/**
 * Goal: a settlement id counts once, and before what arithmetic finds. Method: a lake of a few records, and the models
 * that place its transactions.
 */
import { expect, test } from 'vitest'
import { modelOn } from './seen-lake.ts'

const TRANSACTIONS =
  'transaction_id | terminal_id | action | status | approved | settled | explicit_settlement_id | created | total_cents | sweep_id | landing_seq | ordinal | observed_at'
const SETTLEMENTS =
  'settlement_id | terminal_id | created | net_cents | status | sweep_id | landing_seq | ordinal | observed_at'
const SWEEPS =
  'sweep_id | run_id | list | started_seq | started_at | ended_at | certificate | landing_seq'

test('a transaction that an observation placed is placed once after its record names the settlement', async () => {
  const version = (id: number, cents: number, rest: string) =>
    `${id} | 7 | CHARGE | CAPTURE | true | ${rest.replace('#', `2026-11-01 10:00 | ${cents}`).replace('@', String(id))}`
  const each = (rest: string) => [version(1, 1000, rest), version(2, 2100, rest)].join('\n')
  const tables = (last: string) => ({
    'seen.transaction_version': `${TRANSACTIONS}
      ${each('false |     | # | t1 | 1 | @ | 2026-11-01 20:00')}
      ${each('true  |     | # | t2 | 3 | @ | 2026-11-02 20:00')}
      ${last}`,
    'seen.settlement_version': `${SETTLEMENTS}
      900 | 7 | 2026-11-02 03:00 | 3100 | COMPLETE | s2 | 2 | 1 | 2026-11-02 19:00`,
    'ops.sweep': `${SWEEPS}
      t1 | r1 | transactions | 0 | 2026-11-01 20:00 | 2026-11-01 20:00 | CONTIGUOUS | 1
      s2 | r2 | settlements  | 1 | 2026-11-02 19:00 | 2026-11-02 19:00 | CONTIGUOUS | 2
      t2 | r2 | transactions | 2 | 2026-11-02 20:00 | 2026-11-02 20:00 | CONTIGUOUS | 3
      t3 | r3 | transactions | 4 | 2026-11-03 20:00 | 2026-11-03 20:00 | CONTIGUOUS | 5`,
  })
  const methods = async (last: string) =>
    (await modelOn('settled_member', tables(last))).map((row) => row['method'])
  const remaining = async (last: string) =>
    (await modelOn('settlement_running_net', tables(last))).map((row) => row['remaining_cents'])
  const named = each('true | 900 | # | t3 | 5 | @ | 2026-11-03 20:00')
  expect(await methods('')).toEqual(['OBSERVED', 'OBSERVED'])
  expect(await remaining('')).toEqual(['0'])
  expect(await methods(named)).toEqual(['EXPLICIT_ID', 'EXPLICIT_ID'])
  expect(await remaining(named)).toEqual(['0'])
  // An id that no settlement has is none.
  const unknown = each('true | 77 | # | t3 | 5 | @ | 2026-11-03 20:00')
  expect(await methods(unknown)).toEqual(['OBSERVED', 'OBSERVED'])
  expect(await remaining(unknown)).toEqual(['0'])
})

test('captures that name a PENDING settlement and reach its net leave no room for others', async () => {
  const capture = (
    id: number,
    terminal: number,
    named: string,
    hour: string,
    cents: number,
    action = 'CHARGE',
  ) =>
    `${id} | ${terminal} | ${action} | CAPTURE | true | false | ${named} | 2026-11-03 ${hour}:00 | ${cents} | t | 1 | ${id} | 2026-11-04`
  const found = async (...more: string[]) => {
    const rows = await modelOn('pending_member', {
      'seen.transaction_version': [
        TRANSACTIONS,
        capture(1, 7, '901', '10', 1500),
        capture(2, 7, '901', '11', 2500),
        capture(3, 7, '', '09', 700),
        capture(9, 8, '', '09', 4400),
        ...more,
      ].join('\n'),
      'seen.settlement_version': `${SETTLEMENTS}
        901 | 7 | 2026-11-04 03:00 | 4000 | PENDING | s | 2 | 1 | 2026-11-04
        902 | 8 | 2026-11-04 03:00 | 4400 | PENDING | s | 2 | 2 | 2026-11-04`,
      'ops.sweep': `${SWEEPS}
        t | r | transactions | 0 | 2026-11-20 | 2026-11-20 | CONTIGUOUS | 3`,
    })
    return rows.map((row) => [row['transaction_id'], row['settlement_id']].join(' in ')).toSorted()
  }
  const members = ['1 in 901', '2 in 901', '9 in 902']
  expect(await found()).toEqual(members)
  expect(
    await found(capture(5, 7, '', '12', 1000), capture(6, 7, '', '13', 1000, 'REFUND')),
  ).toEqual(members)
})

test('arithmetic places a settled transaction with an id that no settlement has', async () => {
  const last = async (named: string) =>
    modelOn('last_unobserved_transaction', {
      'seen.transaction_version': `${TRANSACTIONS}
        1 | 7 | CHARGE | CAPTURE | true | true | ${named} | 2026-11-01 10:00 | 1000 | t | 1 | 1 | 2026-11-20 20:00`,
      'seen.settlement_version': `${SETTLEMENTS}
        900 | 7 | 2026-11-02 03:00 | 1000 | COMPLETE | s | 2 | 1 | 2026-11-20 19:00`,
    })
  const found = [{ terminal_id: '7', last_at: '2026-11-01 10:00:00' }]
  expect(await last('')).toMatchObject(found)
  expect(await last('77')).toMatchObject(found)
  expect(await last('900')).toEqual([])
})
