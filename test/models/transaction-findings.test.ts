/** Goal: a finding on a transaction has its limit where the rule says. Method: rows on both sides of each limit. */
import { expect, test } from 'vitest'
import { run, type Tables } from '../support/models.ts'
import { modelOn, SWEEPS, TRANSACTIONS as VERSIONS } from './seen-lake.ts'

const FLAGS =
  'transaction_id bigint | terminal_id bigint | created timestamp | action varchar | status varchar | approved boolean | settled boolean | signed_cents bigint'
const AMOUNTS =
  'transaction_id bigint | terminal_id bigint | created timestamp | action varchar | total_cents bigint | base_cents bigint | tax_cents bigint | shipping_cents bigint | tip_cents bigint | surcharge_cents bigint'

/** Each line: id, terminal, created, its date, status, approved, signed amount, place. */
function openItems(lines: string): Tables {
  const rows = lines
    .trim()
    .split('\n')
    .map((line) => line.split('|'))
  const columns = (head: string, ...at: number[]) =>
    [head, ...rows.map((row) => at.map((i) => row[i]).join(' | '))].join('\n')
  return {
    transaction_standing: columns(
      'transaction_id bigint | terminal_id bigint | business_date date | signed_cents bigint | standing varchar',
      ...[0, 1, 3, 6, 7],
    ),
    current_transaction: columns(
      'transaction_id bigint | created timestamp | status varchar | approved boolean',
      ...[0, 2, 4, 5],
    ),
  }
}

const SETTINGS =
  'terminal_id bigint | type varchar | surcharge_enabled boolean | surcharge_percentage decimal(9,4) | acceptance varchar | from_seq bigint | to_seq bigint'

const ids = (rows: Record<string, string | null>[]) => rows.map((row) => row['subject_id']).sort()

test('a total that is not the sum of its parts is off by exactly the rest, and an absent part counts as zero', async () => {
  const found = await run('total_mismatch', {
    current_transaction: `${AMOUNTS}
      1 | 7 | 2026-11-02 10:00 | CHARGE | 1100 | 1000 | 80 |  |     |
      2 | 7 | 2026-11-02 10:00 | CHARGE | 1080 | 1000 | 80 |  |     |
      3 | 7 | 2026-11-02 10:00 | REFUND | 1575 | 1000 | 80 | 300 | 150 | 45
      4 | 7 | 2026-11-02 10:00 | REFUND | 1574 | 1000 | 80 | 300 | 150 | 45
      5 | 7 | 2026-11-02 10:00 | VERIFY |    0 |      |    |  |     |`,
  })
  expect(found).toMatchObject([
    { subject_id: '1', amount_cents: '20', detail: 'total 11.00, parts 10.80' },
    { subject_id: '4', amount_cents: '-1', detail: 'total 15.74, parts 15.75' },
  ])
})

test('an open item of six days is UNSETTLED_AGED; one of five days, or one that is not open, is not', async () => {
  const found = await run(
    'unsettled_aged',
    openItems(`
      1 | 7 | 2026-11-24 23:59 | 2026-11-24 | CAPTURE | true  | 1000 | OPEN
      2 | 7 | 2026-11-25 00:01 | 2026-11-25 | CAPTURE | true  | 1000 | OPEN
      3 | 7 | 2026-11-01 10:00 | 2026-11-01 | CAPTURE | true  | 1000 | PENDING
      4 | 7 | 2026-11-01 10:00 | 2026-11-01 | CAPTURE | true  | 1000 | COMPLETE
      5 | 7 | 2026-11-01 10:00 | 2026-11-01 | HOLD    | true  | 1000 | NONE
      6 | 7 | 2026-11-01 10:00 | 2026-11-01 | HOLD    | true  | 1000 | OPEN
      7 | 7 | 2026-11-01 10:00 | 2026-11-01 | CAPTURE | true  | -300 | OPEN
      8 | 7 | 2026-11-01 10:00 | 2026-11-01 | CAPTURE | false | 1000 | NONE
      9 | 7 | 2026-11-01 10:00 | 2026-11-01 | CAPTURE | true  |    0 | NONE
      10 | 7 | 2026-11-01 10:00 | 2026-11-01 | VOID   | true  | 1000 | VOIDED`),
  )
  expect(found).toMatchObject([
    { subject_id: '1', amount_cents: '1000', detail: 'not settled for 6 days' },
    { subject_id: '7', amount_cents: '-300', detail: 'not settled for 29 days' },
  ])
})

