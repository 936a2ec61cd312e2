import { expect, test } from 'vitest'
import { run } from '../support/models.ts'
import { BATCHES, books, ITEMS } from './worked-example.ts'

/** `7 2026-11-18: 0 + 11 - 0 - 0 - 0 = 11` for every row, by terminal and day. */
async function days(
  items: string,
  batches: string,
  variables?: Parameters<typeof run>[2],
): Promise<string[]> {
  const rows = await run(['standing_by_day', 'rollforward'], books(items, batches), variables)
  const lines = rows.map((row) => {
    const [opening, charges, refunds, voids, settled, closing] = [
      'opening',
      'charge',
      'refund',
      'void',
      'settled',
      'closing',
    ].map((name) => Number(row[`${name}_cents`]) / 100)
    const sum = `${opening} + ${charges} - ${refunds} - ${voids} - ${settled} = ${closing}`
    return `${row['terminal_id']} ${row['date']}: ${sum}`
  })
  return lines.sort()
}

const SHORT = {
  from_date: '2026-11-18',
  to_date: '2026-11-22',
  as_of: '2026-11-21 12:00',
  as_of_date: '2026-11-21',
}
const OPEN = '1 | 7 | 2026-11-18 10:00 | CHARGE | 1100 | 1100 | OPEN'

test('the worked example rolls forward to zero on both terminals', async () => {
  expect(await days(ITEMS, BATCHES, SHORT)).toEqual([
    '1001 2026-11-18: 0 + 166.09 - 21.65 - 0 - 0 = 144.44',
    '1001 2026-11-19: 144.44 + 0 - 0 - 0 - 144.44 = 0',
    '1001 2026-11-20: 0 + 210 - 0 - 0 - 0 = 210',
    '1001 2026-11-21: 210 + 0 - 0 - 0 - 210 = 0',
    '1002 2026-11-18: 0 + 0 - 0 - 0 - 0 = 0',
    '1002 2026-11-19: 0 + 25 - 75 - 0 - 0 = -50',
    '1002 2026-11-20: -50 + 0 - 0 - 0 - -50 = 0',
    '1002 2026-11-21: 0 + 0 - 0 - 0 - 0 = 0',
  ])
})

test('a transaction that was unsettled before the range is in the opening balance, however old', async () => {
  const items = `${OPEN}
    2 | 7 | 2025-01-05 10:00 | CHARGE | 1100 | 1100 | OPEN`
  const range = { ...SHORT, to_date: '2026-11-20', as_of_date: '2026-11-19' }
  expect(await days(items, '', range)).toEqual([
    '7 2026-11-18: 11 + 11 - 0 - 0 - 0 = 22',
    '7 2026-11-19: 22 + 0 - 0 - 0 - 0 = 22',
  ])
})

test('a void counts on its own day, plus for a charge and minus for a refund', async () => {
  const items = `
    1 | 7 | 2026-11-18 10:00 | CHARGE | 1100 | 1100 | VOIDED 2026-11-19
    2 | 7 | 2026-11-18 10:00 | REFUND |  300 |  300 | VOIDED 2026-11-20`
  expect(await days(items, '', SHORT)).toEqual([
    '7 2026-11-18: 0 + 11 - 3 - 0 - 0 = 8',
    '7 2026-11-19: 8 + 0 - 0 - 11 - 0 = -3',
    '7 2026-11-20: -3 + 0 - 0 - -3 - 0 = 0',
    '7 2026-11-21: 0 + 0 - 0 - 0 - 0 = 0',
  ])
})

test('the roll-forward runs to as_of or to the end of the range, whichever is later', async () => {
  const dates = async (to_date: string, as_of_date: string) =>
    (await days(OPEN, '', { ...SHORT, to_date, as_of_date })).map((line) => line.slice(2, 12))
  expect(await dates('2026-11-19', '2026-11-20')).toEqual([
    '2026-11-18',
    '2026-11-19',
    '2026-11-20',
  ])
  expect(await dates('2026-11-20', '2026-11-18')).toEqual(['2026-11-18', '2026-11-19'])
})

test('a posting after the roll-forward’s end has a row of its own, and the days before it have none', async () => {
  const items = `${OPEN}
    2 | 7 | 2199-11-18 10:00 | CHARGE | 1100 | 1100 | OPEN`
  const range = { ...SHORT, to_date: '2026-11-19', as_of_date: '2026-11-18' }
  expect(await days(items, '', range)).toEqual([
    '7 2026-11-18: 0 + 11 - 0 - 0 - 0 = 11',
    '7 2199-11-18: 11 + 11 - 0 - 0 - 0 = 22',
  ])
})

test('settlements that are PENDING, NO_DATA or later reduce no balance', async () => {
  const batches = `
    900 | 7 | 2026-11-19 03:00    | PENDING  | 1100 | 1100 | PENDING
    901 | 7 | 2026-11-19 03:00    | COMPLETE | 1100 |      | NO_DATA
    902 | 7 | 2026-11-21 12:00:01 | COMPLETE | 1100 | 1100 | TIED`
  expect((await days(OPEN, batches, SHORT)).at(-1)).toBe('7 2026-11-21: 11 + 0 - 0 - 0 - 0 = 11')
})
