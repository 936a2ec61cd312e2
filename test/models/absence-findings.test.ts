import { expect, test } from 'vitest'
import {
  found,
  modelOn,
  PRESENCE,
  SETTLEMENTS,
  subjects,
  SWEEPS,
  TRANSACTIONS,
} from './seen-lake.ts'

const THREE_SETTLEMENTS = `${SETTLEMENTS}
      899 | 7 | 2026-11-01 03:00 | 5000 | a | 1 | 2026-11-04 05:00 | 1
      900 | 7 | 2026-11-02 03:00 | 8000 | a | 2 | 2026-11-04 05:00 | 1
      900 | 7 | 2026-11-02 03:00 | 8200 | b | 2 | 2026-11-05 05:00 | 2
      901 | 8 | 2026-11-03 03:00 | 9000 | a | 3 | 2026-11-04 05:00 | 1`

/** Settlements that the sweep `c` with the given start, coverage and certificate did not list, where 900 and 901 are gone. */
const swept = (
  certificate: string,
  { covers_from = '', started_seq = 2 }: { covers_from?: string; started_seq?: number } = {},
) => ({
  'seen.settlement_version': THREE_SETTLEMENTS,
  'seen.presence': `${PRESENCE}
      settlements | 900 | false | 2026-11-06 05:10 | 3
      settlements | 901 | false | 2026-11-06 05:10 | 3`,
  'ops.sweep': `${SWEEPS}
      a | settlements | 0              |                | 2026-11-04 05:00 | 2026-11-04 05:10 | CONTIGUOUS     | 1
      b | settlements | 1              |                | 2026-11-05 05:00 | 2026-11-05 05:10 | CONTIGUOUS     | 2
      c | settlements | ${started_seq} | ${covers_from} | 2026-11-06 05:00 | 2026-11-06 05:10 | ${certificate} | 3`,
})

test('a settlement that a contiguous sweep or a snapshot does not list has disappeared, with its last known net', async () => {
  expect(await found('settlement_disappeared', swept('CONTIGUOUS'))).toEqual([
    {
      subject_type: 'settlement',
      subject_id: '900',
      terminal_id: '7',
      cents: '8200',
      detail: 'absent from the sweep that ended 2026-11-06T05:10:00Z',
      created: '2026-11-02 03:00:00',
    },
    {
      subject_type: 'settlement',
      subject_id: '901',
      terminal_id: '8',
      cents: '9000',
      detail: 'absent from the sweep that ended 2026-11-06T05:10:00Z',
      created: '2026-11-03 03:00:00',
    },
  ])
  expect(subjects(await found('settlement_disappeared', swept('SNAPSHOT')))).toEqual(['900', '901'])
})

test('a sweep limited to some terminals proves no absence of a settlement of another terminal', async () => {
  const kept = (terminal: string) => ({
    ...swept('CONTIGUOUS'),
    'ops.limited_sweep': `sweep_id | terminal_id | landing_seq
      c | ${terminal} | 3`,
  })
  expect(subjects(await found('settlement_disappeared', kept('7')))).toEqual(['900'])
  expect(subjects(await found('settlement_disappeared', kept('9')))).toEqual([])
})

test('an uncertified sweep, a sweep of another period, and one that began before the record was known prove no absence', async () => {
  expect(await found('settlement_disappeared', swept('BEST_EFFORT'))).toEqual([])
  const from = (covers_from: string) =>
    found('settlement_disappeared', swept('CONTIGUOUS', { covers_from }))
  expect(subjects(await from('2026-11-02 03:00'))).toEqual(['901'])
  expect(subjects(await from('2026-11-02 02:59:59'))).toEqual(['900', '901'])
  const early = swept('CONTIGUOUS', { started_seq: 0 })
  expect(await found('settlement_disappeared', early)).toEqual([])
  const of_transactions = {
    ...swept('CONTIGUOUS'),
    'ops.sweep': swept('CONTIGUOUS')['ops.sweep'].replace('c | settlements', 'c | transactions'),
  }
  expect(await found('settlement_disappeared', of_transactions)).toEqual([])
  expect(await found('settlement_disappeared', swept('CONTIGUOUS'), 2n)).toEqual([])
})

test('a record that a best-effort sweep misses has disappeared only once a certified sweep misses it too', async () => {
  const world = (back: string) => ({
    'seen.settlement_version': THREE_SETTLEMENTS,
    'seen.presence': `${PRESENCE}
      settlements | 900 | false | 2026-11-06 05:10 | 3
      ${back}`,
    'ops.sweep': `${SWEEPS}
      c | settlements | 2 | | 2026-11-06 05:00 | 2026-11-06 05:10 | BEST_EFFORT | 3
      d | settlements | 3 | | 2026-11-07 05:00 | 2026-11-07 05:10 | CONTIGUOUS  | 4`,
  })
  expect(await found('settlement_disappeared', world(''))).toMatchObject([
    { subject_id: '900', detail: 'absent from the sweep that ended 2026-11-07T05:10:00Z' },
  ])
  const back = 'settlements | 900 | true | 2026-11-07 05:10 | 4'
  expect(await found('settlement_disappeared', world(back))).toEqual([])
})

