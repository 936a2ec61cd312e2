import { expect, test } from 'vitest'
import { run } from '../support/models.ts'
import { found, modelOn, SETTLEMENTS, subjects, SWEEPS, TRANSACTIONS } from './seen-lake.ts'

/** Sweep `b` covers what was created after 10:00 on 1 November and began at 05:00 on the 10th; the audit `c` came later. */
const AUDITED = `${SWEEPS}
      a | transactions | 0 |                  | 2026-11-01 05:00 | 2026-11-01 05:10 | BEST_EFFORT | 1
      b | transactions | 1 | 2026-11-01 10:00 | 2026-11-10 05:00 | 2026-11-10 05:10 | CONTIGUOUS  | 2
      c | transactions | 2 |                  | 2026-11-17 05:00 | 2026-11-17 05:10 | SNAPSHOT    | 4`

test('a record first seen by an audit is MISSED_BY_SWEEP if an earlier certified sweep covers it and began two minutes after it was created', async () => {
  const rows = await found('missed_by_sweep', {
    'seen.transaction_version': `${TRANSACTIONS}
      1 | 7 | REFUND | CAPTURE | true  | 2026-11-10 04:57:59        | 1000 | | c | 1 | 2026-11-17 05:05 | 3
      2 | 7 | CHARGE | CAPTURE | true  | 2026-11-10 04:58:00        | 1000 | | c | 2 | 2026-11-17 05:05 | 3
      3 | 7 | CHARGE | CAPTURE | true  | 2026-11-10 04:58:00.000001 | 1000 | | c | 3 | 2026-11-17 05:05 | 3
      4 | 7 | CHARGE | CAPTURE | true  | 2026-11-01 10:00:00        | 1000 | | c | 4 | 2026-11-17 05:05 | 3
      5 | 7 | CHARGE | CAPTURE | true  | 2026-11-01 10:00:01        | 1000 | | c | 5 | 2026-11-17 05:05 | 4
      6 | 7 | CHARGE | CAPTURE | false | 2026-11-09 10:00:00        | 1000 | | b | 6 | 2026-11-10 05:05 | 2
      6 | 7 | CHARGE | CAPTURE | true  | 2026-11-09 10:00:00        | 1000 | | c | 6 | 2026-11-17 05:05 | 3
      7 | 7 | CHARGE | CAPTURE | true  | 2026-11-16 10:00:00        | 1000 | | c | 7 | 2026-11-17 05:05 | 3
      8 | 7 | CHARGE | CAPTURE | true  | 2026-11-09 10:00:00        | 1000 | | c | 8 | 2026-11-17 05:05 | 3`,
    'seen.quarantine': `list | subject_type | subject_id | landing_seq
      transactions | transaction | 8         | 2
      settlements  | settlement  | 5         | 1
      settlements  | settlement  | 6         | 3
      transactions | transaction | sha256:ab | 2`,
    'ops.sweep': AUDITED,
  })
  expect(rows).toMatchObject([
    {
      subject_type: 'transaction',
      subject_id: '1',
      cents: '-1000',
      detail:
        'first seen 2026-11-17T05:05:00Z; not listed by the sweep that began 2026-11-10T05:00:00Z, 2 min after it was created',
    },
    { subject_id: '2', cents: '1000' },
    { subject_id: '5' },
  ])
})

test('several versions of a record in one landing are missed once, with the terminal and amount of the last', async () => {
  const missed = (last: string) =>
    found('missed_by_sweep', {
      'seen.settlement_version': `settlement_id | terminal_id | created | net_cents | status | sweep_id | ordinal | observed_at | landing_seq
        905 | 1003 | 2026-11-05 03:00 | 24974 | COMPLETE | c | 1 | 2026-11-17 05:05 | 4
        905 | ${last} | c | 2 | 2026-11-17 05:05 | 4`,
      'ops.sweep': `${SWEEPS}
        b | settlements | 1 | | 2026-11-10 05:00 | 2026-11-10 05:10 | CONTIGUOUS | 2
        c | settlements | 3 | | 2026-11-17 05:00 | 2026-11-17 05:10 | SNAPSHOT   | 4`,
    })
  const rows = await missed('1001 | 2026-11-05 03:00 | 15650 | COMPLETE')
  expect(rows).toMatchObject([{ subject_id: '905', terminal_id: '1001', cents: '15650' }])
  const again = await missed('1003 | 2026-11-05 03:00 | 24974 | PENDING')
  expect(again).toMatchObject([{ subject_id: '905', terminal_id: '1003', cents: '24974' }])
  expect(again[0]?.['detail']).not.toContain('nor by')
})

