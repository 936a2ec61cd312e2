/**
 * Goal: a control total fails on books that do not balance. Method: sound tables, and the same tables with one row
 * broken.
 */
import { expect, test } from 'vitest'
import { run, type Tables } from '../support/models.ts'
import { BATCHES, books, ITEMS } from './worked-example.ts'

const CHAIN = [
  'listed_settlement',
  'listed_attribution',
  'standing_by_day',
  'listed_fingerprint',
  'posting',
  'rollforward',
  'posted_line',
  'journal_line',
  'pack_journal',
  'pack_rollforward',
  'pack_settlements',
  'pack_unsettled',
  'rollforward_control_total',
  'journal_control_total',
  'settlement_control_total',
  'pack_control_totals',
]

/** The worked example, and one item in each other place: open, an orphan, a void, and a PENDING settlement. */
const WORLD: Tables = {
  ...books(
    `${ITEMS}
    7  | 1001 | 2026-11-21 10:00 | CHARGE |  700 |  700 | OPEN
    8  | 1001 | 2026-10-01 10:00 | REFUND |  100 |  100 | OPEN
    9  | 1002 | 2026-11-22 10:00 | CHARGE |  900 |  900 | ORPHAN
    10 | 1002 | 2026-11-22 10:00 | CHARGE | 1000 | 1000 | VOIDED 2026-11-23
    11 | 1002 | 2026-11-23 10:00 | CHARGE | 1100 | 1100 | PENDING | 903
    12 | 1002 | 2026-11-23 10:00 | CHARGE | 1200 | 1200 | NONE`,
    `${BATCHES}
    903 | 1002 | 2026-11-24 03:00 | PENDING  | 1100 | 1100 | PENDING
    904 | 1003 | 2026-11-24 03:00 | COMPLETE |  400 |      | NO_DATA
    898 | 1001 | 2026-10-05 03:00 | COMPLETE |    0 |    0 | TIED`,
  ),
  current_terminal: 'terminal_id bigint | nick_name varchar',
  finding: `subject_created timestamp
    2026-11-21
    2026-12-21`,
  exception: `exception_id varchar | code varchar | state varchar | is_found boolean | subject_created timestamp
    a | AMOUNT_MISMATCH | OPEN     | true  | 2026-11-21
    b | PENDING_DRIFT   | OPEN     | true  | 2026-12-21
    c | QUARANTINED     | RESOLVED | false | 2026-11-21`,
  pack_exceptions: `exceptionId varchar | code varchar | state varchar
    a | AMOUNT_MISMATCH | OPEN
    c | QUARANTINED     | RESOLVED`,
  pack_worklist: `exceptionIds varchar
    a`,
  sweep: `sweep_id varchar | records bigint
    a | 50
    b | 60`,
  landed_sweep: `sweep_id varchar | landed_records bigint | landed_quarantined bigint
    a | 48 | 2
    b | 60 | 0
    c |  7 | 0`,
}

/** Control totals of the world with some tables replaced; a model whose table is replaced is not run. */
async function totals(replaced: Tables = {}, variables?: Parameters<typeof run>[2]) {
  const chain = CHAIN.filter((model) => !(model in replaced))
  return run(chain, { ...WORLD, ...replaced }, variables)
}

/** The checks that fail, as `check: expected, actual, difference`. */
async function failures(replaced: Tables): Promise<string[]> {
  const rows = await totals(replaced)
  return rows
    .filter((row) => row['pass'] !== 'true')
    .map((row) => `${row['check']}: ${row['expected']}, ${row['actual']}, ${row['difference']}`)
}

/** A table of the world with one text replaced, which must be there. */
function changed(table: string, from: string | RegExp, to: string): Tables {
  const text = WORLD[table] ?? ''
  const result = text.replace(from, to)
  expect(result).not.toBe(text)
  return { [table]: result }
}

