/**
 * Goal: an exception keeps its identity, age and decisions from run to run. Method: findings and earlier exceptions
 * as tables.
 */
import { EXCEPTIONS } from '../../domain/exceptions.ts'
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { kindOf, readModels } from '../../lake/run/models.ts'
import { run, type Tables } from '../support/models.ts'

const CODES = readModels()
  .filter((model) => kindOf(model) === 'finding')
  .map(({ name }) => name)
const FINDING =
  'subject_type varchar | subject_id varchar | terminal_id bigint | amount_cents bigint | certainty varchar | detail varchar | subject_created timestamp'
const SEEN = 'exception_id varchar | first_seen timestamp'
const CHAIN = ['finding', 'exception']

/** The same table with the landing of the newest event. A finding that does not name it records a state. */
const withEvent = (text: string) => {
  const [head = '', ...rows] = text.split('\n')
  if (head.includes('event_seq')) return text
  return [`${head} | event_seq bigint`, ...rows.map((row) => `${row} |`)].join('\n')
}

/** Every table of findings: empty, but those that the test fills. */
const findings = (filled: Tables): Tables => ({
  earlier_exception: SEEN,
  ...filled,
  ...Object.fromEntries(CODES.map((code) => [code, withEvent(filled[code] ?? FINDING)])),
})

const idOf = (...parts: string[]) =>
  createHash('sha256').update(parts.join('|')).digest('hex').slice(0, 16)

test('an exception is the hash of account, code and subject; it is open and has its age in calendar days', async () => {
  const found = await run(
    CHAIN,
    findings({
      amount_mismatch: `${FINDING}
        settlement | 900 | 7 | -2000 | | off | 2026-11-28 23:59`,
    }),
  )
  expect(found).toEqual([
    {
      exception_id: idOf('acme', 'AMOUNT_MISMATCH', 'settlement', '900'),
      code: 'AMOUNT_MISMATCH',
      severity: 'error',
      certainty: null,
      subject_type: 'settlement',
      subject_id: '900',
      terminal_id: '7',
      amount_cents: '-2000',
      detail: 'off',
      first_seen: '2026-11-30 06:00:00',
      last_seen: '2026-11-30 06:00:00',
      age_days: '2',
      state: 'OPEN',
      state_by: null,
      assignee: null,
      state_reason: null,
      subject_created: '2026-11-28 23:59:00',
      is_found: 'true',
      event_seq: null,
    },
  ])
})

test('an exception found again with another amount is the same exception, with the same first date', async () => {
  const id = idOf('acme', 'AMOUNT_MISMATCH', 'settlement', '900')
  const seen = {
    earlier_exception: `${SEEN}
      ${id} | 2026-11-12 06:00:00
      0000000000000000 | 2026-01-01 06:00:00`,
  }
  const with_amount = (cents: number) =>
    run(
      CHAIN,
      findings({
        ...seen,
        amount_mismatch: `${FINDING}\n settlement | 900 | 7 | ${cents} | | off | 2026-11-10 03:00`,
      }),
    )
  for (const cents of [-2000, -2500]) {
    expect(await with_amount(cents)).toMatchObject([
      {
        exception_id: id,
        amount_cents: String(cents),
        first_seen: '2026-11-12 06:00:00',
        last_seen: '2026-11-30 06:00:00',
      },
    ])
  }
})

test('two codes of one subject, and one code for two kinds of subject, make different exceptions', async () => {
  const found = await run(
    CHAIN,
    findings({
      amount_mismatch: `${FINDING}\n settlement | 9 | 7 | 1 | | x | 2026-11-10 03:00`,
      pending_drift: `${FINDING}\n settlement | 9 | 7 | 1 | | x | 2026-11-10 03:00`,
      quarantined: `${FINDING}
        settlement  | 9 | 7 | | | x |
        transaction | 9 | 7 | | | x |`,
    }),
  )
  expect(new Set(found.map((row) => row['exception_id'])).size).toBe(4)
})

test('every finding becomes an exception with the code of its table and the documented severity', async () => {
  const row = 'transaction | 1 | 7 | 1 | | x | 2026-11-10 03:00'
  const found = await run(
    CHAIN,
    findings(Object.fromEntries(CODES.map((code) => [code, `${FINDING}\n${row}`]))),
  )
  const severities = Object.fromEntries(found.map(({ code, severity }) => [code, severity]))
  expect(severities).toEqual(EXCEPTIONS)
  expect(
    Object.keys(severities)
      .map((code) => code.toLowerCase())
      .sort(),
  ).toEqual(CODES)
})

test('an age counts midnights in the account’s zone, and a subject without a time has no age', async () => {
  const found = await run(
    CHAIN,
    findings({
      quarantined: `${FINDING}
        settlement | 1 | 7 | | | x | 2026-11-30 04:30
        settlement | 2 | 7 | | | x | 2026-11-30 05:30
        settlement | 3 | 7 | | | x |`,
    }),
    { timezone: 'America/New_York' },
  )
  expect(found.map((row) => [row['subject_id'], row['age_days']]).sort()).toEqual([
    ['1', '1'],
    ['2', '0'],
    ['3', null],
  ])
})

