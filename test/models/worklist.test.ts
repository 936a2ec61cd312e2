/**
 * Goal: the worklist names each open item once, with whom to ask, and no difference is netted. Method: small tables,
 * compared with the text of each row.
 */
import { expect, test } from 'vitest'
import { run } from '../support/models.ts'

const EXCEPTION =
  'exception_id varchar | code varchar | severity varchar | certainty varchar | subject_type varchar | subject_id varchar | terminal_id bigint | amount_cents bigint | first_seen timestamp | age_days bigint | state varchar | assignee varchar | subject_created timestamp'
const TIEOUT =
  'settlement_id bigint | terminal_id bigint | created timestamp | business_date date | reported_cents bigint | difference_cents bigint | verdict varchar | certificate varchar | explanation varchar | in_range boolean'

const WORLD = {
  exception: `${EXCEPTION}
    a | AMOUNT_MISMATCH | error   | | settlement  | 900 | 7 |  61412 | 2026-11-21 | 1 | OPEN     | | 2026-11-20
    b | PENDING_DRIFT   | warning | | settlement  | 900 | 7 |    100 | 2026-11-21 | 1 | ASSIGNED | Cid | 2026-11-20
    c | AMOUNT_MISMATCH | error   | | settlement  | 901 | 7 | -70022 | 2026-11-21 | 30 | OPEN    | | 2026-10-20
    d | AMOUNT_MISMATCH | error   | | settlement  | 902 | 7 |    500 | 2026-11-21 | 1 | WAIVED   | | 2026-11-20
    e | REFUND_CEILING_BREACH | error | SUSPECTED | transaction | 5 | 8 | 2000 | 2026-11-21 | 1 | OPEN | | 2026-11-20
    f | UNKNOWN_TERMINAL | error  | | terminal    | 9   | 9 |        | 2026-11-21 |   | OPEN     | |
    g | UNSETTLED_AGED  | warning | | transaction | 6   | 8 |    700 | 2026-11-21 | 9 | OPEN     | | 2026-12-15`,
  tieout: `${TIEOUT}
    900 | 7 | 2026-11-20 | 2026-11-20 | 100 | 61412 | BREAK | UNSOLVED | UNEXPLAINED | true
    901 | 7 | 2026-10-20 | 2026-10-20 | 100 | -70022 | EXPLAINED | UNIQUE | COMPONENT_EXCLUDED | false
    902 | 7 | 2026-11-20 | 2026-11-20 | 100 | 500 | EXPLAINED | UNIQUE | EXTRA_TRANSACTION | true
    903 | 7 | 2026-11-20 | 2026-11-20 | 444 |   | NO_DATA | UNSOLVED |  | true
    904 | 7 | 2026-10-20 | 2026-10-20 | 444 |   | NO_DATA | UNSOLVED |  | false
    905 | 7 | 2026-12-02 | 2026-12-02 | 444 |   | NO_DATA | UNSOLVED |  | true`,
  excluded_component: `settlement_id bigint | component varchar
    901 | tip`,
  pack_exceptions: `code varchar | state varchar | subjectType varchar | subjectId varchar | amount varchar
    AMOUNT_MISMATCH | OPEN   | settlement | 900 | 614.12
    PENDING_DRIFT | ASSIGNED | settlement | 900 | 1.00
    AMOUNT_MISMATCH | OPEN   | settlement | 901 | -700.22
    AMOUNT_MISMATCH | WAIVED | settlement | 902 | 5.00`,
  current_terminal: `terminal_id bigint | nick_name varchar
    7 | =Front desk`,
}
const AT = { as_of: '2026-11-30', window_from: '2026-11-01', from_date: '2026-11-01' }

test('each subject has one row, the largest amount first, with whom to ask, the cause and the next step', async () => {
  const rows = await run('pack_worklist', WORLD, AT)
  const shown = rows.map((row) =>
    ['subjectId', 'amount', 'since', 'askWhom', 'certainty', 'assignee', 'exceptionIds']
      .map((name) => row[name] ?? '-')
      .join(' '),
  )
  expect(shown).toEqual([
    '901 -700.22 2026-10-20 processor UNIQUE - c',
    '900 614.12 2026-11-20 processor UNSOLVED Cid a;b',
    '5 20.00 2026-11-20 shop SUSPECTED - e',
    '903 4.44 2026-11-20 setup UNSOLVED - -',
    '9 - 2026-11-21 setup CERTAIN - f',
  ])
  expect(rows.map((row) => row['rank'])).toEqual(['1', '2', '3', '4', '5'])
  expect(rows[0]).toMatchObject({
    terminalName: "'=Front desk",
    cause: 'The reported net leaves out the tip of its transactions',
    nextStep: 'Ask the processor when it pays the tip: tieout explain 901',
  })
  expect(rows[2]).toMatchObject({
    nextStep: 'Ask the shop who approved the refund: tieout exceptions show e',
  })
})

