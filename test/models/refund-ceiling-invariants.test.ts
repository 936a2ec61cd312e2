/** Goal: charges that can't matter change no refund ceiling. Method: drawn cards, judged again with one more charge each. */
import { beforeAll, expect, test } from 'vitest'
import { type Random, randomFrom } from '../../simulator/world/random.ts'
import { run } from '../support/models.ts'

const CARDS = 250
const DAY_MS = 86_400_000
const BEGIN = Date.parse('2024-01-15T00:00:00Z')
const CHAIN = ['uncovered_card', 'refund_at_risk', 'coarse_card_charges', 'refund_certainty']
const HEAD =
  'transaction_id bigint | terminal_id bigint | created timestamp | action varchar | status varchar | approved boolean | settled boolean | total_cents bigint | coarse_key varchar | fine_key varchar'

interface Row {
  id: number
  at: number
  action: string
  cents: number
  fine: string
}

/** A card with charges and refunds over three years, on two names. */
function drawnCard(random: Random, card: number): Row[] {
  return Array.from({ length: 4 + random.below(4) }, (_, place) => ({
    id: card * 10 + place,
    at: BEGIN + random.below(1100) * DAY_MS + random.below(DAY_MS / 1000) * 1000,
    action: random.pick(['CHARGE', 'CHARGE', 'REFUND']),
    cents: 100 * (1 + random.below(20)),
    fine: random.pick(['a', 'a', 'b']),
  }))
}

const lineOf = (card: number, { id, at, action, cents, fine }: Row) =>
  `${id} | 7 | ${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} | ${action} | CAPTURE | true | true | ${cents} | ${card} | ${card}${fine}`

/** The verdict of each refund that is no plain pass, by id. */
async function judged(cards: readonly Row[][]): Promise<Map<string, string>> {
  const rows = await run(CHAIN, {
    current_transaction: [
      HEAD,
      ...cards.flatMap((rows, card) => rows.map((row) => lineOf(card + 1, row))),
    ].join('\n'),
    history_coverage:
      'covered boolean | history_from timestamp | history_until timestamp\n true | 2020-01-01 | infinity',
    refused_list: 'list varchar | terminal_id bigint',
    current_quarantine: 'subject_type varchar | subject_id varchar | created timestamp',
    refunded_card: 'fine_key varchar | card_key varchar | brand varchar | last_four varchar',
    incomplete_charge: 'created timestamp | brand varchar | last_four varchar',
  })
  return new Map(
    rows.map((row) => [
      String(row['transaction_id']),
      `${row['certainty']} ${row['charged_fine_cents']} ${row['charged_coarse_cents']}`,
    ]),
  )
}

const random = randomFrom(18, 1)
const cards = Array.from({ length: CARDS }, (_, card) => drawnCard(random, card + 1))
let plain: Map<string, string>

beforeAll(async () => {
  plain = await judged(cards)
  expect(plain.size).toBeGreaterThan(CARDS / 4)
})

/** The cards with one more charge each, at a drawn time that `latest` bounds. */
const withCharge = (at: (rows: readonly Row[]) => number) =>
  cards.map((rows, card) => [
    ...rows,
    { id: (card + 1) * 10 + 9, at: at(rows), action: 'CHARGE', cents: 70_000, fine: 'a' },
  ])

/** Twelve months and a second before an instant. */
function beforeTheWindow(at: number): number {
  const year = new Date(at)
  const month = year.getUTCMonth()
  year.setUTCFullYear(year.getUTCFullYear() - 1)
  // 29 February has no date a year before: its window begins on 28 February.
  if (year.getUTCMonth() !== month) year.setUTCDate(0)
  return year.getTime() - 1000
}

test('I18: a charge older than twelve months changes no verdict', async () => {
  const older = withCharge((rows) =>
    beforeTheWindow(
      Math.min(
        ...rows.filter(({ action }) => action === 'REFUND').map(({ at }) => at),
        BEGIN + 1100 * DAY_MS,
      ),
    ),
  )
  expect(await judged(older)).toEqual(plain)
})

test('I18: one more charge at any time makes no refund a breach', async () => {
  const more = await judged(withCharge(() => BEGIN + random.below(1100) * DAY_MS))
  expect([...more.keys()].filter((id) => !plain.has(id))).toEqual([])
  expect(more.size).toBeLessThan(plain.size)
})
