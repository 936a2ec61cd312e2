/**
 * Goal: verdict and certificate claim no more than the rows prove. Method: one table row for each condition of a
 * rule.
 */
import { expect, test } from 'vitest'
import { run, type Tables } from '../support/models.ts'

/** Settlements of terminal 7, the sweep that read its transactions, and nothing else: a test fills in what it is about. */
const net = (more: Tables): Tables => ({
  current_settlement: `settlement_id bigint | terminal_id bigint | created timestamp | business_date date | status varchar | reported_cents bigint | last_changed_seq bigint | ordinal bigint
    900 | 7 | 2026-11-02 03:00 | 2026-11-02 | COMPLETE | 12000 | 1 | 1
    901 | 7 | 2026-11-03 03:00 | 2026-11-03 | COMPLETE |  5000 | 1 | 2
    902 | 7 | 2026-11-04 03:00 | 2026-11-04 | COMPLETE |     0 | 3 | 3
    903 | 7 | 2026-11-05 03:00 | 2026-11-05 | PENDING  |  4000 | 1 | 4
    904 | 7 | 2026-11-06 03:00 | 2026-11-06 | PENDING  |  4000 | 1 | 5`,
  attribution: `transaction_id bigint | settlement_id bigint | terminal_id bigint | method varchar | action varchar | signed_cents bigint | created timestamp
    1 | 900 | 7 | EXPLICIT_ID | CHARGE | 15000 | 2026-11-01 10:00
    2 | 900 | 7 | WINDOW      | REFUND | -3000 | 2026-11-01 11:00
    3 | 900 | 7 | OBSERVED    | VERIFY |     0 | 2026-11-01 12:00
    4 | 901 | 7 | ALIGNED     | CHARGE |  4999 | 2026-11-02 10:00
    5 | 903 | 7 | ALIGNED     | CHARGE |  3000 | 2026-11-04 10:00`,
  boundary: 'settlement_id bigint | cut_instant timestamp',
  rival: 'settlement_id bigint | reason varchar | rival_count bigint | transaction_ids varchar',
  sweep_scope: `list varchar | terminal_id bigint | started_seq bigint
    transactions | null | 2`,
  current_quarantine:
    'list varchar | subject_type varchar | subject_id varchar | terminal_id bigint | created timestamp',
  swept_settlement: 'settlement_id bigint\n 900\n 901\n 902\n 903\n 904',
  imported_settlement: 'settlement_id bigint',
  ...more,
})

const VERDICT = ['settlement_id', 'verdict', 'computed_cents', 'difference_cents', 'method']

async function judged(more: Tables = {}): Promise<string[]> {
  const rows = await run(['fully_read_settlement', 'computed_net'], net(more))
  return rows.map((row) => VERDICT.map((column) => row[column] ?? '-').join(' ')).sort()
}

test('a settlement ties to the cent or breaks; an unread one has NO_DATA, and a PENDING one is not judged', async () => {
  expect(await judged()).toEqual([
    '900 TIED 12000 0 WINDOW',
    '901 BREAK 4999 -1 ALIGNED',
    '902 NO_DATA - - NONE',
    '903 PENDING 3000 -1000 ALIGNED',
    '904 PENDING - - NONE',
  ])
})

test('a fully read settlement of zero without transactions ties, also if its terminal was read alone', async () => {
  const swept = (terminal: string) =>
    judged({
      sweep_scope: `list varchar | terminal_id bigint | started_seq bigint
        transactions | ${terminal} | 3
        settlements  | null | 9`,
    })
  expect(await swept('7')).toContain('902 TIED 0 0 NONE')
  expect(await swept('8')).toContain('902 NO_DATA - - NONE')
})

test('a settlement whose transactions lie before the swept period has NO_DATA, even if some are known', async () => {
  const rows = await judged({ swept_settlement: 'settlement_id bigint\n 900' })
  expect(rows).toContain('900 TIED 12000 0 WINDOW')
  expect(rows).toContain('901 NO_DATA - - ALIGNED')
})

