import { expect, test } from 'vitest'
import { readChecks } from '../../lake/run/models.ts'
import { run, type Tables } from '../support/models.ts'

/** Transaction 4 stands in a COMPLETE settlement; 5, a VERIFY, and 6, which is in a PENDING one, don't. */
const COMPLETE: Tables = {
  complete_settlement: 'settlement_id bigint\n 900',
  settled_member: `transaction_id bigint | action varchar | settlement_id bigint
    4 | CHARGE | 900
    5 | VERIFY | 900
    6 | CHARGE | 901`,
}

/** For each check: tables on which it holds, and a line that breaks it. */
const CASES: Record<string, { tables: Tables; breaks: Tables }> = {
  attributed_once: {
    tables: {
      attribution: `transaction_id bigint | settlement_id bigint
        1 | 900
        2 | 900`,
    },
    breaks: { attribution: '1 | 901' },
  },
  closed_period_untouched: {
    tables: {
      posted_line: `entry_id varchar | entry_date date | is_new boolean
        S-1     | 2026-10-31 | false
        ADJ-S-1 | 2026-11-01 | true`,
      closed_period: `period varchar | opens_on date
        2026-10 | 2026-11-01`,
    },
    breaks: { posted_line: 'S-2 | 2026-10-31 | true' },
  },
  code_is_known: {
    tables: {
      exception: `code varchar | severity varchar | certainty varchar | subject_type varchar | subject_id varchar
        AMOUNT_MISMATCH      | error   |         | settlement  | 900
        REFUND_CEILING_BREACH | error  | CERTAIN | transaction | 1
        UNKNOWN_TERMINAL     | error   |         | terminal    | 7`,
    },
    breaks: { exception: 'MADE_UP | error | | settlement | 900' },
  },
  difference_adds_up: {
    tables: {
      tieout: `settlement_id bigint | verdict varchar | reported_cents bigint | computed_cents bigint | difference_cents bigint | explained_cents bigint | unexplained_cents bigint
        900 | TIED      | 100 | 100 |   0 |   0 |  0
        901 | EXPLAINED | 100 |  70 | -30 | -30 |  0
        902 | PENDING   | 100 |  70 | -30 |     |
        903 | NO_DATA   | 100 |     |     |     |`,
    },
    breaks: { tieout: '904 | BREAK | 100 | 70 | -30 | 0 | -29' },
  },
  entry_balanced: {
    tables: {
      posted_line: `entry_id varchar | amount_cents bigint
        S-1 | 100
        S-1 | -100`,
    },
    breaks: { posted_line: 'S-2 | 100' },
  },
  exception_identified: {
    tables: {
      exception: `exception_id varchar
        a
        b`,
    },
    breaks: { exception: 'a' },
  },
  line_has_one_side: {
    tables: {
      journal_line: `entry_id varchar | line_no bigint | account_key varchar | account varchar | account_name varchar | debit_cents bigint | credit_cents bigint
        S-1 | 1 | clearing | 1100 | Clearing | 100 |
        S-1 | 2 | suspense | 1190 | Suspense |     | 100`,
    },
    breaks: { journal_line: 'S-1 | 3 | clearing | 1100 | Clearing | 100 | 100' },
  },
  settled_accounted_for: {
    tables: {
      current_transaction: `transaction_id bigint
        1
        2
        4`,
      transaction_standing: `transaction_id bigint | standing varchar
        1 | OPEN
        2 | NONE`,
      ...COMPLETE,
    },
    breaks: { current_transaction: '3' },
  },
  subject_once: {
    tables: {
      exception: `exception_id varchar | code varchar | subject_type varchar | subject_id varchar
        a | QUARANTINED | settlement  | 1
        b | QUARANTINED | transaction | 1
        c | PENDING_DRIFT | settlement | 1`,
    },
    breaks: { exception: 'b | QUARANTINED | transaction | 1' },
  },
}