test('a sweep whose clock ran an hour ahead missed only records older than one that had landed by its end', async () => {
  const missed = async (known: string) =>
    subjects(
      await found('missed_by_sweep', {
        'seen.transaction_version': `${TRANSACTIONS}
          1 | 7 | CHARGE | CAPTURE | true | 2026-11-10 05:20 | 1000 | | c | 1 | 2026-11-10 05:30 | 4
          2 | 7 | CHARGE | CAPTURE | true | ${known} | 1000 | | b | 2 | 2026-11-10 06:00 | 2`,
        'ops.sweep': `${SWEEPS}
          b | transactions | 1 | | 2026-11-10 06:00 | 2026-11-10 06:00 | CONTIGUOUS | 2
          c | transactions | 2 | | 2026-11-10 05:30 | 2026-11-10 05:30 | CONTIGUOUS | 4`,
      }),
    )
  expect(await missed('2026-11-10 04:50')).toEqual([])
  expect(await missed('2026-11-10 05:25')).toEqual(['1'])
})

test('no record is missed if the earlier sweep is best-effort or of another list, or if a partial sweep sees it first', async () => {
  const world = (sweeps: string) => ({
    'seen.transaction_version': `${TRANSACTIONS}
      1 | 7 | CHARGE | CAPTURE | true | 2026-11-09 10:00 | 1000 | | c | 1 | 2026-11-17 05:05 | 3`,
    'ops.sweep': sweeps,
  })
  expect(subjects(await found('missed_by_sweep', world(AUDITED)))).toEqual(['1'])
  const variants: [string, string][] = [
    ['CONTIGUOUS ', 'BEST_EFFORT'],
    ['SNAPSHOT', 'BEST_EFFORT'],
    ['b | transactions', 'b | settlements'],
    ['2 |                  |', '2 | 2026-11-05 10:00 |'],
  ]
  for (const [from, to] of variants) {
    expect(AUDITED).toContain(from)
    expect(await found('missed_by_sweep', world(AUDITED.replace(from, to)))).toEqual([])
  }
})

test('a settlement can be missed by several sweeps, and the first audit of all has nothing to compare with', async () => {
  const world = {
    'seen.settlement_version': `${SETTLEMENTS}
      900 | 7 | 2026-11-02 03:00 | 8000 | c | 1 | 2026-11-05 05:00 | 3
      901 | 7 | 2026-11-02 03:00 | 8000 | a | 1 | 2026-11-03 05:00 | 1
      902 | 7 | 2026-11-03 05:00:01 | 9000 | c | 2 | 2026-11-05 05:00 | 3
      903 | 7 | 2026-11-04 05:00:01 | 9000 | c | 3 | 2026-11-05 05:00 | 3`,
    'ops.sweep': `${SWEEPS}
      a | settlements | 0 | | 2026-11-03 05:00 | 2026-11-03 05:10 | CONTIGUOUS | 1
      b | settlements | 1 | | 2026-11-04 05:00 | 2026-11-04 05:10 | SNAPSHOT   | 2
      c | settlements | 2 | | 2026-11-05 05:00 | 2026-11-05 05:10 | CONTIGUOUS | 3`,
  }
  expect(await found('missed_by_sweep', world)).toEqual([
    {
      subject_type: 'settlement',
      subject_id: '900',
      terminal_id: '7',
      cents: '8000',
      detail:
        'first seen 2026-11-05T05:00:00Z; not listed by the sweep that began 2026-11-03T05:00:00Z, 26 h after it was created, nor by 1 more',
      created: '2026-11-02 03:00:00',
    },
    {
      subject_type: 'settlement',
      subject_id: '902',
      terminal_id: '7',
      cents: '9000',
      detail:
        'first seen 2026-11-05T05:00:00Z; not listed by the sweep that began 2026-11-04T05:00:00Z, 23 h after it was created',
      created: '2026-11-03 05:00:01',
    },
  ])
  expect(await found('missed_by_sweep', world, 2n)).toEqual([])
})

