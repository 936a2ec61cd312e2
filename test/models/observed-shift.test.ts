/**
 * Goal: a transaction moves only if an observation and the nets agree. Method: one terminal as tables, varied one
 * value at a time.
 */
import { expect, test } from 'vitest'
import { run } from '../support/models.ts'
import { modelOn } from './seen-lake.ts'

const SETTLEMENTS = `settlement_id bigint | terminal_id bigint | created timestamp | ordinal bigint
  1 | 7 | 2026-11-02 00:00:00 | 1
  2 | 7 | 2026-11-02 12:00:00 | 2
  3 | 7 | 2026-11-03 00:00:00 | 3
  4 | 8 | 2026-11-02 00:00:00 | 1
  5 | 8 | 2026-11-02 12:00:00 | 2`

const EVENTS = `event varchar | is_learned boolean
  created | true
  completed | false`

const EVENT_CANDIDATES =
  'event varchar | transaction_id bigint | settlement_id bigint | settlements bigint\n'

const LANDED = {
  known_settlement: `settlement_id bigint | terminal_id bigint | created timestamp | reported_cents bigint
    1 | 7 | 2026-11-02 00:00:00 | 100
    2 | 7 | 2026-11-02 12:00:00 | 100
    3 | 7 | 2026-11-03 00:00:00 | 100`,
  settlement_version: `settlement_id bigint | terminal_id bigint | version bigint | status varchar | observed_at timestamp | landing_seq bigint | sweep_id varchar
    1 | 7 | 1 | PENDING | 2026-11-02 13:00 | 3 | s1
    2 | 7 | 1 | PENDING | 2026-11-02 13:00 | 3 | s1
    3 | 7 | 1 | PENDING | 2026-11-03 05:00 | 5 | s2`,
  sweep: 'sweep_id varchar | started_seq bigint',
  sweep_scope: `list varchar | terminal_id bigint | certificate varchar | started_at timestamp | started_seq bigint | landing_seq bigint
    settlements | null | CONTIGUOUS | 2026-11-02 13:00 | 2 | 3
    settlements | null | CONTIGUOUS | 2026-11-03 05:00 | 4 | 5
    settlements | null | CONTIGUOUS | 2026-11-03 06:00 | 6 | 7`,
}

const OBSERVATION =
  'transaction_id bigint | terminal_id bigint | signed_cents bigint | created timestamp | unsettled_at timestamp | settled_at timestamp | unsettled_seq bigint | settled_seq bigint | is_imported boolean'

const pairsOf = (rows: Record<string, unknown>[]) =>
  rows.map((row) => `${String(row['transaction_id'])} in ${String(row['settlement_id'])}`).sort()

test('landing numbers show which settlements were made while a transaction turned settled', async () => {
  const flag_observation = `${OBSERVATION}
    10 | 7 | 4321 | 2026-11-02 12:00:00 | 2026-11-02 12:00:00 | 2026-11-03 05:00:00 | -1 | 6 | false
    11 | 7 | 4321 | 2026-11-02 12:01:59 | 2026-11-02 12:01:59 | 2026-11-03 05:00:00 | -1 | 6 | false
    12 | 7 | 4321 | 2026-11-02 12:02:01 | 2026-11-02 12:02:01 | 2026-11-03 05:00:00 | -1 | 6 | false
    13 | 7 | 4321 | 2026-11-01 09:00:00 | 2026-11-02 12:00:00 | 2026-11-03 05:00:00 | 3 | 6 | false
    14 | 7 | 4321 | 2026-11-01 23:00:00 | 2026-11-01 23:00:00 | 2026-11-02 13:00:00 | -1 | 4 | false`
  const expected = [
    '10 in 2',
    '10 in 3',
    '11 in 2',
    '11 in 3',
    '12 in 3',
    '13 in 3',
    '14 in 1',
    '14 in 2',
    '14 in 3',
  ]
  expect(pairsOf(await run('event_candidate', { ...LANDED, flag_observation }))).toEqual(expected)
})

