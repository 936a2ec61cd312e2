import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { PartialOptions } from '../../../simulator/world/options.ts'
import { startPipeline, type Night } from '../../support/pipeline.ts'
import { rowsOf } from '../../support/temp-lake.ts'

const WORLD: PartialOptions = { seed: 7, terminals: 3, transactions: 900, days: 52, limitCap: 50 }
const FIRST = '2025-11-10T04:15:00Z'
const SECOND = '2025-11-11T04:15:00Z'
const WINDOW = { from: '2025-10-01', to: '2025-11-11' }
/** sweeps.csv tells of every sweep, and differs. */
const TABLES = ['settlements', 'attributions', 'exceptions', 'pending', 'unsettled', 'rollforward']

const tablesOf = ({ pack }: Night) =>
  Object.fromEntries(TABLES.map((name) => [name, readFileSync(join(pack, `${name}.csv`), 'utf8')]))

test('two simultaneous runs over one range leave the same as one of them', async () => {
  const alone = await startPipeline(WORLD, FIRST)
  await alone.sweep('n1')
  alone.simulator.advanceTo(SECOND)
  const one = await alone.night('n2', WINDOW)

  const disturbed = await startPipeline(WORLD, FIRST)
  await disturbed.sweep('n1')
  disturbed.simulator.advanceTo(SECOND)
  const [other, last] = await Promise.all([disturbed.sweep('a'), disturbed.night('n2', WINDOW)])
  expect(other + last.newVersions).toBe(one.newVersions)

  const known = (pipeline: typeof alone) =>
    pipeline.shared.connected(async (_lake, connection) => ({
      versions: await rowsOf(
        connection,
        `select transaction_id::varchar as id, content_hash::varchar as content from lake.seen.transaction_version
         union all select settlement_id::varchar, content_hash::varchar from lake.seen.settlement_version order by all`,
      ),
      // Neither took for gone what the other had not read yet.
      absent: await rowsOf(connection, 'select * from lake.seen.presence'),
    }))
  const [both, single] = [await known(disturbed), await known(alone)]
  expect(both.versions.length).toBeGreaterThan(500)
  expect(both).toEqual(single)
  expect(single.absent).toEqual([])
  expect(tablesOf(last)).toEqual(tablesOf(one))
})