test('an open item of two days is UNSETTLED_AGED if the limit is one day, and not if it is two', async () => {
  const world = openItems('1 | 7 | 2026-11-28 10:00 | 2026-11-28 | CAPTURE | true | 1000 | OPEN')
  const aged = async (unsettled_days: string) =>
    ids(await run('unsettled_aged', world, { unsettled_days }))
  expect(await aged('1')).toEqual(['1'])
  expect(await aged('2')).toEqual([])
})

test('a settled transaction on HOLD or VOID is SETTLED_NOT_CAPTURED, and a captured one is not', async () => {
  const found = await run('settled_not_captured', {
    current_transaction: `${FLAGS}
      1 | 7 | 2026-11-02 10:00 | CHARGE | HOLD    | true  | true  | 1000
      2 | 7 | 2026-11-02 10:00 | REFUND | VOID    | true  | true  | -500
      3 | 7 | 2026-11-02 10:00 | CHARGE | CAPTURE | true  | true  | 1000
      4 | 7 | 2026-11-02 10:00 | CHARGE | VOID    | true  | false | 1000
      5 | 7 | 2026-11-02 10:00 | CHARGE | CAPTURE | false | true  | 1000
      6 | 7 | 2026-11-02 10:00 | CHARGE | HOLD    | true  | false | 1000`,
  })
  expect(found).toMatchObject([
    { subject_id: '1', amount_cents: '1000', detail: 'settled with status HOLD' },
    { subject_id: '2', amount_cents: '-500', detail: 'settled with status VOID' },
  ])
})

test('a settled but declined transaction is SETTLED_NOT_APPROVED, and an unsettled declined one is not', async () => {
  const found = await run('settled_not_approved', {
    current_transaction: `${FLAGS}
      1 | 7 | 2026-11-02 10:00 | CHARGE | CAPTURE | false | true  | 1000
      2 | 7 | 2026-11-02 10:00 | CHARGE | CAPTURE | false | false | 1000
      3 | 7 | 2026-11-02 10:00 | CHARGE | HOLD    | true  | true  | 1000
      4 | 7 | 2026-11-02 10:00 | VERIFY | CAPTURE | false | true  |    0
      5 | 7 | 2026-11-02 10:00 | REFUND | VOID    | false | true  | -500
      6 | 7 | 2026-11-02 10:00 | CHARGE | CAPTURE | true  | true  | 1000`,
  })
  expect(found.map((row) => [row['subject_id'], row['amount_cents']])).toEqual([
    ['1', '1000'],
    ['4', '0'],
    ['5', '-500'],
  ])
})

test('a quarantined record names its field and reason, and may have neither terminal nor time', async () => {
  const found = await run('quarantined', {
    current_quarantine: `subject_type varchar | subject_id varchar | terminal_id bigint | created timestamp | field varchar | reason varchar
      settlement  | 77          | 7 | 2026-11-02 03:00 | amountNet | not a number
      transaction | sha256:ab12 |   |                  |           | not an object`,
  })
  expect(found).toMatchObject([
    { subject_type: 'settlement', subject_id: '77', detail: 'field amountNet: not a number' },
    {
      subject_type: 'transaction',
      subject_id: 'sha256:ab12',
      terminal_id: null,
      amount_cents: null,
      detail: 'not an object',
      subject_created: null,
    },
  ])
})

