import { expect, test } from 'vitest'
import { found, modelOn, TRANSACTIONS } from './seen-lake.ts'

test('a later change of amount, action, status or terminal of a settled transaction is CHANGED_AFTER_SETTLEMENT', async () => {
  const rows = await found('changed_after_settlement', {
    'seen.transaction_version': `${TRANSACTIONS}
      1 | 7 | CHARGE | CAPTURE | true  | 2026-11-02 10:00 | 1000 |     | a | 1 | 2026-11-03 05:00 | 1
      1 | 7 | CHARGE | CAPTURE | true  | 2026-11-02 10:00 | 1200 | 200 | b | 1 | 2026-11-04 05:00 | 2
      2 | 7 | CHARGE | CAPTURE | true  | 2026-11-02 10:00 | 1000 |     | a | 2 | 2026-11-03 05:00 | 1
      2 | 7 | CHARGE | VOID    | true  | 2026-11-02 10:00 | 1000 |     | b | 2 | 2026-11-04 05:00 | 2
      3 | 8 | CHARGE | CAPTURE | true  | 2026-11-02 10:00 | 1000 |     | a | 3 | 2026-11-03 05:00 | 1
      3 | 8 | REFUND | CAPTURE | true  | 2026-11-02 10:00 | 1000 |     | b | 3 | 2026-11-04 05:00 | 2
      4 | 7 | CHARGE | CAPTURE | true  | 2026-11-02 10:00 | 1000 |     | a | 4 | 2026-11-03 05:00 | 1
      4 | 7 | CHARGE | CAPTURE | true  | 2026-11-02 10:00 | 1000 | 100 | a | 5 | 2026-11-03 05:00 | 1
      5 | 7 | CHARGE | CAPTURE | true  | 2026-11-02 10:00 | 1000 |     | a | 6 | 2026-11-03 05:00 | 1
      5 | 7 | CHARGE | VOID    | false | 2026-11-02 10:00 | 1000 |     | b | 6 | 2026-11-04 05:00 | 2
      6 | 7 | CHARGE | CAPTURE | true  | 2026-11-02 10:00 | 1000 |     | a | 7 | 2026-11-03 05:00 | 1
      6 | 8 | CHARGE | CAPTURE | true  | 2026-11-02 10:00 | 1000 |     | b | 7 | 2026-11-04 05:00 | 2`,
  })
  const lines = rows.map((row) => [row['subject_id'], row['cents'], row['detail']].join(' '))
  expect(lines).toEqual([
    '1 200 changed once settled: amountTotal 10.00 to 12.00, amountTip 0.00 to 2.00 seen 2026-11-04T05:00:00Z',
    '2 0 changed once settled: status CAPTURE to VOID seen 2026-11-04T05:00:00Z',
    '3 -2000 changed once settled: action CHARGE to REFUND seen 2026-11-04T05:00:00Z',
    '4 0 changed once settled: amountTip 0.00 to 1.00 seen 2026-11-03T05:00:00Z',
    '5 0 changed once settled: status CAPTURE to VOID seen 2026-11-04T05:00:00Z',
    '6 0 changed once settled: terminal 7 to 8 seen 2026-11-04T05:00:00Z',
  ])
})

