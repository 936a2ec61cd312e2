import type { DuckDBConnection } from '@duckdb/node-api'
import { expect, test } from 'vitest'
import { judgeAnew, judgeAsStored } from '../../../queries/explain-settlement.ts'
import { explanationOf } from '../../../queries/explanation.ts'
import type { PartialOptions } from '../../../simulator/world/options.ts'
import { startPipeline, type Pipeline } from '../../support/pipeline.ts'
import { rowsOf } from '../../support/temp-lake.ts'

/** The number of explained settlements of each verdict and explanation. */
const OF_EACH = Number(process.env['TIEOUT_TEST_EXPLAINED'] ?? '1')

const WORLD: PartialOptions = {
  ...{ seed: 11, terminals: 5, transactions: 3_000, days: 60 },
  settledFlips: process.env['TIEOUT_TEST_FLIPS'] === 'created' ? 'created' : 'complete',
}
const NIGHTS = ['2025-11-18', '2025-11-19']

const on = <T>({ shared }: Pipeline, work: (connection: DuckDBConnection) => Promise<T>) =>
  shared.connected((_lake, connection) => work(connection))

test('the stored run explains each settlement as all models together do', async () => {
  const pipeline = await startPipeline(WORLD, `${NIGHTS[0]}T04:15:00Z`)
  const { settings } = pipeline
  for (const night of NIGHTS) {
    pipeline.simulator.advanceTo(`${night}T04:15:00Z`)
    await pipeline.night(night)
  }
  const asked = await on(pipeline, (connection) =>
    rowsOf(
      connection,
      // Beside the first ones of a terminal in the range lies what the run has not stored.
      `with later as (
         from lake.result.settlements where run_id = '${NIGHTS.at(-1)}'
         qualify row_number() over (partition by "terminalId" order by "created") > 4)
       select "settlementId" as id, concat_ws(' ', "verdict", "explanation") as kind from later
       qualify row_number() over (partition by "verdict", "explanation" order by hash("settlementId")) <= ${OF_EACH}`,
    ),
  )
  const kinds = new Set(asked.map(({ kind }) => String(kind)))
  expect([...kinds]).toEqual(
    expect.arrayContaining([
      ...['BREAK UNEXPLAINED', 'EXPLAINED WRONG_TERMINAL', 'EXPLAINED COMPONENT_EXCLUDED'],
      ...['PENDING', 'TIED', 'TIED CUTOFF_SHIFT', 'TIED QUARANTINED_RECORDS'],
    ]),
  )
  await on(pipeline, async (whole) => {
    const asOf = `${NIGHTS.at(-1)}T04:15:00Z`
    await judgeAnew(whole, { settings, settlementId: String(asked[0]?.['id']), asOf })
    for (const { id } of asked) {
      const settlementId = String(id)
      const told = await on(pipeline, async (connection) => {
        const why = await judgeAsStored(connection, { settings, settlementId })
        expect([id, why]).toEqual([id, undefined])
        return explanationOf(connection, settlementId)
      })
      const wanted = await explanationOf(whole, settlementId)
      expect(told).toEqual({ ...wanted, runId: NIGHTS.at(-1) })
      expect(told.certificateReasons.length > 0).toBe(told.certificate === 'AMBIGUOUS')
    }
  })
}, 900_000)
