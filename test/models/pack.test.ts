/**
 * Goal: the files of a pack have their documented rows, order and formats. Method: small tables, compared with the
 * text of each row.
 */
import { expect, test } from 'vitest'
import { run } from '../support/models.ts'
import { BATCHES, books, ITEMS } from './worked-example.ts'

const TERMINALS = 'terminal_id bigint | nick_name varchar'
const EXCEPTIONS =
  'exception_id varchar | code varchar | severity varchar | certainty varchar | subject_type varchar | subject_id varchar | terminal_id bigint | amount_cents bigint | detail varchar | first_seen timestamp | last_seen timestamp | age_days bigint | state varchar | state_by varchar | state_reason varchar | subject_created timestamp | assignee varchar'

const column = (rows: Record<string, string | null>[], name: string) => rows.map((row) => row[name])

test('a settlement is written with two decimals, a leading minus, a Z and its name; unknown values are empty', async () => {
  const batches = `
    902 | 10 | 2026-11-05 03:00:00      | COMPLETE |     5 |    -7 | BREAK
    901 | 9  | 2026-11-04 03:00:00.25   | PENDING  |   100 |       | PENDING
    900 | 9  | 2026-11-03 03:00:00      | COMPLETE | -1230 | -1230 | TIED
    899 | 9  | 2026-11-04 03:00:00      | COMPLETE |   100 |       | NO_DATA
    898 | 9  | 2026-10-31 23:59:59      | COMPLETE |   100 |   100 | TIED`
  const rows = await run('pack_settlements', {
    ...books('', batches),
    current_terminal: `${TERMINALS}
      9 | Front desk`,
  })
  expect(column(rows, 'settlementId')).toEqual(['900', '899', '901', '902'])
  expect(rows[0]).toMatchObject({
    account: 'acme',
    terminalName: 'Front desk',
    created: '2026-11-03T03:00:00Z',
    businessDate: '2026-11-03',
    reportedNet: '-12.30',
    computedNet: '-12.30',
    difference: '0.00',
    explainedAmount: '0.00',
    unexplainedAmount: '0.00',
    explainedBy: null,
    cutoff: null,
    firstSeen: '2026-11-30T05:00:00Z',
  })
  expect(rows[1]).toMatchObject({ verdict: 'NO_DATA', computedNet: null, difference: null })
  expect(rows[2]).toMatchObject({
    created: '2026-11-04T03:00:00.25Z',
    explainedAmount: null,
    unexplainedAmount: null,
  })
  expect(rows[3]).toMatchObject({
    terminalName: null,
    reportedNet: '0.05',
    computedNet: '-0.07',
    difference: '-0.12',
  })
})

test('free text that begins like a formula gets a quote before it, and other text is unchanged', async () => {
  const named = async (name: string) => {
    const rows = await run('pack_settlements', {
      ...books('', BATCHES),
      current_terminal: `${TERMINALS}\n 1002 | ${name}`,
    })
    return rows.find((row) => row['terminalId'] === '1002')?.['terminalName']
  }
  expect(await named('=1+1')).toBe("'=1+1")
  expect(await named('+49 30')).toBe("'+49 30")
  expect(await named('-Bar')).toBe("'-Bar")
  expect(await named('@home')).toBe("'@home")
  expect(await named('Bar = -1 @ home')).toBe('Bar = -1 @ home')
})

test('attributions are those of settlements in the range, by settlement, then time, then id as a number', async () => {
  const rows = await run(
    ['listed_settlement', 'listed_attribution', 'pack_attributions'],
    books(
      `
      12 | 7 | 2026-11-02 10:00 | CHARGE |  500 | 500 | COMPLETE | 1000
      9  | 7 | 2026-11-02 10:00 | REFUND |  200 | 200 | COMPLETE | 1000
      8  | 7 | 2026-11-02 11:00 | VERIFY |    0 |     | COMPLETE | 1000
      7  | 7 | 2026-11-05 10:00 | CHARGE |  500 | 500 | COMPLETE | 999
      6  | 7 | 2026-10-05 10:00 | CHARGE |  500 | 500 | COMPLETE | 998`,
      `
      1000 | 7 | 2026-11-03 03:00 | COMPLETE | 300 | 300 | TIED
      999  | 7 | 2026-11-06 03:00 | COMPLETE | 500 | 500 | TIED
      998  | 7 | 2026-10-06 03:00 | COMPLETE | 500 | 500 | TIED`,
    ),
  )
  expect(rows.map((row) => `${row['transactionId']} ${row['signedAmount']}`)).toEqual([
    '7 5.00',
    '9 -2.00',
    '12 5.00',
    '8 0.00',
  ])
  expect(rows[1]).toMatchObject({
    account: 'acme',
    settlementId: '1000',
    terminalId: '7',
    created: '2026-11-02 10:00:00',
    action: 'REFUND',
    status: 'CAPTURE',
    amountTotal: '2.00',
    method: 'ALIGNED',
  })
})

