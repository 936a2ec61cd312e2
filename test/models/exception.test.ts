import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { readModels } from '../../lake/models.ts'
import { run, type Tables } from '../support/models.ts'

const CODES = readModels()
  .filter(({ stage }) => stage === '40_findings')
  .map(({ name }) => name)
const FINDING =
  'subject_type varchar | subject_id varchar | terminal_id bigint | amount_cents bigint | certainty varchar | detail varchar | subject_created timestamp'
const SEEN = 'exception_id varchar | first_seen timestamp'
const CHAIN = ['44_finding/finding', '45_exceptions/exception']

/** Every table of findings: empty, but those that the test fills. */
const findings = (filled: Tables): Tables => ({
  ...Object.fromEntries(CODES.map((code) => [code, FINDING])),
  seen_exception: SEEN,
  ...filled,
})

const idOf = (...parts: string[]) =>
  createHash('sha256').update(parts.join('|')).digest('hex').slice(0, 16)

test('an exception is the hash of account, code and subject, open, with its age in calendar days', async () => {
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
      state_reason: null,
      subject_created: '2026-11-28 23:59:00',
    },
  ])
})

test('found again with another amount it is the same exception, as old as when it was first seen', async () => {
  const id = idOf('acme', 'AMOUNT_MISMATCH', 'settlement', '900')
  const seen = {
    seen_exception: `${SEEN}
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

test('the same subject under two codes, or the same code for two kinds of subject, are different exceptions', async () => {
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

test('every finding becomes an exception under the code that its table is named after, with the promised severity', async () => {
  const row = 'transaction | 1 | 7 | 1 | | x | 2026-11-10 03:00'
  const found = await run(
    CHAIN,
    findings(Object.fromEntries(CODES.map((code) => [code, `${FINDING}\n${row}`]))),
  )
  const severities = Object.fromEntries(found.map(({ code, severity }) => [code, severity]))
  const headers = readModels()
    .filter(({ stage }) => stage === '40_findings')
    .map(({ text }) => /^-- finding +(\w+), (\w+)$/m.exec(text)?.slice(1) ?? [])
  expect(severities).toEqual(Object.fromEntries(headers))
  expect(
    Object.keys(severities)
      .map((code) => code.toLowerCase())
      .sort(),
  ).toEqual(CODES)
})

test('an age counts midnights of the account’s zone, and a subject without a time has none', async () => {
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
