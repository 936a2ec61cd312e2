import { expect, test } from 'vitest'
import { provePack } from '../../activities/prove-pack.ts'
import { verifyPack } from '../../reports/verify-pack.ts'
import { startPipeline } from '../support/pipeline.ts'
import { rowsOf } from '../support/temp-lake.ts'

const WORLD = { seed: 11, terminals: 6, transactions: 2000, days: 45 }
const NIGHTS = ['2025-11-03T04:15:00Z', '2025-11-04T04:15:00Z']

test('the pack of a night that takes over what the night before left comes out the same, byte for byte, when everything is computed', async () => {
  const pipeline = await startPipeline(WORLD, NIGHTS[0] ?? '', { wholeEvery: 100 })
  let last = ''
  for (const [at, instant] of NIGHTS.entries()) {
    pipeline.simulator.advanceTo(instant)
    const { pack, newVersions, exceptions } = await pipeline.night(`n${at}`)
    expect(newVersions).toBeGreaterThan(0)
    expect(exceptions['REFUND_CEILING_BREACH']).toBeGreaterThan(0)
    expect(exceptions['DUPLICATE_CHARGE']).toBeGreaterThan(0)
    last = pack
  }
  const left = await pipeline.shared.connected(async (_lake, connection) => ({
    carries: await rowsOf(
      connection,
      'select run_id, account, runs_since_whole::integer as since from lake.carried.carry',
    ),
    // Whatever is left is the newest run's alone.
    twice: await rowsOf(
      connection,
      'select subject_id from lake.carried.duplicate_charge group by subject_id having count(*) > 1',
    ),
  }))
  expect(left).toEqual({ carries: [{ run_id: 'n1', account: 'acme', since: 1 }], twice: [] })
  const { agreeing, differing } = await provePack(pipeline.settings, await verifyPack(last))
  expect(differing).toEqual([])
  expect(agreeing).toContain('refund_ceiling.csv')
  expect(agreeing).toContain('exceptions.csv')
}, 300_000)