test('a VERIFY with an amount in any field is VERIFY_NONZERO, and one of zero is not', async () => {
  const found = await run('verify_nonzero', {
    current_transaction: `${AMOUNTS}
      1 | 7 | 2026-11-02 10:00 | VERIFY | 100 |   |  |  |   |
      2 | 7 | 2026-11-02 10:00 | VERIFY |   0 | 0 |  |  |   |
      3 | 7 | 2026-11-02 10:00 | VERIFY |   0 |   |  |  | 5 |
      4 | 7 | 2026-11-02 10:00 | VERIFY |   0 |   |  |  |   |
      5 | 7 | 2026-11-02 10:00 | CHARGE | 100 |   |  |  |   |`,
  })
  expect(ids(found)).toEqual(['1', '3'])
  expect(found.map((row) => row['detail'])).toEqual([
    'VERIFY with amountTotal 1.00',
    'VERIFY with amountTip 0.05',
  ])
})

test('a VERIFY with several amounts names each of them', async () => {
  const found = await run('verify_nonzero', {
    current_transaction: `${AMOUNTS}
      1 | 7 | 2026-11-02 10:00 | VERIFY | 150 | 100 | 20 | 10 | 5 | -15`,
  })
  expect(found).toMatchObject([
    {
      amount_cents: '150',
      detail:
        'VERIFY with amountTotal 1.50, amountBase 1.00, amountTax 0.20, amountShipping 0.10, amountTip 0.05, amountSurcharge -0.15',
    },
  ])
})

test('a cent above one million in any amount is over the limit, and one million is not', async () => {
  const found = await run('amount_over_limit', {
    current_transaction: `${AMOUNTS}
      1 | 7 | 2026-11-02 10:00 | CHARGE | 100000001 |           |  |  |   |
      2 | 7 | 2026-11-02 10:00 | CHARGE | 100000000 | 100000000 |  |  |   |
      3 | 7 | 2026-11-02 10:00 | CHARGE |       500 |           |  |  | 100000050 |
      4 | 7 | 2026-11-02 10:00 | REFUND | 100000001 |           |  |  |   |
      5 | 7 | 2026-11-02 10:00 | CHARGE | 100000000 | 100000000 | 100000000 | 100000000 | 100000000 | 100000000
      6 | 7 | 2026-11-02 10:00 | CHARGE |         0 | 100000001 |  |  |   |
      7 | 7 | 2026-11-02 10:00 | CHARGE |         0 |  | 100000001 |  |   |
      8 | 7 | 2026-11-02 10:00 | CHARGE |         0 |  |  | 100000001 |   |
      9 | 7 | 2026-11-02 10:00 | VERIFY |         0 |  |  |  |   | 100000001`,
  })
  expect(ids(found)).toEqual(['1', '3', '4', '6', '7', '8', '9'])
  expect(found.find((row) => row['subject_id'] === '1')?.['detail']).toBe('an amount of 1000000.01')
})

const SURCHARGES =
  'transaction_id bigint | terminal_id bigint | created timestamp | total_cents bigint | surcharge_cents bigint | surcharge_percentage decimal(9,4) | action varchar | status varchar | approved boolean | settled boolean'
const TAKEN = 'CHARGE | CAPTURE | true | true'
/** No terminal ever changed its settings. */
const FIRST_LANDINGS = 'transaction_id bigint | landing_seq bigint'

test('a surcharge on a terminal without surcharges is reported, and a terminal that does not say is not judged', async () => {
  const found = await run('surcharge_not_enabled', {
    current_transaction: `${SURCHARGES}
      1 | 7 | 2026-11-02 10:00 | 3090 | 90 | | ${TAKEN}
      2 | 7 | 2026-11-02 10:00 | 3000 |  0 | | ${TAKEN}
      3 | 7 | 2026-11-02 10:00 | 3000 |    | | ${TAKEN}
      4 | 8 | 2026-11-02 10:00 | 3090 | 90 | | ${TAKEN}
      5 | 9 | 2026-11-02 10:00 | 3090 | 90 | | ${TAKEN}`,
    terminal_setting: `${SETTINGS}
      7 | | false | | | 0 | 99
      8 | | true  | | | 0 | 99
      9 | |       | | | 0 | 99`,
    first_landing: FIRST_LANDINGS,
  })
  expect(found).toMatchObject([{ subject_id: '1', amount_cents: '90' }])
})

