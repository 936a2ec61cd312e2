import type { DuckDBConnection } from '@duckdb/node-api'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runAllModels } from '../../../lake/run/run-all.ts'
import type { Run } from '../../../domain/run.ts'
import { PackRows } from '../../../lake/results/pack-rows.ts'
import { type PackSource } from '../../../reports/pack/pack-source.ts'
import { reconcileWorld } from '../../support/core-world.ts'
import { lakeSettingsIn } from '../../support/lake-template.ts'
import { plainAccount } from '../../support/plain-account.ts'
import { tempFolder, tempLake } from '../../support/temp-lake.ts'
import { aboutOf, packFrom } from './fake-source.ts'

const settingsIn = (folder: string) =>
  plainAccount({ out: folder, lake: lakeSettingsIn(folder), scheduleAt: '03:00' })

/** The models' tables behind the seam, as DuckDB writes them. */
const sourceOf = (connection: DuckDBConnection): PackSource => new PackRows(connection)

const RUN: Run = {
  runId: 'run-1',
  account: 'acme',
  window: { from: '2026-01-01', to: '2026-12-01' },
  asOf: '2026-12-01T00:00:00Z',
}

const WORLD = {
  settlements: `
    900 | 7 | 2026-11-02 03:00:00 | 130.00
    901 | 7 | 2026-11-03 03:00:00 |  99.00
    902 | 7 | 2026-11-04 03:00:00 |  15.00 | PENDING`,
  transactions: `
    1 | 7 | 2026-11-01 10:00:00 | 150.00
    2 | 7 | 2026-11-01 11:00:00 | -20.00
    3 | 7 | 2026-11-02 10:00:00 | 119.00
    4 | 7 | 2026-11-03 10:00:00 |  15.00 | unsettled
    5 | 7 | 2026-11-20 10:00:00 |   8.00 | unsettled`,
}

/** Reconciles a world of one listed record, with `landed` records landed, and publishes. */
async function publish(landed: bigint): Promise<string> {
  const { lake, connection: landing } = await tempLake()
  await reconcileWorld(WORLD, landing)
  // A run has a connection of its own.
  const connection = await lake.connect()
  await connection.run(
    `insert into lake.ops.landing (landing_seq, account, sweep_id, batch, records, new_versions, quarantined)
     values (2, 'acme', 't', 1, $1, $1, 0)`,
    [landed],
  )
  const folder = tempFolder()
  const knowledge = {
    knownAt: 10n,
    exceptionScan: 0n,
    knownTime: '2026-12-01',
    isNewest: true,
    audit: { seq: 0n, sha256: '' },
  }
  try {
    await runAllModels(connection, { settings: settingsIn(folder), run: RUN, knowledge })
    return await packFrom(sourceOf(connection), aboutOf(join(folder, 'out'), RUN))
  } finally {
    connection.closeSync()
  }
}

test('the rows of the models pass every check of the pack: one tie, one break, one pending', async () => {
  const pack = await publish(1n)
  const lines = readFileSync(join(pack, 'settlements.csv'), 'utf8').split('\r\n')
  expect(lines.map((line) => line.split(',').slice(1, 11).toSpliced(2, 3).join(' '))).toEqual([
    'settlementId terminalId status reportedNet computedNet difference verdict',
    '900 7 COMPLETE 130.00 130.00 0.00 TIED',
    '901 7 COMPLETE 99.00 119.00 20.00 BREAK',
    '902 7 PENDING 15.00 15.00 0.00 PENDING',
    '',
  ])
  expect(readFileSync(join(pack, 'exceptions.csv'), 'utf8')).toContain(',AMOUNT_MISMATCH,error,')
  expect(readdirSync(pack)).toContain('summary.xlsx')
})

test('a record that was listed and never landed withholds the pack', async () => {
  await expect(publish(0n)).rejects.toMatchObject({
    code: 'control_total_failed',
    message: expect.stringContaining('records listed = records landed: expected 1, actual 0'),
  })
})
