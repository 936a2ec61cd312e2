/** Goal: a terminal without a wider search is one that needs none. Method: settlements that end at a known hour. */
import { expect, test } from 'vitest'
import { run } from '../support/models.ts'

const SETTLEMENTS =
  'settlement_id bigint | terminal_id bigint | created timestamp | ordinal bigint | reported_cents bigint'
const TRANSACTIONS =
  'transaction_id bigint | terminal_id bigint | created timestamp | settled boolean | signed_cents bigint'

const two = (n: number) => String(n).padStart(2, '0')
const centsOf = (day: number) => 1000 + day * day * 37

/** A settlement at noon of each day up to the last. Each holds one charge, made so many hours before. */
async function isPrompt(last: number, hoursBefore: (day: number) => number): Promise<boolean> {
  const days = Array.from({ length: last }, (_, i) => i + 1)
  const hourOf = (day: number, hours: number) => {
    const at = new Date(Date.UTC(2026, 10, day, 12 - hours))
    return at.toISOString().replace('T', ' ').slice(0, 19)
  }
  const rows = await run('prompt_terminal', {
    known_settlement: [
      SETTLEMENTS,
      ...days.map((day) => `${day} | 7 | 2026-11-${two(day)} 12:00:00 | ${day} | ${centsOf(day)}`),
    ].join('\n'),
    current_transaction: [
      TRANSACTIONS,
      ...days.map(
        (day) => `${day} | 7 | ${hourOf(day, hoursBefore(day))} | true | ${centsOf(day)}`,
      ),
    ].join('\n'),
  })
  return rows.length === 1
}

test('a terminal is prompt if its settlements end within twelve hours before created, and not at forty hours before', async () => {
  expect(await isPrompt(12, () => 11)).toBe(true)
  expect(await isPrompt(12, () => 40)).toBe(false)
})

test('a settlement that ends before other charges of its twelve hours ties as well', async () => {
  expect(await isPrompt(12, (day) => (day === 6 ? 13 : 11))).toBe(true)
})

test('a prompt terminal may have one untied settlement of twelve, and not two', async () => {
  const lateOnes = (...late: number[]) => isPrompt(12, (day) => (late.includes(day) ? -3 : 11))
  expect(await lateOnes(6)).toBe(true)
  expect(await lateOnes(4, 8)).toBe(false)
})

test('only the newest twelve settlements count', async () => {
  expect(await isPrompt(16, (day) => (day <= 4 ? 40 : 11))).toBe(true)
  expect(await isPrompt(16, (day) => (day >= 13 ? -3 : 11))).toBe(false)
})

test('three settlements prove nothing', async () => {
  expect(await isPrompt(3, () => 11)).toBe(false)
  expect(await isPrompt(4, () => 11)).toBe(true)
})