/** An item dated after the range. The range of October has only item 901. */
const OCTOBER = { ...AT, from_date: '2026-10-01', to_date: '2026-11-01' }

test('an item dated after the range is neither of the range nor older, and all adds up', async () => {
  const rows = await run('pack_summary_open', WORLD, OCTOBER)
  expect(
    rows.map(({ part, items, differenceGross, otherGross }) =>
      [part, items, differenceGross, otherGross].join(' '),
    ),
  ).toEqual([
    'RANGE 1 700.22 0.00',
    'EARLIER 0 0.00 0.00',
    'LATER 4 614.12 24.44',
    'ALL 5 1314.34 24.44',
  ])
})

test('open items are counted without netting, differences apart from amounts to check', async () => {
  expect(await run('pack_summary_open', WORLD, AT)).toEqual([
    {
      ...{ part: 'RANGE', items: '4', differenceGross: '614.12', otherGross: '24.44' },
      ...{ oldest: '2026-11-20', oldestDays: '10' },
    },
    {
      ...{ part: 'EARLIER', items: '1', differenceGross: '700.22', otherGross: '0.00' },
      ...{ oldest: '2026-10-20', oldestDays: '30' },
    },
    {
      part: 'LATER',
      items: '0',
      differenceGross: '0.00',
      otherGross: '0.00',
      oldest: null,
      oldestDays: null,
    },
    {
      ...{ part: 'ALL', items: '5', differenceGross: '1314.34', otherGross: '24.44' },
      ...{ oldest: '2026-10-20', oldestDays: '30' },
    },
  ])
})

test('an exception of a record without a time is of the range in which it was first found', async () => {
  const exceptions = (firstSeen: string) => ({
    pack_exceptions: `code varchar | severity varchar | state varchar | firstSeen varchar | ageDays varchar
      QUARANTINED | error | OPEN | ${firstSeen} |
      QUARANTINED | error | OPEN | 2026-11-30T05:00:00Z | 30`,
  })
  const ofRange = async (firstSeen: string) =>
    (await run('pack_summary_code', exceptions(firstSeen), OCTOBER)).map((row) => row['ofRange'])
  expect(await ofRange('2026-10-31T23:59:59Z')).toEqual(['2'])
  expect(await ofRange('2026-11-01T00:00:00Z')).toEqual(['1'])
})

test('a break of 614.12 and one of -700.22 are 614.12 short and 700.22 over, and no person decided about break 7, which has no exception', async () => {
  const settlements = `settlementId varchar | verdict varchar | difference varchar
    1 | BREAK     | 614.12
    2 | BREAK     | -700.22
    3 | EXPLAINED | 5.00
    4 | EXPLAINED | 7.00
    5 | TIED      | 0.00
    6 | BREAK     | 8.00
    7 | BREAK     | 9.00`
  const exceptions = `subjectId varchar | code varchar | state varchar | amount varchar
    1 | AMOUNT_MISMATCH | OPEN     | 614.12
    2 | AMOUNT_MISMATCH | ASSIGNED | -700.22
    3 | AMOUNT_MISMATCH | OPEN     | 5.00
    4 | AMOUNT_MISMATCH | WAIVED   | 7.00
    6 | AMOUNT_MISMATCH | RESOLVED | 8.00
    9 | AMOUNT_MISMATCH | OPEN     | -1.00
    10 | AMOUNT_MISMATCH | OPEN    | 2.00`
  const rows = await run('pack_summary_exposure', {
    pack_settlements: settlements,
    pack_exceptions: exceptions,
    pack_worklist: `subjectType varchar | subjectId varchar | since varchar
      settlement | 9  | 2026-10-20
      settlement | 10 | 2026-12-01`,
  })
  expect(rows.map((row) => Object.values(row).join(' '))).toEqual([
    'UNEXPLAINED 2 2 614.12 700.22 1314.34',
    'EXPLAINED 1 0 5.00 0.00 5.00',
    'DECIDED 2 1 15.00 0.00 15.00',
    'EARLIER 1 0 0.00 1.00 1.00',
    'LATER 1 0 2.00 0.00 2.00',
  ])
})