test('every control total passes on sound books; money has two decimals and counts are whole numbers', async () => {
  const rows = await totals()
  expect(rows.map((row) => Object.values(row).join(' | '))).toEqual([
    'settlements of the range = settlements listed | 5 | 5 | 0 | true',
    'attributions = computed nets | 315.44 | 315.44 | 0.00 | true',
    'settlements whose attributions are not their computed net | 0 | 0 | 0 | true',
    'computed - reported nets = differences | 10.00 | 10.00 | 0.00 | true',
    'explained + unexplained = differences of COMPLETE settlements | 10.00 | 10.00 | 0.00 | true',
    'settled transactions that stand in one place (all dates) | 7 | 7 | 0 | true',
    'settled money that stands in one place (all dates) | 313.44 | 313.44 | 0.00 | true',
    'roll-forward rows that do not add up | 0 | 0 | 0 | true',
    'roll-forward openings that are not the closing before | 0 | 0 | 0 | true',
    'unsettled items + members of PENDING + orphans = last closings (all dates) | 26.00 | 26.00 | 0.00 | true',
    'journal debits = credits | 953.18 | 953.18 | 0.00 | true',
    'journal entries out of balance | 0 | 0 | 0 | true',
    'journal periods out of balance | 0 | 0 | 0 | true',
    'roll-forward of the range = clearing in the journal | 27.00 | 27.00 | 0.00 | true',
    'last closings = clearing of all entries to date | 26.00 | 26.00 | 0.00 | true',
    'terminals whose last closing is not the clearing of their entries | 0 | 0 | 0 | true',
    'reported nets of COMPLETE settlements = cash in transit | 298.44 | 298.44 | 0.00 | true',
    'uncleared differences of COMPLETE settlements = suspense | 6.00 | 6.00 | 0.00 | true',
    'accounts and periods with another balance in the files for programs | 0 | 0 | 0 | true',
    'entries out of balance in the files for programs | 0 | 0 | 0 | true',
    'findings = exceptions listed or resolved (all dates) | 1 | 1 | 0 | true',
    'COMPLETE settlements with a difference = AMOUNT_MISMATCH listed or resolved (all dates) | 1 | 1 | 0 | true',
    'open exceptions = exceptions of the worklist (all dates) | 1 | 1 | 0 | true',
    'records listed = records landed | 110 | 110 | 0 | true',
  ])
})

test('a computed net that differs from the sum of its transactions fails, and so does its remaining difference', async () => {
  expect(await failures(changed('tieout', '20000 | 21000 | 1000', '20000 | 20500 | 500'))).toEqual([
    'attributions = computed nets: 310.44, 315.44, 5.00',
    'settlements whose attributions are not their computed net: 0, 1, 1',
    'explained + unexplained = differences of COMPLETE settlements: 5.00, 10.00, 5.00',
    'unsettled items + members of PENDING + orphans = last closings (all dates): 26.00, 31.00, 5.00',
  ])
})

test('a member without an attribution fails', async () => {
  expect(await failures(changed('attribution', /\n4 \|.*/, ''))).toEqual([
    'attributions = computed nets: 315.44, 290.44, -25.00',
    'settlements whose attributions are not their computed net: 0, 1, 1',
  ])
})

test('a member with two attributions fails', async () => {
  expect(await failures(changed('attribution', /\n4 \|.*/, '$&$&'))).toEqual([
    'attributions = computed nets: 315.44, 340.44, 25.00',
    'settlements whose attributions are not their computed net: 0, 1, 1',
  ])
})

test('a member of a settlement that is not listed fails', async () => {
  const listed_fingerprint = `settlement_id bigint | signed_cents bigint
    900 | 14444
    901 | -5000
    902 | 21000
    903 |  1100
    904 |   400
    77  |     0`
  expect(await failures({ listed_fingerprint })).toEqual([
    'settlements whose attributions are not their computed net: 0, 1, 1',
  ])
})

test('a settled transaction without a standing fails', async () => {
  expect(await failures(changed('transaction_standing', /(\n9 .*) ORPHAN/, '$1 NONE'))).toEqual([
    'settled transactions that stand in one place (all dates): 7, 6, -1',
    'settled money that stands in one place (all dates): 313.44, 304.44, -9.00',
  ])
})

test('a roll-forward that does not add up, or does not open with the previous closing, fails', async () => {
  const head =
    'terminal_id bigint | date date | opening_cents bigint | charge_cents bigint | refund_cents bigint | void_cents bigint | settled_cents bigint | closing_cents bigint'
  const off = await failures({
    rollforward: `${head}
    7 | 2026-11-01 | 0    | 2700 | 0 | 0 | 0 | 2600
    7 | 2026-11-02 | 2600 |    0 | 0 | 0 | 0 | 2600`,
  })
  // Neither roll-forward has the terminals of the world.
  const elsewhere = 'terminals whose last closing is not the clearing of their entries: 0, 3, 3'
  expect(off).toEqual(['roll-forward rows that do not add up: 0, 1, 1', elsewhere])
  const broken = await failures({
    rollforward: `${head}
    7 | 2026-11-01 | 0    | 2800 | 0 | 0 | 0 | 2800
    7 | 2026-11-02 | 2700 |    0 | 0 | 0 | 100 | 2600`,
  })
  expect(broken).toEqual([
    'roll-forward openings that are not the closing before: 0, 1, 1',
    elsewhere,
  ])
})