test('an unreadable record affects the settlement whose interval has its time', async () => {
  const unread = async (created: string, boundary: string) => {
    const rows = await run(
      ['fully_read_settlement', 'computed_net'],
      net({
        current_quarantine: `list varchar | subject_type varchar | subject_id varchar | terminal_id bigint | created timestamp
          transactions | transaction | 77 | 7 | ${created}`,
        boundary: `settlement_id bigint | cut_instant timestamp\n${boundary}`,
      }),
    )
    return rows.flatMap((row) => (row['unreadable'] ? [row['settlement_id']] : []))
  }
  const cuts = '900 | 2026-11-01 21:00\n 901 | 2026-11-02 21:00'
  expect(await unread('2026-11-02 21:00', '')).toEqual(['901'])
  expect(await unread('2026-11-02 21:00', cuts)).toEqual(['901'])
  expect(await unread('2026-11-02 21:01', cuts)).toEqual(['902'])
  // After the last cut-off there is no other that it could be in yet.
  const last = `${cuts}\n 904 | 2026-11-05 21:00`
  expect(await unread('2026-11-05 22:00', last)).toEqual(['904'])
  expect(await unread('2026-11-06 03:01', last)).toEqual([])
})

test('charges and refunds are summed apart, refunds as a positive sum, and a VERIFY is only counted', async () => {
  const rows = await run(['fully_read_settlement', 'computed_net'], net({}))
  expect(rows.find((row) => row['settlement_id'] === '900')).toMatchObject({
    transaction_count: '3',
    charge_count: '1',
    charge_cents: '15000',
    refund_count: '1',
    refund_cents: '3000',
    cutoff_at: '2026-11-01 12:00:00',
  })
})

const NOTHING_OPEN = {
  settlement_open_to_arithmetic: 'settlement_id bigint',
  manual_member: 'settlement_id bigint | transaction_id bigint',
  interchangeable_member: 'settlement_id bigint | transaction_id bigint',
  difference_rival: 'settlement_id bigint | reason varchar',
  attribution: 'settlement_id bigint | transaction_id bigint | signed_cents bigint',
}

const COMPUTED =
  'settlement_id bigint | terminal_id bigint | created timestamp | business_date date | status varchar | reported_cents bigint | computed_cents bigint | difference_cents bigint | verdict varchar | method varchar | transaction_count bigint | charge_count bigint | charge_cents bigint | refund_count bigint | refund_cents bigint | cutoff_at timestamp | rival_count bigint | unreadable varchar[]'
const RIVAL = 'settlement_id bigint | reason varchar | rival_count bigint | transaction_ids varchar'

/**
 * `id | created | difference | verdict | method | rivals | unreadable | rivals at one end | terminal | transactions | charges | refunds`,
 * completed to rows of computed_net and rival.
 */
function computed(lines: string): { computed_net: string; rival: string } {
  const cells = lines
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
  const nets = cells.map(([id, created, difference, verdict, method, ...more]) => {
    const [rivals, unreadable = '', , terminal = '7', count = '1', charges = '100', refunds = '0'] =
      more
    const status = verdict === 'PENDING' ? 'PENDING' : 'COMPLETE'
    return `${id} | ${terminal} | ${created} | ${created} | ${status} | 100 | | ${difference} | ${verdict} | ${method} | ${count} | 1 | ${charges} | 0 | ${refunds} | | ${rivals} | ${unreadable}`
  })
  const rivals = cells.flatMap(([id, , , , , all = '0', , atEnd = '0']) => [
    ...(Number(atEnd) > 0 ? [`${id} | OTHER_END | ${atEnd} |`] : []),
    ...(Number(all) > Number(atEnd) ? [`${id} | SWAP | ${Number(all) - Number(atEnd)} |`] : []),
  ])
  return {
    computed_net: [COMPUTED, ...nets].join('\n'),
    rival: [RIVAL, ...rivals].join('\n'),
  }
}

