import { expect, test } from 'vitest'
import { reconcileWorld, verdicts } from '../../support/core-world.ts'
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

test('a terminal with two settlements has a reach of twelve hours, because nothing proves more', async () => {
  expect((await outcome(banked(2, 1))).reach).toBe(12)
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
