/**
 * Goal: a settlement is judged only if its transactions were read. Method: small tables of sweeps with known
 * coverage.
 */
import { expect, test } from 'vitest'
import { modelOn, SWEEPS } from './seen-lake.ts'
import { run } from '../support/models.ts'

const SETTLEMENTS = `settlement_id bigint | terminal_id bigint | created timestamp | ordinal bigint
  1 | 41 | 2026-03-01 03:00 | 1
  2 | 41 | 2026-03-02 03:00 | 2
  3 | 41 | 2026-03-03 03:00 | 3
  4 | 41 | 2026-08-03 03:00 | 4
  5 | 42 | 2026-03-02 03:00 | 1`

const NO_FILE = 'list varchar | complete_from timestamp | exported_at timestamp'

async function judged(sweeps: string, files = ''): Promise<string> {
  const rows = await run('swept_settlement', {
    current_settlement: SETTLEMENTS,
    terminal_reach: 'terminal_id bigint | reach_hours bigint\n41 | 12\n42 | 12',
    imported_file: `${NO_FILE}\n${files}`,
    sweep_scope: `list varchar | terminal_id bigint | covers_from timestamp | started_at timestamp\n${sweeps}`,
  })
  return rows
    .map((row) => row['settlement_id'])
    .sort()
    .join(' ')
}

test('a sweep of all transactions covers every settlement; a sweep of settlements covers none', async () => {
  expect(await judged('transactions | null | null | 2026-08-04')).toBe('1 2 3 4 5')
  expect(await judged('settlements | null | null | 2026-08-04')).toBe('')
})

test('a sweep since an instant covers a settlement if the previous one was made half a day or more after that instant', async () => {
  expect(await judged('transactions | null | 2026-03-01 15:00 | 2026-08-04')).toBe('3 4')
  expect(await judged('transactions | null | 2026-03-01 15:01 | 2026-08-04')).toBe('4')
  // The first settlement of a terminal is taken to hold a day.
  expect(await judged('transactions | null | 2026-02-28 15:00 | 2026-08-04')).toBe('2 3 4 5')
})

test('a settlement whose interval contains time between two sweeps is not judged, and the settlements on either side are', async () => {
  const before = 'transactions | null | null | 2026-03-04'
  const gap = `${before}\n transactions | null | 2026-03-05 | 2026-08-04`
  expect(await judged(gap)).toBe('1 2 3 5')
  const none = `${before}\n transactions | null | 2026-03-03 | 2026-08-04`
  expect(await judged(none)).toBe('1 2 3 4 5')
  const later = `${none}\n transactions | null | 2026-08-05 | 2026-08-09`
  expect(await judged(later)).toBe('1 2 3 4 5')
})

test('a sweep by terminal covers the swept terminals, and a file that is declared complete extends the coverage back', async () => {
  expect(await judged('transactions | 42 | null | 2026-08-04')).toBe('5')
  const file = 'transactions | 2026-02-01 | 2026-03-03'
  expect(await judged('transactions | null | 2026-03-02 | 2026-08-04', file)).toBe('1 2 3 4 5')
})

test('a sweep of all terminals and a sweep of one terminal count together', async () => {
  const whole = 'transactions | null | null | 2026-03-02 12:00'
  const goesOn = 'transactions | 41 | 2026-03-02 | 2026-08-04'
  expect(await judged(`${whole}\n ${goesOn}`)).toBe('1 2 3 4 5')
  const gap = 'transactions | 41 | 2026-03-04 | 2026-08-04'
  expect(await judged(`${whole}\n ${gap}`)).toBe('1 2 5')
})

const NEWEST = `transaction_id | terminal_id | created | sweep_id | ordinal | observed_at | landing_seq
  1 | 41 | 2026-01-05 | a | 1 | 2026-08-04 | 1`

/** The answer of history_coverage for these sweeps, as `covered from`. */
const history = async (sweeps: string) => {
  const row = await coverage(sweeps)
  return [row?.['covered'], row?.['history_from']].map(String).join(' ')
}

async function coverage(sweeps: string) {
  const [row] = await modelOn('history_coverage', {
    'ops.sweep': `${SWEEPS.replace('covers_from', 'terminal_id | covers_from')}\n${sweeps}`,
    'seen.transaction_version': NEWEST,
  })
  return row
}

test('a certified sweep of the whole list covers all history; another certified sweep covers it from its start', async () => {
  const one = (from: string, certificate: string) =>
    history(`a | transactions | 1 | | ${from} | 2026-08-03 | 2026-08-04 | ${certificate} | 1`)
  expect(await one('', 'CONTIGUOUS')).toBe('true 2026-01-05 00:00:00')
  expect(await one('2025-06-01', 'SNAPSHOT')).toBe('false 2025-06-01 00:00:00')
  expect(await one('', 'BEST_EFFORT')).toBe('false null')
})