test('3 percent of 100.00 allow a surcharge of 3.01 and no cent more; the transaction’s own percentage goes before the terminal’s', async () => {
  const found = await run('surcharge_over_rate', {
    current_transaction: `${SURCHARGES}
      1 | 7 | 2026-11-02 10:00 | 10301 | 301 |      | ${TAKEN}
      2 | 7 | 2026-11-02 10:00 | 10302 | 302 |      | ${TAKEN}
      3 | 7 | 2026-11-02 10:00 | 10302 | 302 | 3.5  | ${TAKEN}
      4 | 7 | 2026-11-02 10:00 | 10152 | 152 | 1.5  | ${TAKEN}
      5 | 8 | 2026-11-02 10:00 | 19999 | 9999 |     | ${TAKEN}
      6 | 7 | 2026-11-02 10:00 |  1036 |  35 | 3.25 | ${TAKEN}
      7 | 7 | 2026-11-02 10:00 |   1035 | 34 | 3.25 | ${TAKEN}
      8 | 99 | 2026-11-02 10:00 | 10302 | 302 | 3   | ${TAKEN}
      9 | 7 | 2026-11-02 10:00 |  1042 |  32 |      | ${TAKEN}
      10 | 7 | 2026-11-02 10:00 | 1043 |  33 |      | ${TAKEN}`,
    terminal_setting: `${SETTINGS}
      7 | | | 3 | | 0 | 99
      8 | | |   | | 0 | 99`,
    first_landing: FIRST_LANDINGS,
  })
  // 3.25 % of 10.01 is 32.5325 cents: rounded up 33, plus one is 34. 3 % of 10.10 is 30.3: rounded up 31, plus one is 32.
  expect(found.map((row) => [row['subject_id'], row['amount_cents']]).sort()).toEqual([
    ['10', '1'],
    ['2', '1'],
    ['4', '1'],
    ['6', '1'],
    ['8', '1'],
  ])
})

const TWO_RULES = ['surcharge_not_enabled', 'surcharge_over_rate']

test('a surcharge counts as taken by a settled charge, and by an approved one that is not void; a refund gives it back', async () => {
  const world = {
    current_transaction: `${SURCHARGES}
      1 | 7 | 2026-11-02 10:00 | 3390 | 390 | | CHARGE | CAPTURE | true  | false
      2 | 7 | 2026-11-02 10:00 | 3390 | 390 | | CHARGE | HOLD    | true  | false
      3 | 7 | 2026-11-02 10:00 | 3390 | 390 | | CHARGE | CAPTURE | false | false
      4 | 7 | 2026-11-02 10:00 | 3390 | 390 | | CHARGE | VOID    | true  | false
      5 | 7 | 2026-11-02 10:00 | 3390 | 390 | | CHARGE | CAPTURE | false | true
      6 | 7 | 2026-11-02 10:00 | 3390 | 390 | | CHARGE | VOID    | true  | true
      7 | 7 | 2026-11-02 10:00 | 3390 | 390 | | REFUND | CAPTURE | true  | true
      8 | 7 | 2026-11-02 10:00 | 3390 | 390 | | VERIFY | CAPTURE | true  | true`,
    terminal_setting: `${SETTINGS}
      7 | | false | 3 | | 0 | 99`,
    first_landing: FIRST_LANDINGS,
  }
  for (const rule of TWO_RULES) expect(ids(await run(rule, world))).toEqual(['1', '2', '5', '6'])
})

const KINDS =
  'transaction_id bigint | terminal_id bigint | created timestamp | signed_cents bigint | vault_type varchar | ach_type varchar'
const TERMINALS = `${SETTINGS}
      7 | CARD | | |         | 0 | 99
      8 | ACH  | | | PPD,WEB | 0 | 99
      9 | ACH  | | |         | 0 | 99
      6 | CARD | | | PPD     | 0 | 99`