test('a change before or at settlement, an absent part that becomes zero, and a new version of equal facts are no findings', async () => {
  const rows = await found('changed_after_settlement', {
    'seen.transaction_version': `${TRANSACTIONS}
      1 | 7 | CHARGE | HOLD    | false | 2026-11-02 10:00 | 1000 |   | a | 1 | 2026-11-03 05:00 | 1
      1 | 7 | CHARGE | CAPTURE | false | 2026-11-02 10:00 | 1200 |   | b | 1 | 2026-11-04 05:00 | 2
      1 | 7 | CHARGE | CAPTURE | true  | 2026-11-02 10:00 | 1300 |   | c | 1 | 2026-11-05 05:00 | 3
      2 | 7 | CHARGE | CAPTURE | true  | 2026-11-02 10:00 | 1000 |   | a | 2 | 2026-11-03 05:00 | 1
      2 | 7 | CHARGE | CAPTURE | true  | 2026-11-02 10:00 | 1000 | 0 | b | 2 | 2026-11-04 05:00 | 2
      3 | 7 | CHARGE | CAPTURE | true  | 2026-11-02 10:00 | 1000 |   | a | 3 | 2026-11-03 05:00 | 1
      3 | 7 | CHARGE | CAPTURE | true  | 2026-11-02 10:00 | 1000 |   | b | 3 | 2026-11-04 05:00 | 2
      4 | 7 | CHARGE | CAPTURE |       | 2026-11-02 10:00 | 1000 |   | a | 4 | 2026-11-03 05:00 | 1
      4 | 7 | CHARGE | VOID    |       | 2026-11-02 10:00 | 1000 |   | b | 4 | 2026-11-04 05:00 | 2
      5 | 7 | CHARGE | CAPTURE | true  | 2026-11-02 10:00 | 1000 |   | a | 5 | 2026-11-03 05:00 | 1
      5 | 7 | CHARGE | CAPTURE | false | 2026-11-02 10:00 | 1000 |   | b | 5 | 2026-11-04 05:00 | 2
      5 | 7 | CHARGE | VOID    | false | 2026-11-02 10:00 | 1000 |   | c | 5 | 2026-11-05 05:00 | 3`,
  })
  expect(rows).toEqual([])
})

test('a change that is taken back is reported both ways, and a run as of earlier knowledge does not report it', async () => {
  const world = {
    'seen.transaction_version': `${TRANSACTIONS}
      1 | 7 | REFUND | CAPTURE | true | 2026-11-02 10:00 | 1000 | | a | 1 | 2026-11-03 05:00 | 1
      1 | 7 | REFUND | CAPTURE | true | 2026-11-02 10:00 | 1200 | | b | 1 | 2026-11-04 05:00 | 2
      1 | 7 | REFUND | CAPTURE | true | 2026-11-02 10:00 | 1000 | | c | 1 | 2026-11-05 05:00 | 3`,
  }
  expect(await found('changed_after_settlement', world)).toMatchObject([
    {
      subject_id: '1',
      cents: '0',
      detail:
        'changed once settled: amountTotal 10.00 to 12.00 seen 2026-11-04T05:00:00Z; amountTotal 12.00 to 10.00 seen 2026-11-05T05:00:00Z',
    },
  ])
  expect(await found('changed_after_settlement', world, 2n)).toMatchObject([{ cents: '-200' }])
  expect(await found('changed_after_settlement', world, 1n)).toEqual([])
})

test('the amount that is lost with the settled flag is that of SETTLEMENT_REVERSED, and no part of CHANGED_AFTER_SETTLEMENT', async () => {
  const world = {
    'seen.transaction_version': `${TRANSACTIONS}
      1 | 7 | CHARGE | CAPTURE | true  | 2026-11-02 10:00 | 1000 | | a | 1 | 2026-11-03 05:00 | 1
      1 | 7 | CHARGE | CAPTURE | false | 2026-11-02 10:00 | 1200 | | b | 1 | 2026-11-04 05:00 | 2
      2 | 7 | CHARGE | CAPTURE | true  | 2026-11-02 10:00 | 1000 | | a | 2 | 2026-11-03 05:00 | 1
      2 | 7 | CHARGE | CAPTURE | true  | 2026-11-02 10:00 | 1100 | | b | 2 | 2026-11-04 05:00 | 2
      2 | 7 | CHARGE | CAPTURE | false | 2026-11-02 10:00 | 5000 | | c | 2 | 2026-11-05 05:00 | 3`,
  }
  const cents = async (finding: string) =>
    (await found(finding, world)).map((row) => [row['subject_id'], row['cents']])
  expect(await cents('changed_after_settlement')).toEqual([
    ['1', '0'],
    ['2', '100'],
  ])
  expect(await cents('settlement_reversed')).toEqual([
    ['1', '1000'],
    ['2', '1100'],
  ])
})

