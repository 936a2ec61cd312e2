import { expect, test } from 'vitest'
import { run } from '../support/models.ts'

const WINDOWS = `clock varchar | terminal_id bigint | ordinal bigint | weekday bigint
  created | 7 | 1 | -1`

/** Three settlements in a row that share an offset, with the positions of their cut-offs. */
const lagOf = (positions: readonly number[]) =>
  run('weekday_lag', {
    cutoff_window: WINDOWS,
    offset_run: [
      'clock varchar | terminal_id bigint | ordinal bigint | position bigint | lag_low_s bigint | lag_high_s bigint | run_length bigint',
      ...positions.map(
        (position, at) => `created | 7 | ${at + 1} | ${position} | 0 | ${7200 * (at + 1)} | 3`,
      ),
    ].join('\n'),
  })

test('a usual lag is learned from three different cut-offs that agree', async () => {
  expect(await lagOf([1, 2, 3])).toMatchObject([{ weekday: '-1', lag_s: '3600.0' }])
})

test('settlements that have no transaction for arithmetic agree without a usual lag', async () => {
  expect(await lagOf([1, 1, 1])).toEqual([])
  expect(await lagOf([1, 2, 2])).toEqual([])
})
