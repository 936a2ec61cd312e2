import { expect, test } from 'vitest'
import { run } from '../support/models.ts'
import { found, SETTLEMENTS } from './seen-lake.ts'

const TIEOUT =
  'settlement_id bigint | terminal_id bigint | created timestamp | business_date date | status varchar | reported_cents bigint | computed_cents bigint | difference_cents bigint | verdict varchar | explanation varchar | explained_by varchar | candidates varchar'
const WITH_UNREADABLE = `${TIEOUT} | unreadable varchar[]`

const VERSIONS =
  'settlement_id bigint | terminal_id bigint | created timestamp | version bigint | observed_at timestamp | status varchar | net_cents bigint | previous_status varchar | previous_net_cents bigint | landing_seq bigint'

const ids = (rows: Record<string, string | null>[]) => rows.map((row) => row['subject_id']).sort()

test('a COMPLETE settlement that is off by one cent is an AMOUNT_MISMATCH of one cent, explained or not', async () => {
  const found = await run('amount_mismatch', {
    tieout: `${WITH_UNREADABLE}
      900 | 7 | 2026-11-02 03:00 | 2026-11-02 | COMPLETE | 15000 | 15000 |     0 | TIED      |                   | | |
      901 | 7 | 2026-11-03 03:00 | 2026-11-03 | COMPLETE | 15000 | 14999 |    -1 | BREAK     | UNEXPLAINED       | | 61;62 |
      902 | 7 | 2026-11-04 03:00 | 2026-11-04 | COMPLETE | 15000 | 17000 |  2000 | EXPLAINED | EXTRA_TRANSACTION | 51;52 | |
      903 | 7 | 2026-11-05 03:00 | 2026-11-05 | PENDING  | 15000 | 13000 | -2000 | PENDING   |                   | | |
      904 | 7 | 2026-11-06 03:00 | 2026-11-06 | COMPLETE | 15000 |       |       | NO_DATA   |                   | | |`,
  })
  expect(found).toEqual([
    {
      subject_type: 'settlement',
      subject_id: '901',
      terminal_id: '7',
      amount_cents: '-1',
      detail: 'reported 150.00, computed 149.99; UNEXPLAINED; could be 61;62',
      subject_created: '2026-11-03 03:00:00',
    },
    {
      subject_type: 'settlement',
      subject_id: '902',
      terminal_id: '7',
      amount_cents: '2000',
      detail: 'reported 150.00, computed 170.00; EXTRA_TRANSACTION; transactions 51;52',
      subject_created: '2026-11-04 03:00:00',
    },
  ])
})

test('an AMOUNT_MISMATCH names up to ten unreadable records of its interval', async () => {
  const many = Array.from({ length: 12 }, (_, i) => `transaction ${61 + i}`)
  const [one, all] = await run('amount_mismatch', {
    tieout: `${WITH_UNREADABLE}
      900 | 7 | 2026-11-02 03:00 | 2026-11-02 | COMPLETE | 15000 | 14999 | -1 | BREAK | UNEXPLAINED | | | [transaction 61]
      901 | 7 | 2026-11-03 03:00 | 2026-11-03 | COMPLETE | 15000 | 14999 | -1 | BREAK | UNEXPLAINED | | | [${many.join(', ')}]`,
  })
  const said = 'reported 150.00, computed 149.99; UNEXPLAINED; unreadable there:'
  expect(one?.['detail']).toBe(`${said} transaction 61`)
  expect(all?.['detail']).toBe(`${said} ${many.slice(0, 10).join(', ')} and 2 more`)
})

test('a settlement that is PENDING for four days is stale and one for three days is not, counted in midnights', async () => {
  const found = await run('pending_stale', {
    tieout: `${TIEOUT}
      900 | 7 | 2026-11-26 23:59 | 2026-11-26 | PENDING  | 500 | | | PENDING |  | |
      901 | 7 | 2026-11-27 00:01 | 2026-11-27 | PENDING  | 500 | | | PENDING |  | |
      902 | 7 | 2026-11-01 03:00 | 2026-11-01 | COMPLETE | 500 | | | BREAK   |  | |`,
  })
  expect(found).toMatchObject([
    { subject_id: '900', amount_cents: '500', detail: 'PENDING for 4 days' },
  ])
})