test('explained and unexplained amounts make up the difference, and the certificate says if rivals exist', async () => {
  const rows = await run('tieout', {
    ...NOTHING_OPEN,
    ...computed(`
      900 | 2026-11-01 |   0 | TIED    | WINDOW      | 0 |
      901 | 2026-11-02 |   0 | TIED    | ALIGNED     | 2 | [transaction 5]
      902 | 2026-11-03 |   0 | TIED    | OBSERVED    | 2 |
      903 | 2026-11-04 | -30 | BREAK   | WINDOW      | 0 |
      904 | 2026-11-05 | -30 | BREAK   | WINDOW      | 0 |
      905 | 2026-11-06 |     | NO_DATA | NONE        | 0 |
      906 | 2026-11-07 |  10 | PENDING | WINDOW      | 0 |
      907 | 2026-11-08 |   0 | TIED    | WINDOW      | 0 |
      908 | 2026-12-01 |   0 | TIED    | WINDOW      | 0 |
      909 | 2026-12-02 |   0 | TIED    | EXPLICIT_ID | 1 |
      910 | 2026-12-03 |   0 | TIED    | OBSERVED    | 2 |
      911 | 2026-12-04 |   0 | TIED    | OBSERVED    | 0 | `),
    // Observations leave 910 and 911 open.
    settlement_open_to_arithmetic: `settlement_id bigint
      910
      911`,
    explanation: `settlement_id bigint | code varchar | blamed varchar | may_fit_by_chance boolean | candidates varchar
      903 | EXTRA_TRANSACTION | 5 | false |
      904 |                   | 6 | false | EXTRA_TRANSACTION 6, EXTRA_TRANSACTION 7`,
    shift: `from_settlement_id bigint | to_settlement_id bigint | transaction_id bigint | options bigint
      907 | 900 | 8 | 1`,
  })
  const columns = [
    'settlement_id',
    'verdict',
    'certificate',
    'explanation',
    'explained_cents',
    'unexplained_cents',
    'explained_by',
    'in_range',
  ]
  expect(rows.map((row) => columns.map((column) => row[column] ?? '-').join(' ')).sort()).toEqual([
    '900 TIED UNIQUE CUTOFF_SHIFT 0 0 8 true',
    '901 TIED AMBIGUOUS QUARANTINED_RECORDS 0 0 - true',
    '902 TIED UNIQUE - 0 0 - true',
    '903 EXPLAINED AMBIGUOUS EXTRA_TRANSACTION -30 0 5 true',
    '904 BREAK UNSOLVED UNEXPLAINED 0 -30 - true',
    '905 NO_DATA UNSOLVED - - - - true',
    '906 PENDING - - - - - true',
    '907 TIED UNIQUE CUTOFF_SHIFT 0 0 8 true',
    '908 TIED UNIQUE - 0 0 - false',
    '909 TIED AMBIGUOUS - 0 0 - false',
    '910 TIED AMBIGUOUS - 0 0 - false',
    '911 TIED UNIQUE - 0 0 - false',
  ])
})

test('an explained settlement is AMBIGUOUS if a neighbour could have the difference, unless observations decide its members', async () => {
  const rows = await run('tieout', {
    ...NOTHING_OPEN,
    ...computed(`
      900 | 2026-11-01 | -30 | BREAK   | WINDOW      | 1 | | 1
      901 | 2026-11-02 | -40 | BREAK   | OBSERVED    | 1 | | 1
      902 | 2026-11-03 | -50 | BREAK   | EXPLICIT_ID | 1 | | 1
      903 | 2026-11-04 | -60 | BREAK   | WINDOW      | 3 | | 0`),
    explanation: `settlement_id bigint | code varchar | blamed varchar | may_fit_by_chance boolean | candidates varchar
      900 | EXTRA_TRANSACTION | 1 | false |
      901 | EXTRA_TRANSACTION | 2 | false |
      902 | EXTRA_TRANSACTION | 3 | false |
      903 | EXTRA_TRANSACTION | 4 | false |`,
    shift:
      'from_settlement_id bigint | to_settlement_id bigint | transaction_id bigint | options bigint',
  })
  const said = rows.map((row) => `${row['settlement_id']} ${row['verdict']} ${row['certificate']}`)
  expect(said.sort()).toEqual([
    '900 EXPLAINED AMBIGUOUS',
    '901 EXPLAINED UNIQUE',
    '902 EXPLAINED AMBIGUOUS',
    '903 EXPLAINED UNIQUE',
  ])
})

