/**
 * Goal: a failure that a seed once showed does not come back, and every change meets the same courses of a sweep.
 * Method: seeds that stay the same, beside those of simulation.test.ts that are new in each run.
 */
import { expect, test } from 'vitest'
import { replay, runSeeds } from './many-seeds.ts'

/** Their courses reach every branch of the sweep that `npm run test:coverage` counts. */
const FIRST = 1
const COUNT = 400

test('a sweep of each committed seed loses, doubles and reverts no record', async () => {
  const tally = await runSeeds({ first: FIRST, count: COUNT, lakeEvery: 0 })
  expect(tally.failures.map(({ seed, wrong }) => `${wrong}: ${replay(seed)}`)).toEqual([])
  expect(tally.quiet.proven).toBe(tally.quiet.seeds)
})

test('a sweep ends although the list moves faster than it can go back', async () => {
  // Pages of four records, two of them new, in a list whose changed records move to its end.
  const tally = await runSeeds({ first: 805846148, count: 1, lakeEvery: 0 })
  expect(tally.failures).toEqual([])
})

test('a bad record that a sweep reads again and again counts once', async () => {
  // The list of 140 records has two bad ones, and the sweep reads it some twelve times.
  const tally = await runSeeds({ first: 43018467, count: 1, lakeEvery: 0 })
  expect(tally.failures).toEqual([])
})

test('two short pages of a list without order do not show where its newer records begin', async () => {
  // Each of the two pages rises by chance. The newest record is the second of the four.
  const tally = await runSeeds({ first: 224103274, count: 1, lakeEvery: 0 })
  expect(tally.failures).toEqual([])
})

test('a prefetched page brings no older version back where records with equal times change places', async () => {
  // The page before it was read again. Only the prefetched page shows that equal times cross a page boundary.
  const tally = await runSeeds({ first: 993925059, count: 1, lakeEvery: 0 })
  expect(tally.failures).toEqual([])
})