test('another threshold makes another settlement stale', async () => {
  const tieout = `${TIEOUT}
      900 | 7 | 2026-11-28 03:00 | 2026-11-28 | PENDING | 500 | | | PENDING | | |`
  expect(await run('pending_stale', { tieout })).toEqual([])
  expect(await run('pending_stale', { tieout }, { pending_stale_days: '1' })).toHaveLength(1)
})

test('a net that changes while PENDING, or on completion, has drifted by the sum of its changes', async () => {
  const found = await run('pending_drift', {
    settlement_version: `${VERSIONS}
      900 | 7 | 2026-11-02 03:00 | 1 | 2026-11-02 04:00:00 | PENDING  | 4000 |          |      | 4
      900 | 7 | 2026-11-02 03:00 | 2 | 2026-11-03 04:00:00 | PENDING  | 3900 | PENDING  | 4000 | 5
      900 | 7 | 2026-11-02 03:00 | 3 | 2026-11-04 04:00:00 | COMPLETE | 3800 | PENDING  | 3900 | 6
      901 | 7 | 2026-11-02 03:00 | 1 | 2026-11-02 04:00:00 | PENDING  | 4000 |          |      | 4
      901 | 7 | 2026-11-02 03:00 | 2 | 2026-11-03 04:00:00 | COMPLETE | 4000 | PENDING  | 4000 | 5
      902 | 7 | 2026-11-02 03:00 | 1 | 2026-11-02 04:00:00 | COMPLETE | 4000 |          |      | 4
      902 | 7 | 2026-11-02 03:00 | 2 | 2026-11-03 04:00:00 | COMPLETE | 3000 | COMPLETE | 4000 | 5
      903 | 7 | 2026-11-02 03:00 | 1 | 2026-11-02 04:00:00 | PENDING  | -100 |          |      | 4`,
  })
  expect(found).toMatchObject([
    {
      subject_id: '900',
      amount_cents: '-200',
      detail:
        'changed while PENDING: 40.00 to 39.00 seen 2026-11-03T04:00:00Z, 39.00 to 38.00 seen 2026-11-04T04:00:00Z',
    },
  ])
})

test('a drift that returns to the first amount is still reported, with an amount of zero', async () => {
  const found = await run('pending_drift', {
    settlement_version: `${VERSIONS}
      900 | 7 | 2026-11-02 03:00 | 2 | 2026-11-03 04:00:00 | PENDING  | 3900 | PENDING  | 4000 | 5
      900 | 7 | 2026-11-02 03:00 | 3 | 2026-11-04 04:00:00 | COMPLETE | 4000 | PENDING  | 3900 | 6`,
  })
  expect(found).toMatchObject([{ subject_id: '900', amount_cents: '0', event_seq: '6' }])
})