test('an explained settlement is AMBIGUOUS if it names an interchangeable member, names all members and has rivals, or is beside an uncertain shift', async () => {
  const rows = await run('tieout', {
    ...NOTHING_OPEN,
    ...computed(`
      900 | 2026-11-01 | -30 | BREAK | WINDOW   | 1 | | 0
      901 | 2026-11-02 | -40 | BREAK | WINDOW   | 1 | | 0
      902 | 2026-11-03 | -50 | BREAK | WINDOW   | 0 | | 0
      903 | 2026-11-04 | -60 | BREAK | OBSERVED | 1 | | 0
      904 | 2026-11-05 |   0 | TIED  | WINDOW   | 0 | | 0
      905 | 2026-11-06 | -70 | BREAK | WINDOW   | 0 | | 0
      906 | 2026-11-07 | -80 | BREAK | WINDOW   | 0 | | 0`),
    explanation: `settlement_id bigint | code varchar | blamed varchar | may_fit_by_chance boolean | candidates varchar
      900 | EXTRA_TRANSACTION  | 1    | false |
      901 | COMPONENT_EXCLUDED | 2;22 | false |
      902 | COMPONENT_EXCLUDED | 3;33 | false |
      903 | EXTRA_TRANSACTION  | 4    | false |
      905 | EXTRA_TRANSACTION  | 5    | false |
      906 | EXTRA_TRANSACTION  | 6    | false |`,
    // All of 903 was observed. The first member of 902 could be swapped, but the explanation names all of its
    // members.
    interchangeable_member: `settlement_id bigint | transaction_id bigint
      900 | 1
      902 | 3
      903 | 4
      906 | 66`,
    shift: `from_settlement_id bigint | to_settlement_id bigint | transaction_id bigint | options bigint
      904 | 905 | 5 | 2`,
  })
  const said = rows.map((row) => `${row['settlement_id']} ${row['verdict']} ${row['certificate']}`)
  expect(said.sort()).toEqual([
    '900 EXPLAINED AMBIGUOUS',
    '901 EXPLAINED AMBIGUOUS',
    '902 EXPLAINED UNIQUE',
    '903 EXPLAINED UNIQUE',
    '904 TIED AMBIGUOUS',
    '905 EXPLAINED AMBIGUOUS',
    '906 EXPLAINED UNIQUE',
  ])
})

test('a shift beside a BREAK makes both of its settlements AMBIGUOUS, with a rival', async () => {
  const rows = await run('tieout', {
    ...NOTHING_OPEN,
    ...computed(`
      900 | 2026-11-01 |   0 | TIED    | ALIGNED     | 0 |
      901 | 2026-11-02 |   0 | TIED    | ALIGNED     | 0 |
      902 | 2026-11-03 | -50 | BREAK   | ALIGNED     | 0 |
      903 | 2026-11-04 |   0 | TIED    | ALIGNED     | 0 |
      904 | 2026-11-05 |   0 | TIED    | ALIGNED     | 0 |
      905 | 2026-11-06 |   0 | TIED    | ALIGNED     | 0 | `),
    explanation:
      'settlement_id bigint | code varchar | blamed varchar | may_fit_by_chance boolean | candidates varchar',
    shift: `from_settlement_id bigint | to_settlement_id bigint | transaction_id bigint | options bigint
      900 | 901 | 8 | 1
      905 | 904 | 9 | 1`,
  })
  const columns = ['settlement_id', 'verdict', 'certificate', 'rival_count']
  expect(rows.map((row) => columns.map((column) => row[column]).join(' ')).sort()).toEqual([
    '900 TIED AMBIGUOUS 1',
    '901 TIED AMBIGUOUS 1',
    '902 BREAK UNSOLVED 0',
    '903 TIED UNIQUE 0',
    '904 TIED UNIQUE 0',
    '905 TIED UNIQUE 0',
  ])
})