test('a sweep of one terminal misses no record of another, and is no audit of the whole list', async () => {
  const missed = async (earlier: string, audit: string) =>
    subjects(
      await found('missed_by_sweep', {
        'seen.settlement_version': `${SETTLEMENTS}
          900 | 7 | 2026-11-02 03:00 | 8000 | c | 1 | 2026-11-05 05:00 | 3`,
        'ops.sweep': `${SWEEPS} | terminal_id
          a | settlements | 0 | | 2026-11-03 05:00 | 2026-11-03 05:10 | CONTIGUOUS | 1 | ${earlier}
          c | settlements | 2 | | 2026-11-05 05:00 | 2026-11-05 05:10 | CONTIGUOUS | 3 | ${audit}`,
      }),
    )
  expect(await missed('7', '')).toEqual(['900'])
  expect(await missed('8', '')).toEqual([])
  expect(await missed('', '7')).toEqual([])
})

test('a sweep limited to some terminals misses no record of others, and is no audit of the whole list', async () => {
  const missed = async (...limits: string[]) =>
    subjects(
      await found('missed_by_sweep', {
        'seen.settlement_version': `${SETTLEMENTS}
          900 | 7 | 2026-11-02 03:00 | 8000 | c | 1 | 2026-11-05 05:00 | 3`,
        'ops.sweep': `${SWEEPS}
          a | settlements | 0 | | 2026-11-03 05:00 | 2026-11-03 05:10 | CONTIGUOUS | 1
          c | settlements | 2 | | 2026-11-05 05:00 | 2026-11-05 05:10 | CONTIGUOUS | 3`,
        'ops.limited_sweep': `sweep_id | terminal_id | landing_seq
          ${limits.join('\n')}`,
      }),
    )
  expect(await missed('a | 7 | 1', 'a | 8 | 1')).toEqual(['900'])
  expect(await missed('a | 8 | 1', 'a | 9 | 1')).toEqual([])
  expect(await missed('c | 7 | 3')).toEqual([])
})

test('a terminal that the service refuses now is TERMINAL_INACCESSIBLE, and one that it answers again is not', async () => {
  const world = {
    'seen.refusal': `list | terminal_id | refused | http_status | parameter | observed_at | landing_seq
      settlements  | 7 | true  | 400 |            | 2026-11-03 05:00 | 1
      settlements  | 8 | true  | 400 | terminalId | 2026-11-03 05:00 | 1
      settlements  | 8 | false | 200 |            | 2026-11-04 05:00 | 2
      transactions | 9 | true  | 403 | terminalId | 2026-11-03 05:00 | 1
      settlements  | 9 | true  | 400 | terminalId | 2026-11-04 05:00 | 2`,
    'seen.transaction_version': `${TRANSACTIONS}
      1 | 9 | CHARGE | CAPTURE | true | 2026-11-02 10:00 | 1000 | | a | 1 | 2026-11-03 04:00 | 1
      2 | 9 | CHARGE | CAPTURE | true | 2026-11-01 10:00 | 1000 | | a | 2 | 2026-11-03 04:00 | 1`,
  }
  expect(await found('terminal_inaccessible', world)).toEqual([
    {
      subject_type: 'terminal',
      subject_id: '7',
      terminal_id: '7',
      cents: null,
      detail: 'refused: settlements with 400 since 2026-11-03T05:00:00Z',
      created: null,
    },
    {
      subject_type: 'terminal',
      subject_id: '9',
      terminal_id: '9',
      cents: null,
      detail:
        'refused: settlements with 400 on terminalId since 2026-11-04T05:00:00Z, transactions with 403 on terminalId since 2026-11-03T05:00:00Z',
      created: '2026-11-01 10:00:00',
    },
  ])
  expect(subjects(await found('terminal_inaccessible', world, 1n))).toEqual(['7', '8', '9'])
})