test('exceptions list errors before warnings, then code and numeric subject, and leave out any later than as_of', async () => {
  const row = (severity: string, code: string, subject: string, created: string) =>
    `e${subject} | ${code} | ${severity} | | settlement | ${subject} | 7 | -5 | @x | 2026-11-01 06:00 | 2026-11-30 06:00 | 3 | OPEN | | | ${created} | =Cid`
  const rows = await run('pack_exceptions', {
    exception: [
      EXCEPTIONS,
      row('warning', 'PENDING_DRIFT', '5', '2026-11-02'),
      row('error', 'QUARANTINED', 'sha256:ab', ''),
      row('error', 'QUARANTINED', '100', '2024-11-02'),
      row('error', 'QUARANTINED', '20', '2026-11-30 12:00:00'),
      row('error', 'QUARANTINED', '21', '2026-11-30 12:00:01'),
      row('error', 'AMOUNT_MISMATCH', '900', '2026-11-02'),
    ].join('\n'),
  })
  expect(column(rows, 'subjectId')).toEqual(['900', '20', '100', 'sha256:ab', '5'])
  expect(rows[0]).toEqual({
    account: 'acme',
    exceptionId: 'e900',
    code: 'AMOUNT_MISMATCH',
    severity: 'error',
    certainty: null,
    subjectType: 'settlement',
    subjectId: '900',
    terminalId: '7',
    amount: '-0.05',
    detail: "'@x",
    firstSeen: '2026-11-01T06:00:00Z',
    lastSeen: '2026-11-30T06:00:00Z',
    ageDays: '3',
    state: 'OPEN',
    stateBy: null,
    stateReason: null,
    assignee: "'=Cid",
  })
})

const VERSIONS =
  'settlement_id bigint | terminal_id bigint | created timestamp | version bigint | observed_at timestamp | status varchar | net_cents bigint | previous_status varchar | previous_net_cents bigint'

test('pending.csv shows every version of a settlement that is or was PENDING in the range, with its change and hours', async () => {
  const rows = await run('pack_pending', {
    settlement_version: `${VERSIONS}
      900 | 7 | 2026-11-02 03:00 | 1 | 2026-11-02 04:30 | PENDING  | 4000 |         |
      900 | 7 | 2026-11-02 03:00 | 2 | 2026-11-03 02:59 | COMPLETE | 3800 | PENDING | 4000
      901 | 7 | 2026-11-02 03:00 | 1 | 2026-11-02 04:30 | COMPLETE | 4000 |         |`,
  })
  const shown = rows.map((row) =>
    [
      row['settlementId'],
      row['status'],
      row['reportedNet'],
      row['change'],
      row['hoursPending'],
    ].join(' '),
  )
  expect(shown).toEqual(['900 PENDING 40.00  1', '900 COMPLETE 38.00 -2.00 23'])
  expect(rows[1]?.['observedAt']).toBe('2026-11-03T02:59:00Z')
})

test('a settlement from before the range is shown while it is PENDING, or if it was PENDING in the range', async () => {
  const rows = await run('pack_pending', {
    settlement_version: `${VERSIONS}
      900 | 7 | 2026-05-02 03:00 | 1 | 2026-05-02 04:30 | PENDING  | 1 |         |
      901 | 7 | 2026-10-31 03:00 | 1 | 2026-10-31 04:30 | PENDING  | 1 |         |
      901 | 7 | 2026-10-31 03:00 | 2 | 2026-11-01 04:30 | COMPLETE | 1 | PENDING | 1
      902 | 7 | 2026-10-30 03:00 | 1 | 2026-10-30 04:30 | PENDING  | 1 |         |
      902 | 7 | 2026-10-30 03:00 | 2 | 2026-10-31 04:30 | COMPLETE | 1 | PENDING | 1
      903 | 7 | 2026-12-02 03:00 | 1 | 2026-12-02 04:30 | PENDING  | 1 |         |`,
  })
  expect(column(rows, 'settlementId')).toEqual(['900', '901', '901'])
})