test('a tie between two differences is AMBIGUOUS if one of the many possible nets could match by chance', async () => {
  const rows = await run('tieout', {
    ...NOTHING_OPEN,
    // Settlements of terminals 1, 2 and 3, with their transactions, charges and refunds.
    ...computed(`
      900 | 2026-11-01 | 0 | BREAK   | ALIGNED     | 0 | | 0 | 1 | 50  |    495 | 5
      901 | 2026-11-01 | 0 | TIED    | ALIGNED     | 0 | | 0 | 1 | 100 | 999995 | 5
      902 | 2026-11-01 | 0 | BREAK   | ALIGNED     | 0 | | 0 | 1 | 50  |    495 | 5
      903 | 2026-11-01 | 0 | TIED    | ALIGNED     | 0 | | 0 | 1 | 100 | 999996 | 5
      904 | 2026-11-01 | 0 | BREAK   | ALIGNED     | 0 | | 0 | 1 | 50  |    495 | 5
      905 | 2026-11-01 | 0 | TIED    | WINDOW      | 0 | | 0 | 1 | 50  |    495 | 5
      906 | 2026-11-01 | 0 | BREAK   | ALIGNED     | 0 | | 0 | 1 | 50  |    495 | 5
      907 | 2026-11-01 | 0 | TIED    | EXPLICIT_ID | 0 | | 0 | 1 | 50  |    495 | 5
      908 | 2026-11-01 | 0 | BREAK   | ALIGNED     | 0 | | 0 | 1 | 50  |    495 | 5
      909 | 2026-11-01 | 0 | TIED    | ALIGNED     | 0 | | 0 | 1 | 50  |    495 | 5
      910 | 2026-11-01 | 0 | TIED    | ALIGNED     | 0 | | 0 | 1 | 50  |    495 | 5
      911 | 2026-11-01 | 0 | BREAK   | ALIGNED     | 0 | | 0 | 1 | 50  |    495 | 5
      912 | 2026-11-01 | 0 | TIED    | ALIGNED     | 0 | | 0 | 1 | 50  |    495 | 5
      913 | 2026-11-01 | 0 | TIED    | ALIGNED     | 0 | | 0 | 2 | 50  |    495 | 5
      914 | 2026-11-01 | 0 | BREAK   | ALIGNED     | 0 | | 0 | 2 | 50  |    495 | 5
      915 | 2026-11-01 | 0 | TIED    | ALIGNED     | 0 | | 0 | 2 | 50  |    495 | 5
      916 | 2026-11-01 | 0 | NO_DATA | NONE        | 0 | | 0 | 2 | 0   |      0 | 0
      920 | 2026-11-01 | 0 | TIED    | ALIGNED     | 0 | | 0 | 2 | 49  |    495 | 5
      917 | 2026-11-01 | 0 | BREAK   | ALIGNED     | 0 | | 0 | 3 | 50  |    495 | 5
      918 | 2026-11-01 | 0 | TIED    | ALIGNED     | 0 | | 0 | 3 | 50  |    495 | 5
      919 | 2026-11-01 | 0 | BREAK   | ALIGNED     | 0 | | 0 | 3 | 50  |    495 | 5`),
    explanation: `settlement_id bigint | code varchar | blamed varchar | may_fit_by_chance boolean | candidates varchar
      917 | EXTRA_TRANSACTION | 5 | false |`,
    shift:
      'from_settlement_id bigint | to_settlement_id bigint | transaction_id bigint | options bigint',
  })
  const columns = ['settlement_id', 'certificate', 'rival_count']
  const tied = rows.filter(({ verdict }) => verdict === 'TIED')
  expect(tied.map((row) => columns.map((column) => row[column]).join(' ')).sort()).toEqual([
    '901 AMBIGUOUS 1',
    '903 UNIQUE 0',
    // At the usual place one net alone comes into question.
    '905 UNIQUE 0',
    '907 UNIQUE 0',
    '909 UNIQUE 0',
    '910 UNIQUE 0',
    // Its terminal's last: nothing after it speaks for its end.
    '912 AMBIGUOUS 1',
    // Its terminal's first begins where the terminal does.
    '913 UNIQUE 0',
    '915 AMBIGUOUS 1',
    // An explained settlement also supports its neighbours' cut-offs.
    '918 UNIQUE 0',
    // All possible sets were tried among a few transactions.
    '920 UNIQUE 0',
  ])
})