const broken = (name: string, line: Tables) => {
  const tables: Tables = CASES[name]?.tables ?? {}
  return run(name, {
    ...tables,
    ...Object.fromEntries(
      Object.entries(line).map(([table, row]) => [table, `${tables[table]}\n${row}`]),
    ),
  })
}

test('every check is tested on sound tables and on broken ones', () => {
  expect(readChecks().map(({ name }) => name)).toEqual(Object.keys(CASES))
})

test.each(Object.keys(CASES))('%s holds on sound tables and names one broken row', async (name) => {
  expect(await broken(name, {})).toEqual([])
  expect(await broken(name, CASES[name]?.breaks ?? {})).toHaveLength(1)
})

test('the check names a transaction that is lost, duplicated or without a standing, whatever rows surround it', async () => {
  const places = (rows: string, current = [1, 2, 3, 4, 31, 32, 64]) =>
    run('settled_accounted_for', {
      current_transaction: `transaction_id bigint
        ${current.join('\n')}`,
      transaction_standing: `transaction_id bigint | standing varchar
        ${rows}`,
      ...COMPLETE,
    })
  const sound = ['1 | OPEN', '2 | NONE', '3 | OPEN', '31 | OPEN', '32 | OPEN', '64 | OPEN']
  expect(await places(sound.join('\n'))).toEqual([])
  const oneTwiceForAnother = sound.with(1, '1 | OPEN').join('\n')
  expect(await places(oneTwiceForAnother)).toHaveLength(2)
  const anotherOnceMoreWithout = sound.with(1, '2 |').concat('3 | OPEN').join('\n')
  expect(await places(anotherOnceMoreWithout)).toHaveLength(2)
  expect(await places(sound.slice(0, -1).join('\n'))).toHaveLength(1)
  expect(await places(sound.concat('4 | OPEN').join('\n'))).toHaveLength(1)
  // A version too many, each with a place of its own.
  expect(
    await places(sound.concat('2 | OPEN').join('\n'), [1, 2, 2, 3, 4, 31, 32, 64]),
  ).toHaveLength(1)
})

test('the check names a transaction in two settlements, whatever rows surround it', async () => {
  const attribution = (rows: string) =>
    run('attributed_once', {
      attribution: `transaction_id bigint | settlement_id bigint
        ${rows}`,
    })
  expect(await attribution('1 | 900\n2 | 900\n31 | 900\n32 | 900\n63 | 900')).toEqual([])
  expect(await attribution('1 | 900\n3 | 900\n32 | 900\n3 | 901')).toHaveLength(1)
})

test('a breach of the refund ceiling states its certainty, and no other finding does', async () => {
  expect(
    await broken('code_is_known', {
      exception: 'REFUND_CEILING_BREACH | error | | transaction | 2',
    }),
  ).toHaveLength(1)
  expect(
    await broken('code_is_known', {
      exception: 'PENDING_DRIFT | warning | CERTAIN | settlement | 2',
    }),
  ).toHaveLength(1)
})

test('a journal line with no amount, a negative amount or an account missing from the chart is broken', async () => {
  const line = (row: string) => broken('line_has_one_side', { journal_line: row })
  expect(await line('S-1 | 3 | clearing | 1100 | Clearing | |')).toHaveLength(1)
  expect(await line('S-1 | 3 | clearing | 1100 | Clearing | 0 |')).toHaveLength(1)
  expect(await line('S-1 | 3 | clearing | 1100 | Clearing | | -5')).toHaveLength(1)
  expect(await line('S-1 | 3 | clearing | | | 5 |')).toHaveLength(1)
})

test('a difference that is not computed less reported is broken, even if it is explained', async () => {
  expect(
    await broken('difference_adds_up', { tieout: '904 | BREAK | 100 | 70 | 30 | 0 | 30' }),
  ).toHaveLength(1)
  expect(
    await broken('difference_adds_up', { tieout: '904 | NO_DATA | 100 | | 0 | |' }),
  ).toHaveLength(1)
})
