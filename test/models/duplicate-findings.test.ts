import { expect, test } from 'vitest'
import { run } from '../support/models.ts'
import { modelOn } from './seen-lake.ts'

const ids = (rows: Record<string, string | null>[]) => rows.map((row) => row['subject_id']).sort()

const COMPLETE = 'transaction_id bigint | last_four varchar | is_nameless boolean'
const CHARGES =
  'transaction_id bigint | terminal_id bigint | created timestamp | action varchar | status varchar | approved boolean | fine_key varchar | total_cents bigint | invoice_number varchar'

test('the later of two charges of one amount on one card within 600 seconds is a duplicate, on any terminal', async () => {
  const found = await run('duplicate_charge', {
    current_transaction: `${CHARGES}
      1  | 7 | 2026-11-02 10:00:00 | CHARGE | CAPTURE | true  | A | 2000 |
      2  | 8 | 2026-11-02 10:10:00 | CHARGE | HOLD    | true  | A | 2000 |
      3  | 7 | 2026-11-02 10:20:01 | CHARGE | CAPTURE | true  | A | 2000 |
      11 | 7 | 2026-11-02 10:00:00 | CHARGE | CAPTURE | true  | B | 2000 |
      12 | 7 | 2026-11-02 10:01:00 | CHARGE | CAPTURE | true  | B | 2001 |
      21 | 7 | 2026-11-02 10:00:00 | CHARGE | VOID    | true  | C | 2000 |
      22 | 7 | 2026-11-02 10:01:00 | CHARGE | CAPTURE | true  | C | 2000 |
      23 | 7 | 2026-11-02 10:02:00 | CHARGE | CAPTURE | false | C | 2000 |
      24 | 7 | 2026-11-02 10:03:00 | REFUND | CAPTURE | true  | C | 2000 |
      31 | 7 | 2026-11-02 10:00:00 | CHARGE | CAPTURE | true  |   | 2000 |
      32 | 7 | 2026-11-02 10:00:00 | CHARGE | CAPTURE | true  |   | 2000 |
      41 | 7 | 2026-11-02 10:00:00 | CHARGE | CAPTURE | true  | D | 2000 |
      42 | 7 | 2026-11-02 10:00:00 | CHARGE | CAPTURE | true  | D | 2000 |
      51 | 7 | 2026-11-02 10:00:00 | CHARGE | CAPTURE | true  | E | 2000 |
      52 | 7 | 2026-11-02 10:10:00.000001 | CHARGE | CAPTURE | true | E | 2000 |
      61 | 7 | 2026-11-02 10:00:00 | CHARGE | CAPTURE | true  | F | 2000 |
      62 | 7 | 2026-11-02 10:10:01 | CHARGE | CAPTURE | true  | F | 2000 |
      71 | 7 | 2026-11-02 10:00:00 | CHARGE | CAPTURE | true  | G | 2000 |
      72 | 7 | 2026-11-02 10:01:00 | VERIFY | CAPTURE | true  | G | 2000 |
      73 | 7 | 2026-11-02 10:02:00 | CHARGE | VOID    | true  | G | 2000 |`,
    incomplete_charge: COMPLETE,
  })
  expect(ids(found)).toEqual(['2', '42'])
  expect(found.find((row) => row['subject_id'] === '2')).toMatchObject({
    terminal_id: '8',
    amount_cents: '2000',
    detail: 'same card and amount as 1, 600 seconds before',
  })
})

test('two different invoice numbers make two charges; one missing number does not, and charges in between hide no duplicate', async () => {
  const found = await run('duplicate_charge', {
    current_transaction: `${CHARGES}
      1  | 7 | 2026-11-02 10:00:00 | CHARGE | CAPTURE | true | A | 2000 | i1
      2  | 7 | 2026-11-02 10:01:00 | CHARGE | CAPTURE | true | A | 2000 | i2
      3  | 7 | 2026-11-02 10:02:00 | CHARGE | CAPTURE | true | A | 2000 | i1
      11 | 7 | 2026-11-02 10:00:00 | CHARGE | CAPTURE | true | B | 2000 |
      12 | 7 | 2026-11-02 10:01:00 | CHARGE | CAPTURE | true | B | 2000 | i1
      13 | 7 | 2026-11-02 10:02:00 | CHARGE | CAPTURE | true | B | 2000 | i2
      21 | 7 | 2026-11-02 10:00:00 | CHARGE | CAPTURE | true | C | 2000 | i1
      22 | 7 | 2026-11-02 10:05:00 | CHARGE | CAPTURE | true | C | 2000 | i2
      23 | 7 | 2026-11-02 10:11:00 | CHARGE | CAPTURE | true | C | 2000 | i1
      31 | 7 | 2026-11-02 10:00:00 | CHARGE | CAPTURE | true | D | 2000 | i1
      32 | 7 | 2026-11-02 10:01:00 | CHARGE | CAPTURE | true | D | 2000 |`,
    incomplete_charge: COMPLETE,
  })
  const pairs = found.map((row) => `${row['subject_id']} ${row['detail']?.match(/as \d+/)?.[0]}`)
  expect(pairs.sort()).toEqual(['12 as 11', '13 as 11', '3 as 1', '32 as 31'])
})

test('the newest version of a charge shows if it lacks the last four digits and the name', async () => {
  const found = await modelOn('duplicate_charge', {
    'seen.transaction_version': `transaction_id | terminal_id | action | status | approved | created | total_cents | vault_type | account_type | billing_key | landing_seq | ordinal
      1 | 7 | CHARGE | CAPTURE | true | 2026-11-01 10:00 | 2000 | CARD | VISA | 77 | 1 | 1
      2 | 7 | CHARGE | CAPTURE | true | 2026-11-01 10:05 | 2000 | CARD | VISA |    | 1 | 2
      2 | 7 | CHARGE | CAPTURE | true | 2026-11-01 10:05 | 2000 | CARD | VISA | 77 | 2 | 1`,
  })
  expect(found.map((row) => row['subject_id'])).toEqual(['2'])
})

test('charges with neither last four digits nor a name are not compared', async () => {
  const found = await run('duplicate_charge', {
    current_transaction: `${CHARGES}
      1 | 7 | 2026-11-02 10:00:00 | CHARGE | CAPTURE | true | A | 2000 |
      2 | 7 | 2026-11-02 10:01:00 | CHARGE | CAPTURE | true | A | 2000 |
      3 | 7 | 2026-11-02 10:00:00 | CHARGE | CAPTURE | true | B | 2000 |
      4 | 7 | 2026-11-02 10:01:00 | CHARGE | CAPTURE | true | B | 2000 |
      5 | 7 | 2026-11-02 10:00:00 | CHARGE | CAPTURE | true | C | 2000 |
      6 | 7 | 2026-11-02 10:01:00 | CHARGE | CAPTURE | true | C | 2000 |`,
    incomplete_charge: `${COMPLETE}
      1 |      | true
      2 |      | true
      4 |      | false
      6 | 4242 | true`,
  })
  expect(ids(found)).toEqual(['4', '6'])
})