test('an explained settlement beside a BREAK is AMBIGUOUS, unless ids or observations decide its members', async () => {
  const rows = await run('tieout', {
    ...NOTHING_OPEN,
    ...computed(`
      900 | 2026-11-01 | -30 | BREAK   | ALIGNED     | 0 |
      901 | 2026-11-02 | -40 | BREAK   | ALIGNED     | 0 |
      902 | 2026-11-03 | -50 | BREAK   | OBSERVED    | 0 |
      903 | 2026-11-04 | -60 | BREAK   | ALIGNED     | 0 |
      904 | 2026-11-05 | -70 | BREAK   | EXPLICIT_ID | 0 |
      905 | 2026-11-06 | -80 | BREAK   | WINDOW      | 0 |
      906 | 2026-11-07 |   0 | TIED    | WINDOW      | 0 |
      907 | 2026-11-08 | -90 | BREAK   | WINDOW      | 0 |
      908 | 2026-11-09 | -10 | BREAK   | EXPLICIT_ID | 0 |
      909 | 2026-11-10 | -20 | BREAK   | EXPLICIT_ID | 0 |
      910 | 2026-11-11 |   0 | TIED    | OBSERVED    | 0 |
      911 | 2026-11-12 | -30 | BREAK   | OBSERVED    | 0 |
      912 | 2026-11-13 | -40 | BREAK   | OBSERVED    | 0 | `),
    // Observations leave 911 open.
    settlement_open_to_arithmetic: `settlement_id bigint
      911`,
    explanation: `settlement_id bigint | code varchar | blamed varchar | may_fit_by_chance boolean | candidates varchar
      900 | EXTRA_TRANSACTION | 1 | false |
      902 | EXTRA_TRANSACTION | 2 | false |
      904 | EXTRA_TRANSACTION | 3 | false |
      905 | EXTRA_TRANSACTION | 4 | false |
      907 | EXTRA_TRANSACTION | 5 | false |
      909 | EXTRA_TRANSACTION | 6 | false |
      911 | EXTRA_TRANSACTION | 7 | false |`,
    shift:
      'from_settlement_id bigint | to_settlement_id bigint | transaction_id bigint | options bigint',
  })
  const said = rows.map((row) => `${row['settlement_id']} ${row['verdict']} ${row['certificate']}`)
  expect(said.sort()).toEqual([
    '900 EXPLAINED AMBIGUOUS',
    '901 BREAK UNSOLVED',
    '902 EXPLAINED UNIQUE',
    '903 BREAK UNSOLVED',
    // Its own members have ids; those of 903 have none, and could be its.
    '904 EXPLAINED AMBIGUOUS',
    '905 EXPLAINED UNIQUE',
    '906 TIED UNIQUE',
    '907 EXPLAINED AMBIGUOUS',
    '908 BREAK UNSOLVED',
    '909 EXPLAINED UNIQUE',
    '910 TIED UNIQUE',
    '911 EXPLAINED AMBIGUOUS',
    '912 BREAK UNSOLVED',
  ])
})

test('two terminals that name the same transaction have the same certificate', async () => {
  const rows = await run('tieout', {
    ...NOTHING_OPEN,
    ...computed(`
      900 | 2026-11-01 |  30 | BREAK | WINDOW | 1 | | 1
      901 | 2026-11-11 | -30 | BREAK | WINDOW | 0 | | 0
      902 | 2026-11-21 |  40 | BREAK | WINDOW | 0 | | 0
      903 | 2026-12-01 | -40 | BREAK | WINDOW | 0 | | 0`),
    explanation: `settlement_id bigint | code varchar | blamed varchar | may_fit_by_chance boolean | candidates varchar
      900 | WRONG_TERMINAL | 5 | false |
      901 | WRONG_TERMINAL | 5 | false |
      902 | WRONG_TERMINAL | 6 | false |
      903 | WRONG_TERMINAL | 6 | false |`,
    shift:
      'from_settlement_id bigint | to_settlement_id bigint | transaction_id bigint | options bigint',
  })
  const said = rows.map((row) => `${row['settlement_id']} ${row['certificate']}`)
  expect(said.sort()).toEqual(['900 AMBIGUOUS', '901 AMBIGUOUS', '902 UNIQUE', '903 UNIQUE'])
})