/** All postings of the world but one line. */
async function postingsWithout(entry_id: string, account_key: string): Promise<Tables> {
  const rows = await run('posting', WORLD)
  const columns = POSTING.split(' | ').map((column) => column.split(' ')[0] ?? '')
  const lines = rows
    .filter((row) => row['entry_id'] !== entry_id || row['account_key'] !== account_key)
    .map((row) => columns.map((column) => row[column] ?? '').join(' | '))
  expect(lines).toHaveLength(rows.length - 1)
  return { posting: [POSTING, ...lines].join('\n') }
}

const POSTING =
  'entry_id varchar | entry_date date | account_key varchar | amount_cents bigint | memo varchar | settlement_id bigint | terminal_id bigint | source varchar'

test('a gathered entry with another amount than the journal fails, whether or not it balances', async () => {
  const head =
    'entry_id varchar | entry_date date | period varchar | account varchar | account_name varchar | debit_cents bigint | credit_cents bigint | currency varchar | memo varchar | settlement_id bigint | terminal_id bigint | source varchar | line_no bigint'
  const line = (account: string, sides: string) =>
    `D-1 | 2026-11-18 | 2026-11 | ${account} | a | ${sides} | USD | | | | day | 1`
  const balanced = [line('9998', '100 | '), line('9999', ' | 100')]
  const gathered = (lines: string[]) => failures({ gathered_line: [head, ...lines].join('\n') })
  expect(await gathered(balanced)).toEqual([
    'accounts and periods with another balance in the files for programs: 0, 11, 11',
  ])
  expect(await gathered(balanced.slice(1))).toEqual([
    'accounts and periods with another balance in the files for programs: 0, 10, 10',
    'entries out of balance in the files for programs: 0, 1, 1',
  ])
})

test('a journal without one of its lines is out of balance by entry, by period and in total, and its account is named', async () => {
  expect(await failures(await postingsWithout('S-900', 'clearing'))).toEqual([
    'journal debits = credits: 953.18, 808.74, -144.44',
    'journal entries out of balance: 0, 1, 1',
    'journal periods out of balance: 0, 1, 1',
    'roll-forward of the range = clearing in the journal: 27.00, 171.44, 144.44',
    'last closings = clearing of all entries to date: 26.00, 170.44, 144.44',
    'terminals whose last closing is not the clearing of their entries: 0, 1, 1',
    'entries out of balance in the files for programs: 0, 1, 1',
  ])
  expect(await failures(await postingsWithout('S-901', 'cash_in_transit'))).toContain(
    'reported nets of COMPLETE settlements = cash in transit: 298.44, 348.44, 50.00',
  )
  expect(await failures(await postingsWithout('S-904', 'suspense'))).toContain(
    'uncleared differences of COMPLETE settlements = suspense: 6.00, 10.00, 4.00',
  )
})

test('a finding without its exception, and an exception without its finding, fail', async () => {
  const none = {
    pack_exceptions: 'exceptionId varchar | code varchar | state varchar',
    pack_worklist: 'exceptionIds varchar',
  }
  expect(await failures(none)).toEqual([
    'findings = exceptions listed or resolved (all dates): 1, 0, -1',
    'COMPLETE settlements with a difference = AMOUNT_MISMATCH listed or resolved (all dates): 1, 0, -1',
  ])
  expect(await failures({ ...changed('exception', '| OPEN ', '| RESOLVED'), ...none })).toEqual([])
  expect(
    await failures({ pack_exceptions: `${WORLD['pack_exceptions']}\n d | QUARANTINED | RESOLVED` }),
  ).toEqual(['findings = exceptions listed or resolved (all dates): 1, 2, 1'])
})

test('a record that was listed and did not land fails', async () => {
  expect(await failures(changed('landed_sweep', '48 | 2', '48 | 1'))).toEqual([
    'records listed = records landed: 110, 109, -1',
  ])
})

test('a settlement of the range that is missing from the pack fails', async () => {
  const more = `${WORLD['current_settlement']}\n 905 | 2026-11-05 | 2026-11-30 | 2026-11-30`
  expect(await failures({ current_settlement: more })).toEqual([
    'settlements of the range = settlements listed: 6, 5, -1',
  ])
})

test('an account without any record passes', async () => {
  const empty = Object.fromEntries(
    Object.entries(WORLD).map(([name, text]) => [name, text.trim().split('\n')[0] ?? '']),
  )
  expect((await totals(empty)).map((row) => row['pass'])).toEqual(Array(24).fill('true'))
})