test('ACH on a CARD terminal and a card on an ACH terminal are of the wrong type', async () => {
  const found = await run('terminal_type_mismatch', {
    current_transaction: `${KINDS}
      1 | 7 | 2026-11-02 10:00 | 1000 | ACH  | PPD
      2 | 7 | 2026-11-02 10:00 | 1000 | CARD |
      3 | 8 | 2026-11-02 10:00 | 1000 | CARD |
      4 | 8 | 2026-11-02 10:00 | 1000 | ACH  | PPD
      5 | 7 | 2026-11-02 10:00 | 1000 |      | WEB
      6 | 7 | 2026-11-02 10:00 | 1000 |      |
      7 | 99 | 2026-11-02 10:00 | 1000 | ACH | PPD
      8 | 7 | 2026-11-02 10:00 | 1000 | CARD | PPD`,
    terminal_setting: TERMINALS,
    first_landing: FIRST_LANDINGS,
  })
  expect(ids(found)).toEqual(['1', '3', '5'])
})

test('an ACH code outside the terminal’s list is reported, except on a CARD terminal or without a list', async () => {
  const found = await run('ach_code_not_accepted', {
    current_transaction: `${KINDS}
      1 | 8 | 2026-11-02 10:00 | 1000 | ACH  | CCD
      2 | 8 | 2026-11-02 10:00 | 1000 | ACH  | WEB
      3 | 9 | 2026-11-02 10:00 | 1000 | ACH  | CCD
      4 | 6 | 2026-11-02 10:00 | 1000 | ACH  | CCD
      5 | 8 | 2026-11-02 10:00 | 1000 | ACH  |`,
    terminal_setting: TERMINALS,
    first_landing: FIRST_LANDINGS,
  })
  expect(found).toMatchObject([{ subject_id: '1', detail: 'code CCD, accepted are PPD,WEB' }])
})

test('a terminal that only transactions name is unknown, unless no terminals were swept or its record can’t be read', async () => {
  const world = {
    current_transaction: `${FLAGS}
      1 | 7  | 2026-11-02 10:00 | CHARGE | CAPTURE | true | true | 1000
      2 | 99 | 2026-11-03 10:00 | CHARGE | CAPTURE | true | true | 1000
      3 | 99 | 2026-11-02 10:00 | REFUND | CAPTURE | true | true | -300
      4 | 98 | 2026-11-02 10:00 | REFUND | CAPTURE | true | true | -300`,
    current_terminal: `terminal_id bigint | is_listed boolean
      7  | true`,
    current_quarantine: `subject_type varchar | subject_id varchar
      terminal    | 98
      transaction | 99`,
    sweep: `list varchar
      terminals`,
  }
  expect(await run('unknown_terminal', world)).toEqual([
    {
      subject_type: 'terminal',
      subject_id: '99',
      terminal_id: '99',
      amount_cents: '700',
      detail: 'named by 2 transactions',
      subject_created: '2026-11-02 10:00:00',
    },
  ])
  expect(await run('unknown_terminal', { ...world, sweep: 'list varchar' })).toEqual([])
})

test('the amount of an unknown terminal is what is settled, and approved captures that are open', async () => {
  const amount = async (rows: string) =>
    (
      await run('unknown_terminal', {
        current_transaction: `${FLAGS}\n${rows}`,
        current_terminal: 'terminal_id bigint | is_listed boolean',
        current_quarantine: 'subject_type varchar | subject_id varchar',
        sweep: 'list varchar\nterminals',
      })
    ).map((row) => [row['amount_cents'], row['detail']])
  const uncounted = `
      1 | 99 | 2026-11-02 10:00 | CHARGE | CAPTURE | false | false | 90000
      2 | 99 | 2026-11-02 10:00 | CHARGE | VOID    | true  | false | 5000
      3 | 99 | 2026-11-02 10:00 | CHARGE | HOLD    | true  | false | 6000`
  expect(await amount(uncounted)).toEqual([['0', 'named by 3 transactions']])
  const counted = `
      4 | 99 | 2026-11-02 10:00 | CHARGE | CAPTURE | true  | true  | 1000
      5 | 99 | 2026-11-02 10:00 | REFUND | CAPTURE | true  | false | -300
      6 | 99 | 2026-11-02 10:00 | CHARGE | VOID    | false | true  | 20`
  expect(await amount(uncounted + counted)).toEqual([['720', 'named by 6 transactions']])
})