test('a transaction that becomes unsettled is SETTLEMENT_REVERSED, even if it settles again; one that only becomes settled is not', async () => {
  const rows = await found('settlement_reversed', {
    'seen.transaction_version': `${TRANSACTIONS}
      1 | 7 | CHARGE | CAPTURE | true  | 2026-11-02 10:00 | 1000 | | a | 1 | 2026-11-03 05:00 | 1
      1 | 7 | CHARGE | CAPTURE | false | 2026-11-02 10:00 | 1000 | | b | 1 | 2026-11-04 05:00 | 2
      2 | 7 | REFUND | CAPTURE | true  | 2026-11-02 10:00 |  300 | | a | 2 | 2026-11-03 05:00 | 1
      2 | 7 | REFUND | CAPTURE |       | 2026-11-02 10:00 |  400 | | b | 2 | 2026-11-04 05:00 | 2
      2 | 7 | REFUND | CAPTURE | true  | 2026-11-02 10:00 |  400 | | c | 2 | 2026-11-05 05:00 | 3
      3 | 7 | CHARGE | CAPTURE | false | 2026-11-02 10:00 | 1000 | | a | 3 | 2026-11-03 05:00 | 1
      3 | 7 | CHARGE | CAPTURE | true  | 2026-11-02 10:00 | 1000 | | b | 3 | 2026-11-04 05:00 | 2
      4 | 7 | CHARGE | CAPTURE | true  | 2026-11-02 10:00 | 1000 | | a | 4 | 2026-11-03 05:00 | 1
      4 | 7 | CHARGE | VOID    | true  | 2026-11-02 10:00 | 1000 | | b | 4 | 2026-11-04 05:00 | 2
      5 | 7 | CHARGE | CAPTURE | false | 2026-11-02 10:00 | 1000 | | a | 5 | 2026-11-03 05:00 | 1
      6 | 7 | CHARGE | CAPTURE | true  | 2026-11-02 10:00 | 1000 | | a | 6 | 2026-11-03 05:00 | 1
      6 | 7 | CHARGE | CAPTURE | false | 2026-11-02 10:00 | 1000 | | a | 7 | 2026-11-03 05:00 | 1`,
  })
  const lines = rows.map((row) => [row['subject_id'], row['cents'], row['detail']].join(' '))
  expect(lines).toEqual([
    '1 1000 settled, then unsettled seen 2026-11-04T05:00:00Z',
    '2 -300 settled, then unsettled seen 2026-11-04T05:00:00Z',
    '6 1000 settled, then unsettled seen 2026-11-03T05:00:00Z',
  ])
})

test('a transaction of the same id in another account takes no part', async () => {
  const rows = await found('settlement_reversed', {
    'seen.transaction_version': `account | ${TRANSACTIONS}
      acme  | 1 | 7 | CHARGE | CAPTURE | true  | 2026-11-02 10:00 | 1000 | | a | 1 | 2026-11-03 05:00 | 1
      other | 1 | 7 | CHARGE | CAPTURE | false | 2026-11-02 10:00 | 1000 | | b | 1 | 2026-11-04 05:00 | 2`,
  })
  expect(rows).toEqual([])
})

test('the newest event is the landing of the newest change, and a version that only settles again is none', async () => {
  const world = {
    'seen.transaction_version': `${TRANSACTIONS}
      1 | 7 | CHARGE | CAPTURE | true  | 2026-11-02 10:00 | 1000 | | a | 1 | 2026-11-03 05:00 | 1
      1 | 7 | CHARGE | CAPTURE | true  | 2026-11-02 10:00 | 1200 | | b | 1 | 2026-11-04 05:00 | 2
      1 | 7 | CHARGE | CAPTURE | true  | 2026-11-02 10:00 | 1000 | | c | 1 | 2026-11-05 05:00 | 3
      1 | 7 | CHARGE | CAPTURE | false | 2026-11-02 10:00 | 1000 | | d | 1 | 2026-11-06 05:00 | 4
      1 | 7 | CHARGE | CAPTURE | true  | 2026-11-02 10:00 | 1000 | | e | 1 | 2026-11-07 05:00 | 5`,
  }
  expect(await modelOn('changed_after_settlement', world)).toMatchObject([{ event_seq: '3' }])
  expect(await modelOn('settlement_reversed', world)).toMatchObject([{ event_seq: '4' }])
})