test('a settlement is no longer PENDING if the version that landed last is COMPLETE, even at the same instant', async () => {
  const rows = await run('pack_summary_pending', {
    pack_pending: `settlementId varchar | terminalId varchar | created varchar | observedAt varchar | status varchar | reportedNet varchar | change varchar | hoursPending varchar
      900 | 7 | 2026-11-02 03:00:00 | 2026-11-03T03:00:00Z | PENDING  | 40.00 |       | 24
      900 | 7 | 2026-11-02 03:00:00 | 2026-11-03T03:00:00Z | COMPLETE | 38.00 | -2.00 | 24`,
  })
  expect(rows.map((row) => [row['status'], row['isOpen']])).toEqual([
    ['PENDING', 'false'],
    ['COMPLETE', 'false'],
  ])
})

test('a settlement whose amount changed after it was COMPLETE did not change while it was PENDING', async () => {
  const rows = await run('pack_summary_pending', {
    pack_pending: `settlementId varchar | terminalId varchar | created varchar | observedAt varchar | status varchar | reportedNet varchar | change varchar | hoursPending varchar
      900 | 7 | 2026-11-02 03:00:00 | 2026-11-03T03:00:00Z | PENDING  | 40.00 |      | 24
      900 | 7 | 2026-11-02 03:00:00 | 2026-11-04T03:00:00Z | COMPLETE | 40.00 | 0.00 | 48
      900 | 7 | 2026-11-02 03:00:00 | 2026-11-05T03:00:00Z | COMPLETE | 41.45 | 1.45 | 72
      901 | 7 | 2026-11-02 03:00:00 | 2026-11-03T03:00:00Z | PENDING  | 40.00 |      | 24
      901 | 7 | 2026-11-02 03:00:00 | 2026-11-04T03:00:00Z | COMPLETE | 41.45 | 1.45 | 48`,
  })
  expect(column(rows, 'settlementId')).toEqual(['901', '901'])
})

test('refund_ceiling.csv has the refunds created in the range, and their totals as money', async () => {
  const rows = await run('pack_refund_ceiling', {
    refund_certainty: `transaction_id bigint | terminal_id bigint | created timestamp | card_key varchar | refund_cents bigint | charged_coarse_cents bigint | charged_fine_cents bigint | refunded_before_cents bigint | certainty varchar | history_from timestamp
      8 | 7 | 2026-11-30 23:59:59 | abc | 8000 | 7000 | 4000 | 150 | CERTAIN   | 2025-01-01
      9 | 7 | 2026-11-01 00:00:00 | abc | 8000 | 7000 | 4000 | 150 | SUSPECTED |
      7 | 7 | 2026-12-01 00:00:00 | abc | 8000 | 7000 | 4000 | 150 | CERTAIN   |`,
  })
  expect(column(rows, 'transactionId')).toEqual(['9', '8'])
  expect(rows[1]).toEqual({
    account: 'acme',
    transactionId: '8',
    terminalId: '7',
    created: '2026-11-30T23:59:59Z',
    cardKey: 'abc',
    refundAmount: '80.00',
    chargedCoarse: '70.00',
    chargedFine: '40.00',
    refundedBefore: '1.50',
    certainty: 'CERTAIN',
    historyFrom: '2025-01-01T00:00:00Z',
  })
})

