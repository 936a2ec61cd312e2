import { expect, test } from 'vitest'
import { reconcileWorld, verdicts } from '../../support/core-world.ts'
import { run } from '../../support/models.ts'
import { rowsOf } from '../../support/temp-lake.ts'

/** Ten working days; charges up to 15:00 are settled as many banking days later, at 13:00. The next charge is of 22:00. */
const DAYS = [
  '02',
  '03',
  '04',
  '05',
  '06',
  '09',
  '10',
  '11',
  '12',
  '13',
  '16',
  '17',
  '18',
  '19',
  '20',
]

const amountOf = (i: number) => (1000 + i * i * 37) / 100

function banked(bankingDays: number, settlements = 10) {
  const cuts = DAYS.slice(0, settlements)
  return {
    settlements: cuts
      .map((_day, i) => {
        const paid = DAYS[i + bankingDays] ?? ''
        const net = amountOf(3 * i) + amountOf(3 * i + 1) + (i === 0 ? 0 : amountOf(3 * i - 1))
        return `${900 + i} | 7 | 2026-11-${paid} 13:00:00 | ${net.toFixed(2)}`
      })
      .join('\n'),
    transactions: cuts
      .flatMap((day, i) =>
        ['09:00', '15:00', '22:00'].map(
          (time, k) =>
            `${3 * i + k} | 7 | 2026-11-${day} ${time}:00 | ${amountOf(3 * i + k).toFixed(2)}`,
        ),
      )
      .join('\n'),
  }
}

const outcome = async (world: Parameters<typeof reconcileWorld>[0], bound?: number) => {
  const connection = await reconcileWorld(world, undefined, bound)
  const [reach] = await rowsOf(
    connection,
    'select reach_hours::integer as hours from terminal_reach',
  )
  const tied = (await verdicts(connection)).filter((line) => line.includes(' TIED ')).length
  return { reach: reach?.['hours'], tied }
}

test.each([
  [1, 15 + 48 + 24],
  [2, 39 + 48 + 24],
  [4, 87 + 48 + 24],
])(
  'settlements %i banking days after their cut-off tie, and the reach covers a weekend and a bank holiday',
  async (bankingDays, reach) => {
    expect(await outcome(banked(bankingDays))).toEqual({ reach, tied: 10 })
  },
)

test('an upper bound limits the learned reach', async () => {
  expect((await outcome(banked(2), 48)).reach).toBeLessThanOrEqual(48)
  expect(await outcome(banked(2), 12)).toEqual({ reach: 12, tied: 0 })
})

test('a first settlement alone proves no reach beyond twelve hours; the first two do', async () => {
  expect((await outcome(banked(2, 1))).reach).toBe(12)
  expect((await outcome(banked(2, 2))).reach).toBe(39 + 24)
})

const WIDE = { cutoff_tolerance_hours: 240n }

test('a VERIFY that is the first record of the hours searched changes nothing, because it changes no net', async () => {
  /** Forty days with a charge at 20:00 and settlements at 12:00 on the next day. The newest two have a wrong net. */
  const search = async (verifies: boolean) => {
    const days = Array.from({ length: 40 }, (_, i) => i)
    const day = (i: number) => new Date(Date.UTC(2026, 9, 1 + i)).toISOString().slice(0, 10)
    const cents = (i: number) => 1000 + i * i * 37
    return run(
      ['prompt_terminal', 'cutoff_search', 'terminal_reach'],
      {
        known_settlement: [
          'terminal_id bigint | settlement_id bigint | ordinal bigint | created timestamp | reported_cents bigint',
          ...days.map(
            (i) =>
              `7 | ${900 + i} | ${i + 1} | ${day(i + 1)} 12:00 | ${cents(i) + (i > 37 ? 123_456 * i : 0)}`,
          ),
        ].join('\n'),
        current_transaction: [
          'terminal_id bigint | transaction_id bigint | created timestamp | settled boolean | signed_cents bigint',
          ...days.map((i) => `7 | ${2 * i} | ${day(i)} 20:00 | true | ${cents(i)}`),
          ...(verifies ? days.map((i) => `7 | ${2 * i + 1} | ${day(i)} 00:30 | true | 0`) : []),
        ].join('\n'),
      },
      WIDE,
    )
  }
  expect(await search(false)).toEqual([{ terminal_id: '7', reach_hours: '12' }])
  expect(await search(true)).toEqual(await search(false))
})

test('a wider search counts if it ties over a tenth of the settlements more, and exactly a tenth is too little', async () => {
  const reach = async (short: number, wide: number) => {
    const rows = await run(
      'terminal_reach',
      {
        known_settlement: 'terminal_id bigint\n 7',
        cutoff_search: `terminal_id bigint | step bigint | tied_count bigint | settlement_count bigint | lag_hours bigint
        7 | 1 | ${short} | 10 | 11
        7 | 2 | ${wide} | 10 | 40`,
      },
      WIDE,
    )
    return rows[0]?.['reach_hours']
  }
  expect(await reach(7, 8)).toBe('12')
  expect(await reach(8, 9)).toBe('12')
  expect(await reach(6, 8)).toBe('64')
  expect(await reach(3, 5)).toBe('12')
})

test('a charge stamped by another clock seconds after its settlement is in it, and one of three minutes later is not', async () => {
  const world = (time: string) => ({
    settlements: ['03', '04', '05', '06']
      .map((day, i) => `${900 + i} | 7 | 2026-11-${day} 22:00:00 | ${i === 1 ? '33.21' : '20.00'}`)
      .join('\n'),
    transactions: [
      ...['03', '04', '05', '06'].map((day, i) => `${i} | 7 | 2026-11-${day} 10:00:00 | 20.00`),
      `9 | 7 | 2026-11-04 ${time} | 13.21`,
    ].join('\n'),
  })
  expect((await outcome(world('22:00:03'))).tied).toBe(4)
  expect((await outcome(world('22:01:59'))).tied).toBe(4)
  expect((await outcome(world('22:03:00'))).tied).toBeLessThan(4)
})
