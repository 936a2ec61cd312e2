import { expect, test } from 'vitest'
import { run } from '../support/models.ts'

const WINDOWS = `clock varchar | terminal_id bigint | ordinal bigint | weekday bigint
  created | 7 | 1 | -1`

const RUNS =
  'clock varchar | terminal_id bigint | ordinal bigint | position bigint | offset_cents bigint | lag_low_s bigint | lag_high_s bigint | run_length bigint'

/** Three settlements in a row that share an offset, with the positions of their cut-offs, and more runs. */
const lagOf = (positions: readonly number[], more: readonly string[] = []) =>
  run('weekday_lag', {
    cutoff_window: WINDOWS,
    offset_run: [
      RUNS,
      ...positions.map(
        (position, at) => `created | 7 | ${at + 1} | ${position} | 0 | 0 | ${7200 * (at + 1)} | 3`,
      ),
      ...more,
    ].join('\n'),
  })

test('a usual lag is learned from three different cut-offs that agree', async () => {
  expect(await lagOf([1, 2, 3])).toMatchObject([{ weekday: '-1', lag_s: '3600.0' }])
})

test('settlements that have no transaction for arithmetic agree without a usual lag', async () => {
  expect(await lagOf([1, 1, 1])).toEqual([])
  expect(await lagOf([1, 2, 2])).toEqual([])
})

test('a settlement whose longest runs have several offsets shows no usual lag', async () => {
  const other = (ordinal: number, offset_cents: number, run_length: number) =>
    `created | 7 | ${ordinal} | 9 | ${offset_cents} | 0 | 60 | ${run_length}`
  const learned = await lagOf([1, 2, 3])
  expect(await lagOf([1, 2, 3], [other(2, 500, 3)])).toEqual([])
  // A shorter run, and another place of the same offset, take nothing from the evidence.
  expect(await lagOf([1, 2, 3], [other(2, 500, 2)])).toEqual(learned)
  expect(await lagOf([1, 2, 3], [other(2, 0, 3)])).toHaveLength(1)
})