test('a net that changes after COMPLETE is COMPLETE_CHANGED, and a new version with the same net is not', async () => {
  const found = await run('complete_changed', {
    settlement_version: `${VERSIONS} | was_complete boolean
      900 | 7 | 2026-11-02 03:00 | 1 | 2026-11-02 04:00:00 | COMPLETE | 8000 |          |      | 4 | false
      900 | 7 | 2026-11-02 03:00 | 2 | 2026-11-03 04:00:00 | COMPLETE | 8200 | COMPLETE | 8000 | 5 | true
      901 | 7 | 2026-11-02 03:00 | 1 | 2026-11-02 04:00:00 | COMPLETE | 8000 |          |      | 4 | false
      901 | 7 | 2026-11-02 03:00 | 2 | 2026-11-03 04:00:00 | COMPLETE | 8000 | COMPLETE | 8000 | 5 | true
      902 | 7 | 2026-11-02 03:00 | 2 | 2026-11-03 04:00:00 | COMPLETE | 8200 | PENDING  | 8000 | 5 | false
      903 | 7 | 2026-11-02 03:00 | 1 | 2026-11-02 04:00:00 | COMPLETE | 8000 |          |      | 4 | false
      904 | 7 | 2026-11-02 03:00 | 1 | 2026-11-02 04:00:00 | COMPLETE | 8000 |          |      | 4 | false
      904 | 7 | 2026-11-02 03:00 | 2 | 2026-11-03 04:00:00 | PENDING  | 7900 | COMPLETE | 8000 | 5 | true
      905 | 7 | 2026-11-02 03:00 | 1 | 2026-11-02 04:00:00 | COMPLETE | 8000 |          |      | 4 | false
      905 | 7 | 2026-11-02 03:00 | 2 | 2026-11-03 04:00:00 | COMPLETE | 7900 | COMPLETE | 8000 | 5 | true
      905 | 7 | 2026-11-02 03:00 | 3 | 2026-11-04 04:00:00 | COMPLETE | 8000 | COMPLETE | 7900 | 6 | true
      906 | 7 | 2026-11-02 03:00 | 1 | 2026-11-02 04:00:00 | COMPLETE | 8000 |          |      | 4 | false
      906 | 7 | 2026-11-02 03:00 | 2 | 2026-11-03 04:00:00 | PENDING  | 8000 | COMPLETE | 8000 | 5 | true
      906 | 7 | 2026-11-02 03:00 | 3 | 2026-11-04 04:00:00 | COMPLETE | 8300 | PENDING  | 8000 | 6 | true`,
  })
  // 905 went back to its first net, and stays reported.
  expect(
    found.map((row) => [row['subject_id'], row['amount_cents'], row['event_seq']]).sort(),
  ).toEqual([
    ['900', '200', '5'],
    ['904', '-100', '5'],
    ['905', '0', '6'],
    ['906', '300', '6'],
  ])
})

test('a change from COMPLETE has not drifted, even to PENDING; a change from PENDING has, even after COMPLETE', async () => {
  const settlement_version = `${VERSIONS} | was_complete boolean
      900 | 7 | 2026-11-02 03:00 | 2 | 2026-11-03 04:00:00 | PENDING  | 8200 | COMPLETE | 8000 | 5 | true
      900 | 7 | 2026-11-02 03:00 | 3 | 2026-11-04 04:00:00 | COMPLETE | 8200 | PENDING  | 8200 | 6 | true
      901 | 7 | 2026-11-02 03:00 | 2 | 2026-11-03 04:00:00 | PENDING  | 8000 | COMPLETE | 8000 | 5 | true
      901 | 7 | 2026-11-02 03:00 | 3 | 2026-11-04 04:00:00 | COMPLETE | 8200 | PENDING  | 8000 | 6 | true`
  expect(ids(await run('pending_drift', { settlement_version }))).toEqual(['901'])
  expect(ids(await run('complete_changed', { settlement_version }))).toEqual(['900', '901'])
})

test('a change from COMPLETE to PENDING is a STATUS_REGRESSION, and from PENDING to COMPLETE is not', async () => {
  const found = await run('status_regression', {
    settlement_version: `${VERSIONS} | was_complete boolean
      900 | 7 | 2026-11-02 03:00 | 1 | 2026-11-02 04:00:00 | COMPLETE | 8000 |          |      | 4 | false
      900 | 7 | 2026-11-02 03:00 | 2 | 2026-11-03 04:00:00 | PENDING  | 8000 | COMPLETE | 8000 | 5 | true
      900 | 7 | 2026-11-02 03:00 | 3 | 2026-11-04 04:00:00 | COMPLETE | 8000 | PENDING  | 8000 | 6 | true
      901 | 7 | 2026-11-02 03:00 | 2 | 2026-11-03 04:00:00 | COMPLETE | 8000 | PENDING  | 8000 | 5 | false
      902 | 7 | 2026-11-02 03:00 | 1 | 2026-11-02 04:00:00 | COMPLETE | 8000 |          |      | 4 | false
      902 | 7 | 2026-11-02 03:00 | 2 | 2026-11-03 04:00:00 | COMPLETE | 8200 | COMPLETE | 8000 | 5 | true
      903 | 7 | 2026-11-02 03:00 | 1 | 2026-11-02 04:00:00 | COMPLETE | 8000 |          |      | 4 | false
      903 | 7 | 2026-11-02 03:00 | 2 | 2026-11-03 04:00:00 | REPORTED | 8000 | COMPLETE | 8000 | 5 | true
      904 | 7 | 2026-11-02 03:00 | 1 | 2026-11-02 04:00:00 | COMPLETE | 8000 |          |      | 4 | false
      904 | 7 | 2026-11-02 03:00 | 2 | 2026-11-03 04:00:00 | REPORTED | 8000 | COMPLETE | 8000 | 5 | true
      904 | 7 | 2026-11-02 03:00 | 3 | 2026-11-04 04:00:00 | PENDING  | 8000 | REPORTED | 8000 | 6 | true`,
  })
  expect(ids(found).sort()).toEqual(['900', '904'])
  expect(found.find((row) => row['subject_id'] === '900')).toMatchObject({
    detail: 'COMPLETE, then PENDING seen 2026-11-03T04:00:00Z',
    event_seq: '5',
  })
})