test('a terminal that was never refused is not reported, whatever its transactions are', async () => {
  const rows = await run('terminal_inaccessible', {
    refused_list:
      'list varchar | terminal_id bigint | http_status integer | parameter varchar | refused_since timestamp',
    current_transaction: `terminal_id bigint | created timestamp
      7 | 2026-11-02 10:00`,
  })
  expect(rows).toEqual([])
})

const QUARANTINE =
  'list | subject_type | subject_id | terminal_id | created | field | reason | sweep_id | landing_seq'
/** An unreadable record without an id that sweep `a` listed, and the later sweep `b`. */
const unreadable = ({
  record = 'transactions | transaction | sha256:aa | 7 | 2026-11-02 10:00 | action | absent | a | 2',
  more = '',
  sweep = 'b | transactions | 2 | | 2026-11-06 05:00 | 2026-11-06 05:10 | CONTIGUOUS | 4 |',
} = {}) => ({
  'seen.quarantine': `${QUARANTINE}
    ${record}
    ${more}`,
  'ops.sweep': `${SWEEPS} | terminal_id
    a | transactions | 1 | | 2026-11-05 05:00 | 2026-11-05 05:10 | CONTIGUOUS | 2 |
    ${sweep}`,
})
const quarantined = async (tables: Record<string, string>, known_at = 99n) =>
  subjects(await found('quarantined', tables, known_at))
const sweepB = (rest: string) => unreadable({ sweep: `b | ${rest}` })

test('a record without an id leaves quarantine with a later certified sweep that does not list it, and a run before that sweep has it', async () => {
  for (const certificate of ['CONTIGUOUS', 'SNAPSHOT']) {
    const world = sweepB(
      `transactions | 2 | | 2026-11-06 05:00 | 2026-11-06 05:10 | ${certificate} | 4 |`,
    )
    expect(await quarantined(world)).toEqual([])
    expect(await quarantined(world, 3n)).toEqual(['sha256:aa'])
  }
  // The changed form of the record is another one.
  const changed =
    'transactions | transaction | sha256:bb | 7 | 2026-11-02 10:00 | action | absent | b | 3'
  expect(await quarantined(unreadable({ more: changed }))).toEqual(['sha256:bb'])
})

test('a record without an id stays in quarantine while no certified sweep of its list and time began after it was listed last', async () => {
  const times = '2026-11-06 05:00 | 2026-11-06 05:10'
  for (const rest of [
    `transactions | 2 | | ${times} | BEST_EFFORT | 4 |`,
    `settlements  | 2 | | ${times} | CONTIGUOUS  | 4 |`,
    `transactions | 1 | | ${times} | CONTIGUOUS  | 4 |`,
    `transactions | 2 | 2026-11-02 10:00 | ${times} | CONTIGUOUS | 4 |`,
    `transactions | 2 | | ${times} | CONTIGUOUS  | 4 | 8`,
  ]) {
    expect(await quarantined(sweepB(rest))).toEqual(['sha256:aa'])
  }
  expect(
    await quarantined(
      sweepB(`transactions | 2 | 2026-11-02 09:59 | ${times} | CONTIGUOUS | 4 | 7`),
    ),
  ).toEqual([])
  // The later sweep listed it again.
  const again =
    'transactions | transaction | sha256:aa | 7 | 2026-11-02 10:00 | action | absent | b | 3'
  expect(await quarantined(unreadable({ more: again }))).toEqual(['sha256:aa'])
  // A record with an id waits for a landing that reads it.
  const named = 'transactions | transaction | 5 | 7 | 2026-11-02 10:00 | action | absent | a | 2'
  expect(await quarantined(unreadable({ record: named }))).toEqual(['5'])
})