test('a transaction in no COMPLETE settlement has one standing: pending, open, orphaned, voided or none', async () => {
  const rows = await run(['complete_settlement', 'transaction_standing'], {
    tieout: `settlement_id bigint | status varchar | business_date date | verdict varchar | created timestamp
      900 | COMPLETE | 2026-11-02 | TIED    | 2026-11-02 03:00
      901 | PENDING  | 2026-11-30 | PENDING | 2026-11-30 03:00
      902 | COMPLETE | 2026-12-01 | TIED    | 2026-11-30 12:00:01
      903 | COMPLETE | 2026-11-30 | NO_DATA | 2026-11-30 12:00:00`,
    settled_member: `transaction_id bigint | terminal_id bigint | created timestamp | business_date date | action varchar | signed_cents bigint | settlement_id bigint
      1  | 7 | 2026-11-01 | 2026-11-01 | CHARGE |  100 | 900
      3  | 7 | 2026-11-30 | 2026-11-30 | CHARGE |  100 | 902
      4  | 7 | 2026-11-29 | 2026-11-29 | CHARGE |  100 | 903
      6  | 7 | 2026-11-29 | 2026-11-29 | REFUND | -100 |
      12 | 7 | 2026-11-29 | 2026-11-29 | VERIFY |    0 |
      14 | 7 | 2026-11-01 | 2026-11-01 | VERIFY |    0 | 900`,
    pending_member: `transaction_id bigint | settlement_id bigint
      2 | 901
      5 | 903`,
    current_transaction: `transaction_id bigint | terminal_id bigint | created timestamp | business_date date | action varchar | status varchar | approved boolean | settled boolean | total_cents bigint | signed_cents bigint | observed_at timestamp
      1  | 7 | 2026-11-01 | 2026-11-01 | CHARGE | CAPTURE | true  | true  | 100 |  100 |
      2  | 7 | 2026-11-29 | 2026-11-29 | CHARGE | CAPTURE | true  | false | 100 |  100 |
      3  | 7 | 2026-11-30 | 2026-11-30 | CHARGE | CAPTURE | true  | true  | 100 |  100 |
      4  | 7 | 2026-11-29 | 2026-11-29 | CHARGE | CAPTURE | true  | true  | 100 |  100 |
      5  | 7 | 2026-11-29 | 2026-11-29 | CHARGE | CAPTURE | true  | false | 100 |  100 |
      6  | 7 | 2026-11-29 | 2026-11-29 | REFUND | CAPTURE | true  | true  | 100 | -100 |
      7  | 7 | 2026-11-29 | 2026-11-29 | REFUND | CAPTURE | true  | false | 100 | -100 |
      8  | 7 | 2026-11-29 | 2026-11-29 | CHARGE | CAPTURE | false | false | 100 |  100 |
      9  | 7 | 2026-11-29 | 2026-11-29 | CHARGE | HOLD    | true  | false | 100 |  100 |
      10 | 7 | 2026-11-29 | 2026-11-29 | CHARGE | VOID    | true  | false | 100 |  100 |
      11 | 7 | 2026-11-29 | 2026-11-29 | CHARGE | VOID    | true  | false | 100 |  100 |
      12 | 7 | 2026-11-29 | 2026-11-29 | VERIFY | CAPTURE | true  | true  |   0 |    0 |
      13 | 7 | 2026-11-30 12:00:01 | 2026-11-30 | CHARGE | CAPTURE | true | false | 100 | 100 |
      14 | 7 | 2026-11-01 | 2026-11-01 | VERIFY | CAPTURE | true | true | 0 | 0 |`,
    transaction_history: `transaction_id bigint | voided_at timestamp
      10 | 2026-11-30 12:00
      11 | 2026-11-30 12:00:01`,
  })
  const places = rows
    .toSorted((a, b) => Number(a['transaction_id']) - Number(b['transaction_id']))
    .map((row) => `${row['transaction_id']} ${row['standing']}`)
  // 1 stands in a COMPLETE settlement; 14 is in one as well, but counts nothing.
  expect(places).toEqual([
    '2 PENDING',
    '3 OPEN',
    '4 ORPHAN',
    '5 OPEN',
    '6 ORPHAN',
    '7 OPEN',
    '8 NONE',
    '9 NONE',
    '10 VOIDED',
    '11 OPEN',
    '12 NONE',
    '13 NONE',
    '14 NONE',
  ])
})
