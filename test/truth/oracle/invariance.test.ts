import fc from 'fast-check'
import { expect, test } from 'vitest'
import { reconcileRecords, type Verdict, verdictsOf } from './bulk-lake.ts'
import { type Made, recordsOf, smallCase } from './small-cases.ts'

const CASES = 2000
const APART = 1_000_000
const WEEK = 7 * 24 * 60

/** The same terminal said in another way, with ids that leave room for it. */
type Retold = (small: Made) => Made

const renamed = (small: Made, by: number): Made => ({
  ...small,
  terminal: small.terminal + by,
  items: small.items.map((item) => ({ ...item, id: item.id + by * 100 })),
  batches: small.batches.map((batch) => ({ ...batch, id: batch.id + by * 10 })),
})

const TIMES: Record<string, number> = { 'at twice the amounts': 2 }

const RETELLINGS: Record<string, Retold> = {
  'with other ids': (small) => small,
  'a week later': (small) => ({
    ...small,
    items: small.items.map((item) => ({ ...item, at: item.at + WEEK })),
    batches: small.batches.map((batch) => ({ ...batch, at: batch.at + WEEK })),
  }),
  'at twice the amounts': (small) => ({
    ...small,
    items: small.items.map((item) => ({ ...item, cents: item.cents * 2 })),
    batches: small.batches.map((batch) => ({ ...batch, net: batch.net * 2 })),
  }),
  'with its rows in another order': (small) => ({
    ...small,
    items: small.items.toReversed(),
    batches: small.batches.toReversed(),
  }),
}

/** The verdicts on a terminal, in words that don't depend on ids. */
function told(small: Made, verdicts: Map<number, Verdict>, times = 1): string[] {
  return [...small.batches]
    .sort((a, b) => a.at - b.at)
    .map(({ id }) => {
      const said = verdicts.get(id)
      if (said === undefined) return 'nothing'
      const members = said.members.map((member) => member % 100)
      const isTied = said.verdict === 'TIED'
      return [
        isTied ? 'TIED' : 'OFF',
        said.difference_cents / times,
        isTied ? said.certificate : '',
        members.join(' '),
      ].join(' | ')
    })
}

test('I4, I9, I10: a terminal gets the same verdicts if its records are renamed, reordered, shifted or scaled', async () => {
  const seeds = fc.sample(fc.integer({ min: 1, max: 9000 }), { numRuns: CASES, seed: 20_261_121 })
  const cases = [...new Set(seeds)].map(smallCase)
  const ways = Object.entries(RETELLINGS).map(
    ([way, retold], i) =>
      [way, cases.map((small) => renamed(retold(small), (i + 1) * APART))] as const,
  )
  const all = [...cases, ...ways.flatMap(([, retold]) => retold)]
  const verdicts = await verdictsOf(await reconcileRecords(recordsOf(all)))
  const plainly = cases.map((small) => told(small, verdicts))
  for (const [way, retold] of ways) {
    const others = retold.flatMap((small, i) => {
      const found = told(small, verdicts, TIMES[way])
      return found.join('\n') === plainly[i]?.join('\n')
        ? []
        : [{ kind: small.kind, found, plainly: plainly[i] }]
    })
    expect({ way, others: others.slice(0, 3) }).toEqual({ way, others: [] })
  }
})

test('I13: a terminal alone gets the same verdicts as among others, and the parts of a run make up the whole', async () => {
  const cases = Array.from({ length: CASES }, (_, i) => smallCase(i + 1))
  const whole = await verdictsOf(await reconcileRecords(recordsOf(cases)))
  // The comparison leaves out explanations, because one may name another terminal.
  for (const part of [cases.slice(0, 1), cases.slice(1, 300), cases.slice(300)]) {
    const alone = await verdictsOf(await reconcileRecords(recordsOf(part)))
    expect(part.map((small) => told(small, alone))).toEqual(part.map((small) => told(small, whole)))
  }
})