test('a later sweep that begins further back extends history, and one that leaves time unread cuts it off', async () => {
  const first = 'a | transactions | 1 | | 2026-03-01 | 2026-05-01 | 2026-05-01 | CONTIGUOUS | 1'
  const then = (from: string) =>
    history(
      `${first}\n b | transactions | 1 | | ${from} | 2026-08-03 | 2026-08-04 | CONTIGUOUS | 2`,
    )
  expect(await then('2025-12-01')).toBe('false 2025-12-01 00:00:00')
  expect(await then('2026-04-25')).toBe('false 2026-03-01 00:00:00')
  expect(await then('2026-05-02')).toBe('false 2026-05-02 00:00:00')
  expect(await then('')).toBe('true 2026-01-05 00:00:00')
})

test('history that is read by terminal begins with the terminal that was read least far back', async () => {
  const row = (terminal: string, from: string, certificate = 'CONTIGUOUS') =>
    `${terminal} | transactions | 1 | ${terminal} | ${from} | 2026-08-03 | 2026-08-04 | ${certificate} | 1`
  expect(await history(`${row('41', '')}\n${row('42', '2026-02-01')}`)).toBe(
    'false 2026-02-01 00:00:00',
  )
  expect(await history(`${row('41', '')}\n${row('42', '')}`)).toBe('true 2026-01-05 00:00:00')
  expect(await history(`${row('41', '')}\n${row('42', '', 'BEST_EFFORT')}`)).toBe('false null')
})

test('history lasts until now, or until the last certified sweep if the newest sweep is uncertified', async () => {
  const row = (terminal: string, started: string, certificate: string, seq: number) =>
    `${seq} | transactions | 1 | ${terminal} | | ${started} | ${started} | ${certificate} | ${seq}`
  const until = async (...sweeps: string[]) =>
    (await coverage(sweeps.join('\n')))?.['history_until'] ?? null
  const first = row('', '2026-03-01', 'CONTIGUOUS', 1)
  const then = row('', '2026-08-03', 'BEST_EFFORT', 2)
  expect(await until(first)).toBe('infinity')
  expect(await until(first, then)).toBe('2026-03-01 00:00:00')
  expect(await until(first, then, row('', '2026-08-04', 'SNAPSHOT', 3))).toBe('infinity')
  expect(await until(then)).toBe(null)
  const of41 = row('41', '2026-03-01', 'CONTIGUOUS', 4)
  const of42 = [row('42', '2026-04-01', 'CONTIGUOUS', 5), row('42', '2026-05-01', 'BEST_EFFORT', 6)]
  expect(await until(of41, ...of42)).toBe('2026-04-01 00:00:00')
})

test('a change between whole sweeps and sweeps by terminal covers no more than both together', async () => {
  const row = (terminal: string, from: string, started: string, certificate = 'CONTIGUOUS') =>
    `${started} | transactions | 1 | ${terminal} | ${from} | ${started} | ${started} | ${certificate} | 1`
  const known = async (...sweeps: string[]) => {
    const found = await coverage(sweeps.join('\n'))
    return [found?.['history_from'], found?.['history_until']].map(String).join(' to ')
  }
  const whole = row('', '', '2026-03-01')
  const all = '2026-01-05 00:00:00'
  expect(await known(whole, row('41', '2026-02-01', '2026-08-01'))).toBe(`${all} to infinity`)
  expect(await known(whole, row('41', '2026-06-01', '2026-08-01'))).toBe(
    '2026-06-01 00:00:00 to infinity',
  )
  expect(await known(whole, row('41', '', '2026-08-01', 'BEST_EFFORT'))).toBe(
    `${all} to 2026-03-01 00:00:00`,
  )
  const own = row('41', '', '2026-03-01')
  expect(await known(own, row('', '', '2026-08-01', 'BEST_EFFORT'))).toBe(
    `${all} to 2026-03-01 00:00:00`,
  )
  // Other terminals were never read by themselves.
  expect(await known(own, row('', '2026-02-01', '2026-08-01'))).toBe(
    '2026-02-01 00:00:00 to infinity',
  )
})

test('a sweep limited to some terminals covers these terminals and no others', async () => {
  const kept = (...terminals: string[]) =>
    modelOn('history_coverage', {
      'ops.sweep': `${SWEEPS}
        a | transactions | 1 |            | 2026-03-01 | 2026-03-01 | CONTIGUOUS | 1
        b | transactions | 1 | 2026-06-01 | 2026-08-01 | 2026-08-01 | CONTIGUOUS | 2`,
      'ops.limited_sweep': `sweep_id | terminal_id | landing_seq
        ${terminals.map((terminal) => `a | ${terminal} | 1`).join('\n')}`,
      'seen.transaction_version': NEWEST,
    })
  expect(await kept('41')).toMatchObject([{ history_from: '2026-06-01 00:00:00' }])
})