test('unsettled.csv has all open transactions, each in its bucket by calendar days', async () => {
  const ages = ['30', '29', '28', '25', '24', '20', '19']
  const november = ages.map(
    (day) => `${day} | 7 | 2026-11-${day} 23:00 | REFUND | 100 | 100 | OPEN`,
  )
  const items = [
    ...november,
    '1 | 7 | 2026-10-31 10:00 | CHARGE | 100 | 100 | OPEN',
    '2 | 7 | 2026-10-30 10:00 | CHARGE | 100 | 100 | OPEN',
    '3 | 7 | 2026-11-01 10:00 | CHARGE | 100 | 100 | PENDING',
    '4 | 7 | 2026-11-01 10:00 | CHARGE | 100 | 100 | ORPHAN',
  ]
  const rows = await run('pack_unsettled', books(items.join('\n'), ''))
  expect(rows.map((row) => `${row['transactionId']}: ${row['ageDays']} ${row['bucket']}`)).toEqual([
    '2: 31 >30',
    '1: 30 11-30',
    '19: 11 11-30',
    '20: 10 6-10',
    '24: 6 6-10',
    '25: 5 2-5',
    '28: 2 2-5',
    '29: 1 0-1',
    '30: 0 0-1',
  ])
  expect(rows[8]).toMatchObject({
    signedAmount: '-1.00',
    amountTotal: '1.00',
    lastObserved: '2026-11-30T05:00:00Z',
  })
})

test('lastObserved in unsettled.csv is the end of the last sweep that covers the transaction, unless it is no longer listed', async () => {
  const open = (id: number, terminal: number, created: string) =>
    `${id} | ${terminal} | ${created} | CHARGE | 100 | 100 | OPEN`
  const items = [
    open(1, 7, '2026-03-01 10:00'),
    open(2, 7, '2026-11-28 10:00'),
    open(3, 8, '2026-03-01 10:00'),
    open(4, 8, '2026-11-28 10:00'),
    open(5, 9, '2026-10-01 10:00'),
  ]
  const rows = await run('pack_unsettled', {
    ...books(items.join('\n'), ''),
    sweep_scope: `list varchar | terminal_id bigint | covers_from timestamp | ended_at timestamp
      transactions | null | null             | 2026-12-01 04:00
      transactions | null | 2026-11-01 10:00 | 2026-12-03 04:00
      transactions | null | 2026-11-28 10:00 | 2026-12-02 04:00
      transactions | 8    | 2026-10-01 10:00 | 2026-12-04 04:00
      settlements  | null | null             | 2026-12-05 04:00`,
    delisted_record: 'list varchar | subject_id bigint\n transactions | 5',
  })
  expect(rows.map((row) => `${row['transactionId']}: ${row['lastObserved']}`)).toEqual([
    '1: 2026-12-01T04:00:00Z',
    '2: 2026-12-03T04:00:00Z',
    '3: 2026-12-01T04:00:00Z',
    '4: 2026-12-04T04:00:00Z',
    '5: 2026-11-30T05:00:00Z',
  ])
})

test('rollforward.csv and journal.csv are the models’ rows as text, in the documented order', async () => {
  const tables = books(ITEMS, BATCHES)
  const forward = await run(['standing_by_day', 'rollforward', 'pack_rollforward'], tables)
  expect(forward[17]).toEqual({
    account: 'acme',
    terminalId: '1001',
    date: '2026-11-18',
    openingUnsettled: '0.00',
    charges: '166.09',
    refunds: '21.65',
    voids: '0.00',
    settled: '0.00',
    closingUnsettled: '144.44',
  })
  const chain = ['posting', 'posted_line', 'journal_line', 'pack_journal']
  const lines = await run(chain, tables)
  expect([...new Set(column(lines, 'entryId'))]).toEqual([
    'C-1001-20261118',
    'R-1001-20261118',
    'C-1002-20261119',
    'R-1002-20261119',
    'S-900',
    'C-1001-20261120',
    'S-901',
    'S-902',
  ])
  expect(lines[0]).toEqual({
    entryId: 'C-1001-20261118',
    date: '2026-11-18',
    period: '2026-11',
    account: '1100',
    accountName: 'Processor clearing',
    debit: '166.09',
    credit: null,
    currency: 'USD',
    memo: 'Charges of terminal 1001: 2',
    settlementId: null,
    terminalId: '1001',
    source: 'charges',
  })
})