test('a clock of whole seconds, or one that goes back an hour, gives the same candidates', async () => {
  const flag_observation = `${OBSERVATION}
    13 | 7 | 4321 | 2026-11-01 09:00:00 | 2026-11-02 13:00:00 | 2026-11-02 13:00:00 | 3 | 6 | false
    15 | 7 | 4321 | 2026-11-01 09:00:00 | 2026-11-02 13:00:00 | 2026-11-02 12:00:00 | 3 | 6 | false
    16 | 7 | 4321 | 2026-11-01 23:00:00 | 2026-11-01 23:00:00 | 2026-11-03 00:00:00 | -1 | 4 | false`
  expect(pairsOf(await run('event_candidate', { ...LANDED, flag_observation }))).toEqual([
    ...['13 in 3', '15 in 3', '16 in 1', '16 in 2', '16 in 3'],
  ])
})

test('a file is an observation at the time of its export, whatever its landing number', async () => {
  const flag_observation = `${OBSERVATION}
    10 | 7 | 4321 | 2026-11-01 12:00:00 | 2026-11-01 12:00:00 | 2026-11-02 06:00:00 | -1 | 9 | true
    11 | 7 | 4321 | 2026-11-01 12:00:00 | 2026-11-02 06:00:00 | 2026-11-02 18:00:00 | 9 | 10 | true`
  expect(pairsOf(await run('event_candidate', { ...LANDED, flag_observation }))).toEqual([
    '10 in 1',
    '11 in 2',
  ])
})

test('a transaction that was unsettled when a settlement was made comes after it, though its own time says otherwise', async () => {
  const observations = [
    // Seen unsettled after 1 was made, settled after 3 was.
    ['10', '2026-10-30 09:00:00'],
    ['11', '2026-11-01 23:59:59'],
    ['12', '2026-11-02 00:00:00'],
    // These are as old, but have one candidate only, an event that is not learned, or no settlement before the first.
    ['13', '2026-10-30 09:00:00'],
    ['14', '2026-10-30 09:00:00'],
    ['15', '2026-10-30 09:00:00'],
  ]
  const eventCandidates = [
    'created | 10 | 2 | 2',
    'created | 10 | 3 | 2',
    'created | 11 | 3 | 2',
    'created | 11 | 2 | 2',
    'created | 12 | 2 | 2',
    'created | 12 | 3 | 2',
    'created | 13 | 2 | 1',
    'completed | 14 | 2 | 2',
    'completed | 14 | 3 | 2',
    'created | 15 | 1 | 2',
    'created | 15 | 2 | 2',
  ]
  const rows = await run(['observed_candidate', 'earliest_settled_time'], {
    flag_observation: `transaction_id bigint | terminal_id bigint | created timestamp
      ${observations.map(([id, created]) => `${id} | 7 | ${created}`).join('\n')}`,
    event_candidate: EVENT_CANDIDATES + eventCandidates.join('\n'),
    settling_event: EVENTS,
    known_settlement: SETTLEMENTS,
    terminal_reach: 'terminal_id bigint | reach_hours bigint\n7 | 12',
  })
  expect(rows.map((row) => Object.values(row).join(' ')).sort()).toEqual([
    '10 2026-11-02 00:02:00.000001',
    '11 2026-11-02 00:02:00.000001',
  ])
})

test('a reach that passes the previous settlement gives an earliest time only to transactions older than the reach', async () => {
  const rows = await run(['observed_candidate', 'earliest_settled_time'], {
    flag_observation: `transaction_id bigint | terminal_id bigint | created timestamp
      10 | 7 | 2026-10-31 23:00:00
      11 | 7 | 2026-10-31 22:59:59`,
    event_candidate: `${EVENT_CANDIDATES}created | 10 | 2 | 2
      created | 10 | 3 | 2
      created | 11 | 2 | 2
      created | 11 | 3 | 2`,
    settling_event: EVENTS,
    known_settlement: SETTLEMENTS,
    terminal_reach: 'terminal_id bigint | reach_hours bigint\n7 | 25',
  })
  expect(rows.map((row) => row['transaction_id'])).toEqual(['11'])
})

const DIFFERENCES =
  'settlement_id bigint | terminal_id bigint | ordinal bigint | clock varchar | previous_position bigint | position bigint | difference_cents bigint | running_cents bigint | support bigint | lag_s double | spread_s double\n'
const CANDIDATES =
  'settlement_id bigint | clock varchar | position bigint | transactions_cents bigint | lag_low_s bigint | lag_high_s bigint\n'