test('a certified sweep that began before a best-effort one missed the record may have listed it', async () => {
  const begun = (started_seq: number) => ({
    'seen.settlement_version': THREE_SETTLEMENTS,
    'seen.presence': `${PRESENCE}
      settlements | 900 | false | 2026-11-06 05:10 | 3`,
    'ops.sweep': `${SWEEPS}
      c | settlements | 2              | | 2026-11-06 05:00 | 2026-11-06 05:10 | BEST_EFFORT | 3
      d | settlements | ${started_seq} | | 2026-11-05 05:00 | 2026-11-07 05:10 | CONTIGUOUS  | 4`,
  })
  expect(await found('settlement_disappeared', begun(2))).toEqual([])
  expect(subjects(await found('settlement_disappeared', begun(3)))).toEqual(['900'])
})

test('a sweep of one terminal proves the absence of that terminal’s settlements only', async () => {
  const sweep = (terminal: string) => ({
    ...swept('CONTIGUOUS'),
    'ops.sweep': `${SWEEPS} | terminal_id
      c | settlements | 2 | | 2026-11-06 05:00 | 2026-11-06 05:10 | CONTIGUOUS | 3 | ${terminal}`,
  })
  expect(subjects(await found('settlement_disappeared', sweep('7')))).toEqual(['900'])
  expect(subjects(await found('settlement_disappeared', sweep('8')))).toEqual(['901'])
})

test('a transaction absent from its terminal stays reported if a later run finds it on another, not if the same run does', async () => {
  const moved = async (run: string) =>
    subjects(
      await found('transaction_disappeared', {
        'seen.transaction_version': `${TRANSACTIONS}
          1 | 7 | CHARGE | CAPTURE | true | 2026-11-02 10:00 | 1000 | | a | 1 | 2026-11-03 05:00 | 1
          1 | 8 | CHARGE | CAPTURE | true | 2026-11-02 10:00 | 1000 | | c | 1 | 2026-11-05 05:00 | 3`,
        'seen.presence': `${PRESENCE} | sweep_id
          transactions | 1 | false | 2026-11-04 05:10 | 2 | b
          transactions | 1 | true  | 2026-11-05 05:10 | 3 | c`,
        'ops.sweep': `${SWEEPS} | terminal_id | run_id
          b | transactions | 1 | | 2026-11-04 05:00 | 2026-11-04 05:10 | CONTIGUOUS | 2 | 7 | r2
          c | transactions | 2 | | 2026-11-05 05:00 | 2026-11-05 05:10 | CONTIGUOUS | 3 | 8 | ${run}`,
      }),
    )
  expect(await moved('r3')).toEqual(['1'])
  expect(await moved('r2')).toEqual([])
})

test('a terminal that a later certified sweep no longer lists is unknown while transactions name it', async () => {
  const listed = (certificate: string, back = '') => ({
    'seen.transaction_version': `${TRANSACTIONS}
      1 | 7 | CHARGE | CAPTURE | true | 2026-11-02 10:00 | 1000 | | t | 1 | 2026-11-03 05:00 | 4`,
    'seen.terminal_version': `terminal_id | nick_name | sweep_id | ordinal | observed_at | landing_seq
      7 | a | a | 1 | 2026-11-04 05:00 | 1`,
    'seen.presence': `${PRESENCE}
      terminals | 7 | false | 2026-11-05 05:10 | 2
      ${back}`,
    'ops.sweep': `${SWEEPS}
      a | terminals | 0 | | 2026-11-04 05:00 | 2026-11-04 05:10 | SNAPSHOT       | 1
      b | terminals | 1 | | 2026-11-05 05:00 | 2026-11-05 05:10 | BEST_EFFORT    | 2
      c | terminals | 2 | | 2026-11-06 05:00 | 2026-11-06 05:10 | ${certificate} | 3`,
  })
  expect(subjects(await found('unknown_terminal', listed('SNAPSHOT')))).toEqual(['7'])
  expect(await found('unknown_terminal', listed('BEST_EFFORT'))).toEqual([])
  const back = 'terminals | 7 | true | 2026-11-06 05:10 | 3'
  expect(await found('unknown_terminal', listed('SNAPSHOT', back))).toEqual([])
})