test('a settlement on another terminal than before is SETTLEMENT_MOVED, with both amounts of the newest move', async () => {
  const rows = await found('settlement_moved', {
    'seen.settlement_version': `${SETTLEMENTS}
      900 | 7 | 2026-11-02 03:00 | 8000 | a | 1 | 2026-11-02 04:00 | 1
      900 | 8 | 2026-11-02 03:00 | 8200 | b | 1 | 2026-11-03 04:00 | 2
      901 | 7 | 2026-11-02 03:00 | 8000 | a | 2 | 2026-11-02 04:00 | 1
      901 | 8 | 2026-11-02 03:00 | 6000 | a | 3 | 2026-11-02 04:00 | 1
      901 | 7 | 2026-11-02 03:00 | 8000 | b | 2 | 2026-11-03 04:00 | 2
      902 | 7 | 2026-11-02 03:00 | 8000 | a | 4 | 2026-11-02 04:00 | 1
      902 | 7 | 2026-11-02 03:00 | 8200 | b | 3 | 2026-11-03 04:00 | 2`,
  })
  expect(rows).toMatchObject([
    {
      ...{ subject_id: '900', terminal_id: '8', cents: '8200' },
      detail: 'terminal 7 with 80.00 to terminal 8 with 82.00 seen 2026-11-03T04:00:00Z',
    },
    {
      ...{ subject_id: '901', terminal_id: '7', cents: '8000' },
      detail:
        'terminal 8 with 60.00 to terminal 7 with 80.00 seen 2026-11-03T04:00:00Z, the last of 2 moves',
    },
  ])
})

test('a record created after the report and more than a day after it was read is CREATED_IN_FUTURE, with the day of the reading', async () => {
  const found = await run('created_in_future', {
    current_settlement: `settlement_id bigint | terminal_id bigint | created timestamp | reported_cents bigint | last_changed timestamp
      900 | 7 | 2026-11-03 05:00:00 | 15650 | 2026-11-02 05:00
      901 | 7 | 2199-11-02 05:00:00 | 15650 | 2026-11-02 05:00`,
    current_transaction: `transaction_id bigint | terminal_id bigint | created timestamp | signed_cents bigint | observed_at timestamp
      1 | 7 | 2026-11-03 05:00:00 |  500 | 2026-11-02 05:00
      2 | 7 | 2026-12-03 05:00:01 | -500 | 2026-11-02 05:00
      3 | 7 | 2026-11-19 05:00:00 | -500 | 2026-11-02 05:00`,
  })
  expect(found).toEqual([
    {
      subject_type: 'settlement',
      subject_id: '901',
      terminal_id: '7',
      amount_cents: '15650',
      detail: 'created 2199-11-02T05:00:00Z, read 2026-11-02T05:00:00Z',
      subject_created: '2026-11-02 05:00:00',
    },
    {
      subject_type: 'transaction',
      subject_id: '2',
      terminal_id: '7',
      amount_cents: '-500',
      detail: 'created 2026-12-03T05:00:01Z, read 2026-11-02T05:00:00Z',
      subject_created: '2026-11-02 05:00:00',
    },
  ])
})
