import type { DuckDBConnection } from '@duckdb/node-api'
import { expect, onTestFinished, test } from 'vitest'
import { HISTORIES } from '../../../bench/attribution.ts'
import { drawHistory, landHistory, type DrawnHistory } from '../../../bench/drawn-history.ts'
import { explainSettlement, judgeAnew, judgeAsStored } from '../../../queries/explain-settlement.ts'
import { explanationOf } from '../../../queries/explanation.ts'
import { createReconcile } from '../../../activities/reconcile/reconcile.ts'
import { SharedLake } from '../../../activities/runtime/shared-lake.ts'
import type { Settings } from '../../../domain/settings.ts'
import { recordPublication } from '../../../lake/results/publications.ts'
import { emptyLakeIn } from '../../support/lake-template.ts'
import { plainAccount } from '../../support/plain-account.ts'
import { rowsOf, tempFolder } from '../../support/temp-lake.ts'

/** The number of explained settlements of each history. */
const SETTLEMENTS = Number(process.env['TIEOUT_TEST_EXPLAINED'] ?? '8')

const RUN = {
  ...{ runId: 'run', account: 'bench', asOf: '2025-10-31T04:15:00Z' },
  window: { from: '2025-09-20', to: '2025-10-31' },
}

/** Late captures and wrong nets are so frequent that each explained settlement has some beside it. */
const CROWDED = HISTORIES.filter(([name]) =>
  /^read each night, (flag|two)|four nights|moves at/.test(name),
).map(([name, kind]): [string, DrawnHistory] => [
  name,
  { ...kind, ...{ transactions: 4_000, perDay: 25, days: 55, late: 0.05, errors: 0.1 } },
])

/** Some transactions of the first terminal name their settlement, and some one of another terminal. */
const NAME_SETTLEMENTS = `
  update lake.seen.transaction_version set explicit_settlement_id = named.settlement_id
  from (
    select transaction_id, case when transaction_id % 50 = 0 then settlement_id + 10000 else settlement_id end as settlement_id
    from drawn_member where terminal_id = 1 and transaction_id % 5 = 0 and settlement_id is not null) as named
  where named.transaction_id = transaction_version.transaction_id and settled`

async function world(history: DrawnHistory): Promise<{ settings: Settings; shared: SharedLake }> {
  const folder = tempFolder()
  const settings = plainAccount({ account: 'bench', out: folder, lake: emptyLakeIn(folder) })
  const shared = new SharedLake(settings.lake, () => {})
  onTestFinished(() => shared.close())
  await shared.connected(async (_lake, connection) => {
    await drawHistory(connection, history)
    await landHistory(connection, history)
    await connection.run(NAME_SETTLEMENTS)
    await connection.run(
      `insert into lake.ops.landing
       select max(landing_seq), 'bench', 't', 0, 1, 1, 0, max(observed_at), '{}' from lake.seen.transaction_version`,
    )
  })
  await createReconcile(settings, shared)(RUN)
  await shared.connected((lake, connection) =>
    recordPublication(lake, connection, {
      ...RUN,
      certificate: 'CONTIGUOUS',
      manifestSha256: 'none',
    }),
  )
  return { settings, shared }
}

test.each(CROWDED)(
  'the stored run explains each settlement as all models do: %s',
  async (_name, history) => {
    const { settings, shared } = await world(history)
    const on = <T>(work: (connection: DuckDBConnection) => Promise<T>) =>
      shared.connected((_lake, connection) => work(connection))
    const asked = await on((connection) =>
      rowsOf(
        connection,
        `select "settlementId" as id from lake.result.settlements where "created" >= '2025-09-22'
         order by "verdict" = 'TIED' and "explanation" is null, hash("settlementId") limit ${SETTLEMENTS}`,
      ),
    )
    const ids = asked.map(({ id }) => String(id))
    const whys: (string | undefined)[] = []
    await on(async (whole) => {
      await judgeAnew(whole, { settings, settlementId: String(ids[0]), asOf: RUN.asOf })
      for (const settlementId of ids) {
        const told = await on(async (connection) => {
          whys.push(await judgeAsStored(connection, { settings, settlementId }))
          return whys.at(-1) === undefined
            ? await explanationOf(connection, settlementId)
            : undefined
        })
        if (told === undefined) continue
        expect(told).toEqual({ ...(await explanationOf(whole, settlementId)), runId: RUN.runId })
        expect(told.certificateReasons.length > 0).toBe(told.certificate === 'AMBIGUOUS')
      }
    })
    if (process.env['SHOW'])
      console.log(
        ids.length,
        whys.filter((why) => why !== undefined),
      )
    expect(whys.filter((why) => why === undefined).length).toBeGreaterThan(ids.length * 0.8)
  },
  300_000,
)

test('a settlement with a neighbour outside the stored run is computed anew', async () => {
  const { settings, shared } = await world(CROWDED[0]?.[1] as DrawnHistory)
  const beside = await shared.connected((_lake, connection) =>
    rowsOf(
      connection,
      `select "settlementId" as id from lake.result.settlements where "terminalId" = '2' order by "created" limit 20`,
    ),
  )
  const ids = beside.map(({ id }) => String(id))
  const [first, eighth, ninth, twentieth] = [ids[0], ids[7], ids[8], ids[19]]
  const whyNot = (settlementId = '') =>
    shared.connected((_lake, connection) => judgeAsStored(connection, { settings, settlementId }))
  expect(await whyNot(first)).toBe('a settlement beside it is not in run run')
  // Nothing has landed since, so the new computation has the time of the run.
  const { asOf } = await explainSettlement({ settings, settlementId: String(first) })
  expect(Date.parse(asOf)).toBe(Date.parse(RUN.asOf))
  expect(await whyNot(ninth)).toBeUndefined()
  await shared.connected((_lake, connection) =>
    connection.run(`delete from lake.result.attributions where "settlementId" = ${eighth}`),
  )
  expect(await whyNot(ninth)).toBe(
    'a transaction beside it may be in a settlement that is not in run run',
  )
  expect(await whyNot(twentieth)).toBeUndefined()
}, 300_000)