test('a transaction that was not settled disappears with an amount of zero, and the detail names its total', async () => {
  const rows = await found('transaction_disappeared', {
    'seen.transaction_version': `${TRANSACTIONS} | approved
      1 | 7 | CHARGE | CAPTURE | false | 2026-11-02 10:00 |    500 | | a | 1 | 2026-11-03 05:00 | 1 | true
      2 | 7 | CHARGE | CAPTURE |       | 2026-11-02 11:00 | 900000 | | a | 2 | 2026-11-03 05:00 | 1 | false
      3 | 7 | REFUND | VOID    | true  | 2026-11-02 12:00 |    300 | | a | 3 | 2026-11-03 05:00 | 1 | false`,
    'seen.presence': `${PRESENCE}
      transactions | 1 | false | 2026-11-04 05:10 | 2
      transactions | 2 | false | 2026-11-04 05:10 | 2
      transactions | 3 | false | 2026-11-04 05:10 | 2`,
    'ops.sweep': `${SWEEPS}
      b | transactions | 1 | | 2026-11-04 05:00 | 2026-11-04 05:10 | CONTIGUOUS | 2`,
  })
  const absent = 'absent from the sweep that ended 2026-11-04T05:10:00Z'
  expect(rows.map((row) => [row['subject_id'], row['cents'], row['detail']])).toEqual([
    ['1', '0', `not settled, total 5.00; ${absent}`],
    ['2', '0', `not settled, total 9000.00; ${absent}`],
    ['3', '-300', absent],
  ])
})

test('a transaction that is listed again stays reported with both instants, and a second absence is reported beside the first', async () => {
  const rows = await found('transaction_disappeared', {
    'seen.transaction_version': `${TRANSACTIONS}
      1 | 7 | CHARGE | CAPTURE | true | 2026-11-02 10:00 | 1000 | | a | 1 | 2026-11-03 05:00 | 1
      2 | 7 | REFUND | CAPTURE | true | 2026-11-02 11:00 |  300 | | a | 2 | 2026-11-03 05:00 | 1
      3 | 7 | CHARGE | CAPTURE | true | 2026-11-02 12:00 | 1000 | | a | 3 | 2026-11-03 05:00 | 1
      4 | 7 | CHARGE | CAPTURE | true | 2026-11-02 13:00 | 1000 | | a | 4 | 2026-11-03 05:00 | 1`,
    'seen.settlement_version': `${SETTLEMENTS}
      3 | 7 | 2026-11-01 03:00 | 5000 | s | 1 | 2026-11-03 04:00 | 1`,
    'seen.presence': `${PRESENCE}
      transactions | 1 | false | 2026-11-04 05:10 | 2
      transactions | 1 | true  | 2026-11-05 05:10 | 3
      transactions | 2 | false | 2026-11-04 05:10 | 2
      transactions | 2 | true  | 2026-11-05 05:10 | 3
      transactions | 2 | false | 2026-11-06 05:10 | 4
      settlements  | 3 | false | 2026-11-04 05:10 | 2
      settlements  | 4 | true  | 2026-11-04 06:10 | 3
      transactions | 4 | false | 2026-11-04 05:10 | 2`,
    'ops.sweep': `${SWEEPS}
      b | transactions | 1 | | 2026-11-04 05:00 | 2026-11-04 05:10 | CONTIGUOUS | 2
      c | transactions | 2 | | 2026-11-05 05:00 | 2026-11-05 05:10 | CONTIGUOUS | 3
      d | transactions | 3 | | 2026-11-06 05:00 | 2026-11-06 05:10 | SNAPSHOT   | 4
      e | transactions | 4 | | 2026-11-07 05:00 | 2026-11-07 05:10 | SNAPSHOT   | 5`,
  })
  const first =
    'absent from the sweep that ended 2026-11-04T05:10:00Z, listed again by the one that ended 2026-11-05T05:10:00Z'
  expect(rows).toMatchObject([
    { subject_type: 'transaction', subject_id: '1', cents: '1000', detail: first },
    {
      subject_id: '2',
      cents: '-300',
      detail: `${first}; absent from the sweep that ended 2026-11-06T05:10:00Z`,
    },
    { subject_id: '4', detail: 'absent from the sweep that ended 2026-11-04T05:10:00Z' },
  ])
})

test('the newest event of an absence is the first sweep that proves it; later sweeps add none, and a second absence does', async () => {
  const events = async (presence: string) =>
    (
      await modelOn('settlement_disappeared', {
        'seen.settlement_version': `${SETTLEMENTS}
          900 | 7 | 2026-11-02 03:00 | 8000 | a | 1 | 2026-11-03 05:00 | 1`,
        'seen.presence': `${PRESENCE}
          settlements | 900 | false | 2026-11-04 05:10 | 2
          ${presence}`,
        'ops.sweep': `${SWEEPS}
          b | settlements | 1 | | 2026-11-04 05:00 | 2026-11-04 05:10 | BEST_EFFORT | 2
          c | settlements | 2 | | 2026-11-05 05:00 | 2026-11-05 05:10 | CONTIGUOUS  | 3
          d | settlements | 3 | | 2026-11-06 05:00 | 2026-11-06 05:10 | CONTIGUOUS  | 4
          e | settlements | 4 | | 2026-11-07 05:00 | 2026-11-07 05:10 | SNAPSHOT    | 5`,
      })
    ).map((row) => row['event_seq'])
  expect(await events('')).toEqual(['3'])
  const back = 'settlements | 900 | true | 2026-11-06 05:10 | 4'
  expect(await events(back)).toEqual(['3'])
  expect(await events(`${back}\n settlements | 900 | false | 2026-11-07 05:10 | 5`)).toEqual(['5'])
})
