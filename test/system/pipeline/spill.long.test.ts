import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { provePack } from '../../../queries/prove-pack.ts'
import { createPublish } from '../../../activities/publish.ts'
import { createReconcile } from '../../../activities/reconcile/reconcile.ts'
import type { Run } from '../../../domain/run.ts'
import { verifyPack } from '../../../reports/verify-pack.ts'
import { startPipeline, type Pipeline } from '../../support/pipeline.ts'

const WORLD = { seed: 11, terminals: 6, transactions: 2000, days: 45 }
const NOW = '2025-11-04T04:15:00Z'

/** A run on a machine whose memory holds no more than `scratchFrom` versions. */
async function withFile({ settings, shared }: Pipeline, run: Run, scratchFrom: number) {
  const files = () => readdirSync(join(settings.lake.folder, 'scratch'))
  const large = { ...settings, lake: { ...settings.lake, scratchFrom } }
  const seen = new Set<string>()
  const heard = () => files().forEach((file) => seen.add(file))
  const found = await createReconcile(large, shared)(run, { onModelDone: heard })
  expect([...seen].filter((file) => file.endsWith('.duckdb'))).toHaveLength(1)
  expect(files()).toEqual([])
  const published = await createPublish(settings, shared)(run)
  expect((await provePack(large, await verifyPack(published.pack))).differing).toEqual([])
  return { found, pack: published.pack }
}

const versionsIn = ({ shared }: Pipeline): Promise<number> =>
  shared.connected(async (_lake, connection) => {
    const reader = await connection.runAndReadAll(
      'select count(*) from lake.seen.transaction_version',
    )
    return Number(reader.getRows()[0]?.[0])
  })

interface Manifest {
  files: { name: string; sha256: string }[]
}

const manifestOf = (pack: string): Manifest =>
  JSON.parse(readFileSync(join(pack, 'manifest.json'), 'utf8'))

/** The summaries name the run. */
const hashesOf = (pack: string) =>
  manifestOf(pack)
    .files.filter(({ name }) => !name.startsWith('summary.'))
    .map(({ name, sha256 }) => `${name} ${sha256}`)

/** A transaction that was seen on two terminals, and one that names a settlement of another terminal. */
const TANGLE = `
  insert into lake.seen.transaction_version
  with newest as (
    select * from lake.seen.transaction_version where settled
    qualify row_number() over (partition by terminal_id order by transaction_id desc) = 5),
  terminals as (select list(terminal_id order by terminal_id) as ids from newest)
  select newest.* replace (
    case when terminal_id = ids[1] then ids[2] else terminal_id end as terminal_id,
    case when terminal_id = ids[4]
      then (select max(settlement_id) from lake.seen.settlement_version where terminal_id = ids[5]) end as explicit_settlement_id,
    content_hash + 1 as content_hash,
    ordinal + 1000000 as ordinal)
  from newest cross join terminals where terminal_id in (ids[1], ids[4])`

test('a run whose large tables are in a spill file makes the same files, byte for byte, as one in memory', async () => {
  const pipeline = await startPipeline(WORLD, NOW)
  const { run } = await pipeline.night('swept')
  await pipeline.shared.connected(async (_lake, connection) => {
    expect((await connection.run(TANGLE)).rowsChanged).toBe(2)
  })
  const inMemory = { ...run, runId: 'in-memory' }
  const { headline, exceptions } = await createReconcile(
    pipeline.settings,
    pipeline.shared,
  )(inMemory)
  const { pack } = await createPublish(pipeline.settings, pipeline.shared)(inMemory)
  expect(headline.breaks).toBeGreaterThan(0)
  expect(exceptions['REFUND_CEILING_BREACH']).toBeGreaterThan(0)
  expect(exceptions['DUPLICATE_CHARGE']).toBeGreaterThan(0)
  // Wide tables alone, all of them, and transactions that are put in order in parts.
  const versions = await versionsIn(pipeline)
  for (const [name, scratchFrom] of [
    ['wide', Math.floor(0.7 * versions)],
    ['all', Math.floor(0.45 * versions)],
    ['parts', 1],
  ] as const) {
    const inFile = await withFile(pipeline, { ...run, runId: `in-file-${name}` }, scratchFrom)
    expect(hashesOf(inFile.pack)).toEqual(hashesOf(pack))
    expect(inFile.found).toMatchObject({ headline, exceptions })
  }
})