const ID = idOf('acme', 'AMOUNT_MISMATCH', 'settlement', '900')
const FOUND = `${FINDING}\n settlement | 900 | 7 | -2000 | | off | 2026-11-10 03:00`
/** A settlement that was off by -20.00 at the time of the run before. */
const before = (was_found: boolean, returned = 'null') =>
  `exception_id varchar | code varchar | severity varchar | certainty varchar | subject_type varchar | subject_id varchar | terminal_id bigint | amount_cents bigint | detail varchar | subject_created timestamp | was_found boolean | returned_audit_seq bigint | last_seen timestamp
   ${ID} | AMOUNT_MISMATCH | error | | settlement | 900 | 7 | -2000 | off | 2026-11-10 03:00 | ${was_found} | ${returned} | 2026-11-29 06:00`
const decided = (
  seq: number,
  what: string,
  more = '-2000 | null',
  { id = ID, event = '' }: { id?: string; event?: string } = {},
) =>
  `exception_id varchar | seq bigint | action varchar | actor varchar | acted_at varchar | reason varchar | amount_cents bigint | until_date date | assignee varchar | event_seq bigint
   ${id} | ${seq} | exception.${what} | Ada | | why | ${more} | ${what === 'assign' ? 'Bo' : ''} | ${event}`

/** State, who, and why, as the pack shows them. */
async function stateOf(filled: Tables): Promise<string> {
  const [row, ...more] = await run(CHAIN, findings(filled))
  expect(more).toEqual([])
  return `${row?.['state']}, ${row?.['state_by']}, ${row?.['state_reason']}`
}

test.each([
  ['assign', 'ASSIGNED, Ada, why'],
  ['waive', 'WAIVED, Ada, why'],
  ['resolve', 'RESOLVED, Ada, why'],
  ['reopen', 'OPEN, Ada, why'],
])('a decision to %s an exception makes it %s', async (what, state) => {
  expect(
    await stateOf({
      amount_mismatch: FOUND,
      exception_history: before(true),
      exception_decision: decided(3, what),
    }),
  ).toBe(state)
})

test('a waiver is valid on its last day and not on the day after', async () => {
  const until = (day: string) =>
    stateOf({ amount_mismatch: FOUND, exception_decision: decided(3, 'waive', `-2000 | ${day}`) })
  expect(await until('2026-11-30')).toBe('WAIVED, Ada, why')
  expect(await until('2026-11-29')).toBe('OPEN, system, waived by Ada why')
})

test('a waived or resolved exception whose amount changes is open again, and an assigned one stays assigned', async () => {
  const at = (what: string) =>
    stateOf({ amount_mismatch: FOUND, exception_decision: decided(3, what, '-1999 | null') })
  for (const what of ['waive', 'resolve']) {
    expect(await at(what)).toBe('OPEN, system, the amount changed after Ada decided: why')
  }
  expect(await at('assign')).toBe('ASSIGNED, Ada, why')
})

test('an event that came after a waiver or a resolution opens the exception again, and an assigned one stays assigned', async () => {
  const id = idOf('acme', 'STATUS_REGRESSION', 'settlement', '900')
  const at = (what: string, { event, known }: { event: string; known: string }) =>
    stateOf({
      status_regression: `${FINDING} | event_seq bigint
        settlement | 900 | 7 | 8000 | | x | 2026-11-10 03:00 | ${event}`,
      exception_decision: decided(3, what, '8000 | null', { id, event: known }),
    })
  for (const what of ['waive', 'resolve']) {
    expect(await at(what, { event: '12', known: '11' })).toBe(
      'OPEN, system, happened again after Ada decided: why',
    )
  }
  expect(await at('assign', { event: '12', known: '11' })).toBe('ASSIGNED, Ada, why')
  expect(await at('resolve', { event: '12', known: '12' })).toBe('RESOLVED, Ada, why')
  // A run that knows less than the person keeps the decision.
  expect(await at('resolve', { event: '11', known: '12' })).toBe('RESOLVED, Ada, why')
})

test('an exception that is no longer found closes with its last facts, whatever a person decided', async () => {
  const gone = { exception_history: before(true) }
  const [row] = await run(CHAIN, findings(gone))
  expect(row).toMatchObject({
    ...{ exception_id: ID, state: 'RESOLVED', state_by: 'system', state_reason: 'no longer found' },
    ...{
      amount_cents: '-2000',
      last_seen: '2026-11-29 06:00:00',
      age_days: '20',
      is_found: 'false',
    },
  })
  for (const what of ['assign', 'waive', 'resolve', 'reopen']) {
    expect(await stateOf({ ...gone, exception_decision: decided(3, what) })).toBe(
      'RESOLVED, system, no longer found',
    )
  }
})

test('an exception that is found again is open, whatever was decided before, until a person decides anew', async () => {
  const again = 'OPEN, system, found again after it was gone'
  const back = (history: string, seq: number) =>
    stateOf({
      amount_mismatch: FOUND,
      exception_history: history,
      exception_decision: decided(seq, 'resolve'),
    })
  expect(await back(before(false), 3)).toBe(again)
  expect(await back(before(true, '3'), 3)).toBe(again)
  expect(await back(before(true, '3'), 4)).toBe('RESOLVED, Ada, why')
  expect(await stateOf({ amount_mismatch: FOUND, exception_history: before(true, '3') })).toBe(
    again,
  )
})