const ORDERED =
  'clock varchar | terminal_id bigint | transaction_id bigint | position bigint | signed_cents bigint\n'

const shiftsOf = (tables: {
  difference: string
  candidate?: string
  late?: string
  paired?: string
  eventCandidates?: string
  ordered?: string
  /** The differences of the next settlements, in order of time. */
  nextOff?: number
}) =>
  run(['observed_candidate', 'late_settled_transaction', 'observed_shift'], {
    cutoff_difference: DIFFERENCES + tables.difference,
    boundary_before_shifts: `settlement_id bigint | terminal_id bigint | ordinal bigint | position bigint | previous_cents bigint | running_cents bigint | remaining_cents bigint
      3 | 7 | 3 | 20 | 90000 | 190000 | ${100000 - (tables.nextOff ?? 1000)}`,
    cutoff_candidate: CANDIDATES + (tables.candidate ?? ''),
    pair_shift: `earlier_id bigint | later_id bigint\n${tables.paired ?? ''}`,
    earliest_settled_time: `transaction_id bigint\n${tables.late ?? '10'}`,
    settling_event: EVENTS,
    settlement_running_net: SETTLEMENTS,
    event_candidate:
      EVENT_CANDIDATES + (tables.eventCandidates ?? 'created | 10 | 2 | 2\ncreated | 10 | 3 | 2\n'),
    ordered_transaction:
      ORDERED +
      (tables.ordered ??
        `created | 7 | 10 | 5 | 4200
         created | 7 | 11 | 6 | 4200`),
  })

const OFF_BY_IT = '2 | 7 | 2 | created | 4 | 9 | 4200 | 90000 | 1 | 3600 | 900'

test('a transaction seen to settle late moves from the settlement that ties without it to its next candidate', async () => {
  expect(await shiftsOf({ difference: OFF_BY_IT })).toEqual([
    {
      transaction_id: '10',
      from_settlement_id: '2',
      new_cut_position: '9',
      to_settlement_id: '3',
      options: '1',
      is_tied_there: 'false',
    },
  ])
})

test('a late transaction stays if the next settlement ties without it, because the move would make that one wrong', async () => {
  expect(await shiftsOf({ difference: OFF_BY_IT, nextOff: 0 })).toEqual([])
  // With the cut elsewhere, the next one holds 7.00 more.
  const elsewhere = {
    difference: OFF_BY_IT.replace('4200', '4900'),
    candidate: '2 | created | 8 | 89300 | 3600 | 5400',
  }
  expect(await shiftsOf({ ...elsewhere, nextOff: -700 })).toEqual([])
  expect(await shiftsOf({ ...elsewhere, nextOff: 0 })).toHaveLength(1)
})

test('a late transaction may move together with a cut near the usual lag if no neighbour supports the chosen cut-off', async () => {
  const with700 = OFF_BY_IT.replace('4200', '4900')
  const cut = '2 | created | 8 | 89300 | 3600 | 5400'
  expect(await shiftsOf({ difference: with700, candidate: cut })).toMatchObject([
    { new_cut_position: '8' },
  ])
  expect(await shiftsOf({ difference: with700.replace('| 1 |', '| 2 |'), candidate: cut })).toEqual(
    [],
  )
  const far = (lag: string) => cut.replace('3600 | 5400', lag)
  expect(await shiftsOf({ difference: with700, candidate: far('5400 | 5500') })).toHaveLength(1)
  expect(await shiftsOf({ difference: with700, candidate: far('5401 | 5500') })).toEqual([])
  expect(
    await shiftsOf({ difference: with700, candidate: cut.replace('| 8 |', '| 21 |') }),
  ).toEqual([])
})

test('a late transaction stays if it does not cancel the whole difference, if two would, without a later candidate, or beside a pair', async () => {
  expect(await shiftsOf({ difference: OFF_BY_IT.replace('4200', '4201') })).toEqual([])
  expect(await shiftsOf({ difference: OFF_BY_IT.replace('| 4 |', '| 5 |') })).toEqual([])
  expect(await shiftsOf({ difference: OFF_BY_IT, late: '10\n11' })).toEqual([])
  expect(
    await shiftsOf({ difference: OFF_BY_IT, eventCandidates: 'created | 10 | 2 | 1' }),
  ).toEqual([])
  expect(
    await shiftsOf({ difference: OFF_BY_IT, eventCandidates: 'completed | 10 | 3 | 1' }),
  ).toEqual([])
  expect(await shiftsOf({ difference: OFF_BY_IT, paired: '2 | 3' })).toEqual([])
  expect(await shiftsOf({ difference: OFF_BY_IT, paired: '1 | 2' })).toEqual([])
})