test('a record without id, time and terminal leaves quarantine only with a sweep of the whole list, and a line of a file never does', async () => {
  const bare = 'transactions | transaction | sha256:aa | | | | not an object | a | 2'
  const after = (rest: string) =>
    unreadable({ record: bare, sweep: `b | transactions | 2 | ${rest}` })
  const times = '2026-11-06 05:00 | 2026-11-06 05:10 | CONTIGUOUS | 4'
  expect(await quarantined(after(`| ${times} |`))).toEqual([])
  expect(await quarantined(after(`| ${times} | 7`))).toEqual(['sha256:aa'])
  expect(await quarantined(after(`2026-11-01 10:00 | ${times} |`))).toEqual(['sha256:aa'])
  const limits = (terminal: string) => ({
    'ops.limited_sweep': `sweep_id | terminal_id | landing_seq
      b | ${terminal} | 4`,
  })
  // A limited account keeps every record without a readable terminal.
  expect(await quarantined({ ...after(`| ${times} |`), ...limits('8') })).toEqual([])
  expect(await quarantined({ ...unreadable(), ...limits('8') })).toEqual(['sha256:aa'])
  expect(await quarantined({ ...unreadable(), ...limits('7') })).toEqual([])
  const imported = { 'ops.imported_file': 'sweep_id | list | landing_seq\n a | transactions | 2' }
  expect(await quarantined({ ...unreadable(), ...imported })).toEqual(['sha256:aa'])
})

test('a record that one landing reads well and also not, under one id, stays in quarantine until a later landing reads it well', async () => {
  const settlement = (seq: number) => ({
    'seen.quarantine': `list | subject_type | subject_id | landing_seq | ordinal
      settlements | settlement | 5 | 2 | 1`,
    'seen.settlement_version': `settlement_id | terminal_id | created | net_cents | status | landing_seq | ordinal
      5 | 7 | 2026-11-01 10:00 | 100 | COMPLETE | ${seq} | 1`,
  })
  expect(await quarantined(settlement(1))).toEqual(['5'])
  expect(await quarantined(settlement(2))).toEqual(['5'])
  expect(await quarantined(settlement(3))).toEqual([])
})

test('a breach of the refund ceiling is SUSPECTED while an unreadable record without an id may be a charge, and CERTAIN when it left quarantine', async () => {
  const certainty = async (certificate: string) =>
    modelOn('refund_certainty', {
      ...sweepB(`transactions | 2 | | 2026-11-06 05:00 | 2026-11-06 05:10 | ${certificate} | 4 |`),
      'seen.transaction_version': `transaction_id | terminal_id | action | status | approved | settled | created | total_cents | vault_type | account_type | last_four | billing_key | sweep_id | ordinal | observed_at | landing_seq
        1 | 7 | CHARGE | CAPTURE | true | true | 2026-11-01 10:00 | 3000 | CARD | VISA | 4242 | 5 | a | 1 | 2026-11-05 05:00 | 2
        2 | 7 | REFUND | CAPTURE | true | true | 2026-11-03 10:00 | 8000 | CARD | VISA | 4242 | 5 | a | 2 | 2026-11-05 05:00 | 2`,
    })
  expect(await certainty('BEST_EFFORT')).toMatchObject([{ certainty: 'SUSPECTED' }])
  expect(await certainty('CONTIGUOUS')).toMatchObject([{ certainty: 'CERTAIN' }])
})

test('the event of a MISSED_BY_SWEEP is the landing that found the record', async () => {
  const rows = await modelOn('missed_by_sweep', {
    'seen.transaction_version': `${TRANSACTIONS}
      1 | 7 | CHARGE | CAPTURE | true | 2026-11-09 10:00 | 1000 | | c | 1 | 2026-11-17 05:05 | 3`,
    'ops.sweep': AUDITED,
  })
  expect(rows).toMatchObject([{ subject_id: '1', event_seq: '3' }])
})