test('a transaction settled after its terminal’s last settlement is an orphan, once settlements were read again', async () => {
  const world = {
    settled_member: `transaction_id bigint | terminal_id bigint | created timestamp | settlement_id bigint | signed_cents bigint
      1 | 7 | 2026-11-03 10:00 |     | 1000
      2 | 7 | 2026-11-01 03:00 |     | 1000
      3 | 7 | 2026-11-03 10:00 |     | 1000
      4 | 8 | 2026-11-03 10:00 |     | 1000
      5 | 7 | 2026-11-03 10:00 | 900 | 1000
      6 | 9 | 2026-11-01 02:00 |     | 1000
      7 | 9 | 2026-11-01 02:00 |     | 1000`,
    // Terminal 9 is in order by lastModified.
    current_transaction: `transaction_id bigint | last_modified timestamp
      1 | 2026-11-03 10:00
      2 | 2026-11-03 10:00
      3 | 2026-11-03 10:00
      4 | 2026-11-03 10:00
      5 | 2026-11-03 10:00
      6 | 2026-11-03 10:00
      7 | 2026-11-01 03:00`,
    chosen_clock: `terminal_id bigint | clock varchar
      7 | created
      9 | modified`,
    earliest_settled_time: 'transaction_id bigint | after_at timestamp',
    recently_landed_transaction: 'transaction_id bigint\n3',
    known_settlement: `settlement_id bigint | terminal_id bigint | created timestamp
      900 | 7 | 2026-11-01 03:00
      899 | 7 | 2026-10-31 03:00
      901 | 9 | 2026-11-01 03:00`,
    sweep_scope: 'list varchar | terminal_id bigint\nsettlements | null\ntransactions | null',
  }
  expect(ids(await run('orphan_settled', world))).toEqual(['1', '4', '6'])
  const never = { ...world, sweep_scope: 'list varchar | terminal_id bigint\ntransactions | null' }
  expect(await run('orphan_settled', never)).toEqual([])
  // Only the terminal's own sweep counts if the list is read terminal by terminal.
  const other = { ...world, sweep_scope: 'list varchar | terminal_id bigint\nsettlements | 8' }
  expect(ids(await run('orphan_settled', other))).toEqual(['4'])
})

test('landing numbers show if settlements were read after a transaction, also within a second and after a clock goes back', async () => {
  const since = async (sweeps: string) =>
    (
      await modelOn('recently_landed_transaction', {
        'seen.transaction_version': `${VERSIONS}
          1 | 7 | CHARGE | CAPTURE | true | 2026-11-03 10:00 | 1000 | | t | 1 | 2026-11-04 05:00 | 2
          2 | 8 | CHARGE | CAPTURE | true | 2026-11-03 10:00 | 1000 | | t | 2 | 2026-11-04 05:00 | 2`,
        'ops.sweep': `${SWEEPS} | terminal_id\n${sweeps}`,
      })
    )
      .map((row) => row['transaction_id'])
      .sort()
  const before = 's | settlements | 0 | | 2026-11-04 05:00 | 2026-11-04 05:00 | CONTIGUOUS | 1 |'
  expect(await since(before)).toEqual(['1', '2'])
  const again = 'u | settlements | 2 | | 2026-11-04 04:00 | 2026-11-04 04:00 | CONTIGUOUS | 3 |'
  expect(await since(`${before}\n${again}`)).toEqual([])
  expect(await since(`${before}\n${again} 7`)).toEqual(['2'])
})