test('the lines of an entry stay together in both files of entries, also if they are of two terminals', async () => {
  const head =
    'entry_id varchar | entry_date date | period varchar | account varchar | account_name varchar | debit_cents bigint | credit_cents bigint | currency varchar | memo varchar | settlement_id bigint | terminal_id bigint | source varchar | line_no bigint'
  const line = (settlement: number, terminal: number, no: number) =>
    `ADJ-S-${settlement}-1 | 2026-11-18 | 2026-11 | 1100 | c | 100 | | USD | m | ${settlement} | ${terminal} | adjustment | ${no}`
  const lines = [head, line(5, 8, 2), line(6, 7, 1), line(5, 7, 1)].join('\n')
  for (const [file, table] of [
    ['pack_journal', 'journal_line'],
    ['pack_gathered', 'gathered_line'],
  ] as const) {
    const rows = await run(file, { [table]: lines })
    expect(rows.map((row) => `${row['entryId']} ${row['terminalId']}`)).toEqual([
      'ADJ-S-5-1 7',
      'ADJ-S-5-1 8',
      'ADJ-S-6-1 7',
    ])
  }
})

test('sweeps.csv lists sweeps in the order of their start', async () => {
  const rows = await run('pack_sweeps', {
    sweep: `account varchar | list varchar | terminal_id bigint | started_at timestamp | ended_at timestamp | pages bigint | records bigint | new_versions bigint | quarantined bigint | rewinds bigint | requests bigint | throttled bigint | certificate varchar | bodies_sha256 varchar | landing_seq bigint
      acme | transactions | | 2026-11-30 05:01:00    | 2026-11-30 05:02:00 | 3 | 150 | 7 | 1 | 0 | 4 | 0 | CONTIGUOUS | ff | 2
      acme | settlements  | | 2026-11-30 05:00:00.5  | 2026-11-30 05:00:01 | 1 |  50 | 7 | 1 | 0 | 4 | 0 | SNAPSHOT   | ee | 1`,
    imported_file: `account varchar | list varchar | started_at timestamp | ended_at timestamp | records bigint | new_versions bigint | quarantined bigint | file_sha256 varchar | landing_seq bigint
      acme | transactions | 2026-11-30 05:00:30 | 2026-11-30 05:00:40 | 9 | 8 | 1 | dd | 3`,
  })
  expect(column(rows, 'list')).toEqual(['settlements', 'transactions', 'transactions'])
  expect(rows[1]).toMatchObject({
    pages: '0',
    records: '9',
    certificate: 'BEST_EFFORT',
    bodiesSha256: 'dd',
  })
  expect(rows[0]).toMatchObject({
    account: 'acme',
    terminalId: null,
    startedAt: '2026-11-30T05:00:00.5Z',
    records: '50',
    certificate: 'SNAPSHOT',
    bodiesSha256: 'ee',
  })
})

test('an open exception before or after the new range left it, if the earlier pack had its day', async () => {
  const before =
    'exception_id varchar | code varchar | severity varchar | subject_type varchar | subject_id varchar | terminal_id bigint | amount varchar | state varchar'
  const ids = ['first', 'inside', 'last', 'older', 'undated']
  const rows = await run(
    'changed_exception',
    {
      previous_run: `from_date date | to_date date
      2026-11-01 | 2026-11-21`,
      previous_exception: [
        before,
        ...ids.map(
          (id) => `${id} | PENDING_STALE | warning | settlement | ${id} | 7 | 1.00 | OPEN`,
        ),
      ].join('\n'),
      pack_exceptions: `exceptionId varchar | code varchar | severity varchar | subjectType varchar | subjectId varchar | terminalId bigint | amount varchar | firstSeen varchar | ageDays varchar | state varchar
      first  | PENDING_STALE | warning | settlement | first  | 7 | 1.00 | 2026-11-30T05:00:00Z | 29 | OPEN
      inside | PENDING_STALE | warning | settlement | inside | 7 | 1.00 | 2026-11-30T05:00:00Z | 20 | OPEN
      last   | PENDING_STALE | warning | settlement | last   | 7 | 1.00 | 2026-11-30T05:00:00Z | 10 | OPEN
      older  | PENDING_STALE | warning | settlement | older  | 7 | 1.00 | 2026-11-30T05:00:00Z | 30 | OPEN
      undated | PENDING_STALE | warning | settlement | undated | 7 | 1.00 | 2026-11-20T05:00:00Z | | OPEN`,
    },
    { from_date: '2026-11-05', to_date: '2026-11-15' },
  )
  expect(rows.map(({ kind, subject_id }) => `${kind} ${subject_id}`).toSorted()).toEqual([
    'LEFT_OPEN first',
    'LEFT_OPEN last',
    'LEFT_OPEN undated',
  ])
})
