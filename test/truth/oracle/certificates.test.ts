import { expect, test } from 'vitest'
import { reconcileRecords, verdictsOf, type Verdict } from './bulk-lake.ts'
import { choicesOf, setsOf, type Choice } from './cut-offs.ts'
import { instantAt, type Made, recordsOf, smallCase } from './small-cases.ts'

import { CASES, FIRST } from './drawn-cases.ts'
/** The models' answer for one tied settlement, beside the result of trying everything. */
interface Compared {
  small: Made
  batch: number
  verdict: Verdict
  /** Its other sets under which at least as many settlements of its terminal tie as the models tied. */
  others: string[]
  /** Those of them that cuts alone make. */
  byCut: number
  /** This settlement does not tie in another choice that is as good as that of the models. */
  isOffElsewhere: boolean
  /** Some transaction of the terminal had to be moved out of its order. */
  isShifted: boolean
  /** The models' own cuts are among those that the reference tries, which lie within the reach. */
  isTried: boolean
  /** Two cuts are the same if a settlement between them is empty. */
  hasEmpty: boolean
}

let once: Promise<Compared[]> | undefined

/** Cases that failed once. */
const KNOWN = [
  137_140, 189_709, 200_227, 207_500, 288_637, 426_598, 483_410, 484_571, 574_872, 1_038_604,
]

/** All cases in one lake, reconciled once for all tests. */
const everyCase = () =>
  (once ??= (async () => {
    const drawn = Array.from({ length: CASES }, (_, i) => FIRST + i)
    const cases = [...new Set([...KNOWN, ...drawn])].map((seed) => smallCase(seed))
    const verdicts = await verdictsOf(await reconcileRecords(recordsOf(cases)))
    return cases.flatMap((small) => compared(small, verdicts))
  })())

function compared(small: Made, verdicts: Map<number, Verdict>): Compared[] {
  const said = small.batches.flatMap(({ id }) => verdicts.get(id) ?? [])
  const atLeast = said.filter(({ verdict }) => verdict === 'TIED').length
  const isShifted = said.some(({ explanation }) => explanation === 'CUTOFF_SHIFT')
  // Nothing is out of order where cuts alone do as well.
  const inOrder = choicesOf(small, { atLeast, withShift: false })
  const choices =
    isShifted && inOrder.length === 0 ? choicesOf(small, { atLeast, withShift: true }) : inOrder
  const saidIds = said.map(({ members }) => members.join(' '))
  const isTried = saidIds.every((ids, batch) => setsOf(small, choices, batch).has(ids))
  const hasEmpty = said.some(({ members }) => members.length === 0)
  return said.flatMap((verdict, batch) => {
    if (verdict.verdict !== 'TIED') return []
    const tied = choices.filter((choice) => choice.tied.has(batch))
    const moved = isShifted ? [] : movedDifferences(small, choices, said)
    const sets = setsOf(small, [...tied, ...moved], batch)
    sets.delete(verdict.members.join(' '))
    const cut = setsOf(
      small,
      tied.filter(({ isCut }) => isCut),
      batch,
    )
    cut.delete(verdict.members.join(' '))
    const isOffElsewhere = choices.length > tied.length
    return [
      {
        ...{ small, batch, verdict, others: [...sets], byCut: cut.size, isOffElsewhere },
        ...{ isShifted, isTried, hasEmpty },
      },
    ]
  })
}

/**
 * Choices in which a settlement that tied has the difference of an untied one. They change these two, and at most tied
 * ones between them. The models try no other shift at the same time.
 */
function movedDifferences(
  { items, batches }: Made,
  choices: readonly Choice[],
  said: readonly Verdict[],
): Choice[] {
  const places = new Map(batches.map(({ id }, place) => [id, place]))
  const placeOf = ({ settlement_id }: Verdict) => places.get(settlement_id) ?? batches.length
  const saidAt = new Map(said.flatMap((one) => one.members.map((id) => [id, placeOf(one)])))
  const untied = said.filter(({ verdict }) => verdict !== 'TIED').map(placeOf)
  return choices.filter(({ assignment, tied }) => {
    const changed = items.flatMap(({ id }, place) => {
      const [before, now] = [saidAt.get(id) ?? batches.length, assignment[place] ?? batches.length]
      return before === now ? [] : [before, now]
    })
    const [first, last] = [Math.min(...changed), Math.max(...changed)]
    const [off, ...more] = untied.filter((place) => place >= first && place <= last)
    return (
      last < batches.length &&
      more.length === 0 &&
      ((off === first && tied.has(first)) || (off === last && tied.has(last)))
    )
  })
}

/** A case as a person would want to read it. */
const told = ({ small, verdict, others }: Compared) =>
  [
    `${small.kind}: ${verdict.settlement_id} holds [${verdict.members.join(' ')}] ${verdict.certificate}, ${verdict.rivals} rivals; as good: ${others.join(' / ')}`,
    ...small.batches.map(({ id, at, net }) => `settlement ${id} | ${instantAt(at)} | ${net}`),
    ...small.items.map(({ id, at, cents }) => `transaction ${id} | ${instantAt(at)} | ${cents}`),
  ].join('\n')

const few = (found: readonly Compared[]) => found.slice(0, 3).map(told)

test('no settlement is UNIQUE while as many settlements tie with another set of its transactions', async () => {
  const all = await everyCase()
  expect(
    few(all.filter((one) => one.verdict.certificate === 'UNIQUE' && one.others.length > 0)),
  ).toEqual([])
})

test('an AMBIGUOUS settlement has at least one rival, and at least as many as other cuts give', async () => {
  const all = await everyCase()
  expect(
    few(
      all.filter(
        ({ verdict, byCut, isShifted }) =>
          verdict.certificate === 'AMBIGUOUS' &&
          verdict.rivals < Math.max(1, isShifted ? 1 : byCut),
      ),
    ),
  ).toEqual([])
})

test('a settlement of a terminal in order is AMBIGUOUS only if another set gives its net, or if it is off in another choice', async () => {
  const all = await everyCase()
  const alone = ({ small, batch, verdict }: Compared) => {
    const choices = choicesOf(small, { atLeast: 1, withShift: false, ofAll: true })
    const sets = setsOf(
      small,
      choices.filter(({ tied }) => tied.has(batch)),
      batch,
    )
    sets.delete(verdict.members.join(' '))
    return sets.size === 0
  }
  const doubted = all.filter(
    ({ verdict, others, isOffElsewhere, isShifted, isTried, hasEmpty }) =>
      verdict.certificate === 'AMBIGUOUS' &&
      others.length === 0 &&
      !isOffElsewhere &&
      !isShifted &&
      isTried &&
      !hasEmpty,
  )
  expect(few(doubted.filter(alone))).toEqual([])
})

test('the cases have enough of every kind to prove something', async () => {
  const all = await everyCase()
  const count = (test: (one: Compared) => boolean) => all.filter(test).length / CASES
  expect(count(({ verdict }) => verdict.certificate === 'UNIQUE')).toBeGreaterThan(1)
  expect(count(({ others }) => others.length > 0)).toBeGreaterThan(0.5)
  expect(
    count(
      ({ verdict }) => verdict.certificate === 'UNIQUE' && verdict.explanation === 'CUTOFF_SHIFT',
    ),
  ).toBeGreaterThan(0.005)
})