test('a late transaction also moves from a settlement with a larger difference to one that lacks exactly it, but never for certain', async () => {
  const both = `2 | 7 | 2 | created | 4 | 9 | 9999 | 90000 | 1 | 3600 | 900
    3 | 7 | 3 | created | 9 | 20 | -4200 | 80000 | 1 | 3600 | 900`
  expect(await shiftsOf({ difference: both })).toEqual([
    {
      transaction_id: '10',
      from_settlement_id: '2',
      new_cut_position: '9',
      to_settlement_id: '3',
      options: '2',
      is_tied_there: 'true',
    },
  ])
  expect(await shiftsOf({ difference: both.replace('-4200', '-4201') })).toEqual([])
  expect(
    await shiftsOf({
      difference: both,
      late: '10\n11',
      eventCandidates: 'created | 10 | 3 | 2\ncreated | 11 | 3 | 2',
    }),
  ).toEqual([])
  expect(
    await shiftsOf({
      difference: both,
      eventCandidates: 'created | 10 | 2 | 2\ncompleted | 10 | 3 | 1',
    }),
  ).toEqual([])
  expect(await shiftsOf({ difference: both, paired: '2 | 4' })).toEqual([])
  expect(await shiftsOf({ difference: both, paired: '3 | 4' })).toEqual([])
  // With the cut elsewhere the next one holds 700 more.
  const cut = '2 | created | 8 | 89300 | 3600 | 5400'
  const with700 = { difference: both.replace('-4200', '-4900'), candidate: cut }
  expect(await shiftsOf(with700)).toMatchObject([{ new_cut_position: '8', to_settlement_id: '3' }])
  const supported = with700.difference.replace('90000 | 1', '90000 | 2')
  expect(await shiftsOf({ ...with700, difference: supported })).toEqual([])
  // The shift would break the settlement that the transaction is in.
  expect(await shiftsOf({ difference: both.split('\n')[1] ?? '' })).toEqual([])
})

test('a transaction that was seen on hold or declined before its capture was captured later than its own time', async () => {
  const seen = (id: number, status: string, approved: boolean, settled: boolean, day: number) =>
    `${id} | 7 | CHARGE | ${status} | ${approved} | ${settled} | 2026-11-01 10:00 | 4200 | s${day} | 1 | 2026-11-0${day} 05:00 | ${day}`
  const observations = await modelOn('flag_observation', {
    'seen.transaction_version': [
      'transaction_id | terminal_id | action | status | approved | settled | created | total_cents | sweep_id | ordinal | observed_at | landing_seq',
      ...[seen(10, 'HOLD', true, false, 2), seen(10, 'CAPTURE', true, true, 4)],
      ...[seen(11, 'CAPTURE', true, false, 2), seen(11, 'CAPTURE', true, true, 4)],
      ...[seen(12, 'CAPTURE', false, false, 2), seen(12, 'CAPTURE', true, false, 3)],
      seen(12, 'CAPTURE', true, true, 4),
      seen(13, 'HOLD', true, true, 2),
    ].join('\n'),
  })
  expect(
    observations
      .map((row) => [row['transaction_id'], row['uncaptured_at'] ?? '-'].map(String).join(' '))
      .sort(),
  ).toEqual(['10 2026-11-02 05:00:00', '11 -', '12 2026-11-02 05:00:00', '13 -'])
  const captured = await run('late_captured_transaction', {
    flag_observation:
      'transaction_id bigint | uncaptured_at timestamp\n10 | 2026-11-02\n11 |\n12 | 2026-11-02',
    ordered_transaction: `${ORDERED}created | 7 | 10 | 5 | 4200
      created | 7 | 11 | 6 | 4200
      created | 7 | 12 | 7 | 0`,
  })
  expect(captured.map((row) => row['transaction_id'])).toEqual(['10'])
})
