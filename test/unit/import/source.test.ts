/**
 * Goal: transactions from files alone give correct books. Method: a run over imports, compared with a run over the
 * same service.
 */
import { createServer } from 'node:http'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createImportFile } from '../../../activities/import/import-files.ts'
import { createPublish } from '../../../activities/publish.ts'
import { createReconcile } from '../../../activities/reconcile/reconcile.ts'
import { SharedLake } from '../../../activities/runtime/shared-lake.ts'
import { createSweepList } from '../../../activities/sweep/sweep-list.ts'
import { sweptOrImported } from '../../../activities/sweep/transactions-source.ts'
import { canonicalJson, parseJson } from '../../../api/json/json.ts'
import { createSource } from '../../../api/http/source.ts'
import { verifyPack } from '../../../reports/verify-pack.ts'
import type { Run } from '../../../domain/run.ts'
import { Secret } from '../../../domain/settings.ts'
import { simulatorOptions } from '../../../simulator/world/options.ts'
import { startPipeline } from '../../support/pipeline.ts'
import { simulatedSource } from '../../support/simulated-source.ts'
import { emptyLakeIn } from '../../support/lake-template.ts'
import { rowsOf, tempFolder } from '../../support/temp-lake.ts'

const NOW = '2026-11-20T04:15:00Z'
const WORLD = { terminals: 3, transactions: 600, days: 20, seed: 11 }

const settlementsOf = (pack: string) =>
  readFileSync(join(pack, 'settlements.csv'), 'utf8')
    .split('\r\n')
    .map((line) => line.split(','))
    .map((cells) => [...cells.slice(0, 2), ...cells.slice(7, 12)].join(','))

test('a run over imported transactions finds the same as a run over swept ones, and says that they were imported', async () => {
  const swept = await startPipeline(WORLD, NOW)
  const night = await swept.night('r1')
  const { settings, simulator } = swept
  if (settings.source === undefined) throw new Error('a pipeline has a source')

  const folder = tempFolder()
  const file = join(folder, 'transactions.ndjson')
  writeFileSync(file, (await allOf(`${simulator.url}/transactions`, settings.source)).join('\n'))

  const here = {
    ...settings,
    lake: emptyLakeIn(folder),
    out: join(folder, 'out'),
    transactionsFrom: 'import' as const,
  }
  const shared = new SharedLake(here.lake, () => {})
  const hashKey = new Secret('test-hash-key')
  const source = createSource(settings.source, { hashKey })
  onTestFinished(async () => {
    await source.close()
    await shared.close()
  })
  const asOf = new Date(simulator.now()).toISOString()
  const imported = await createImportFile(here, shared, { first: hashKey, later: [] })({
    account: 'acme',
    list: 'transactions',
    file,
    format: 'ndjson',
    exportedAt: asOf,
    completeFrom: '2020-01-01T00:00:00.000Z',
  })
  expect(imported.newVersions).toBe(imported.rows - imported.quarantined)
  const sweepList = createSweepList(shared, () => source)
  for (const list of ['terminals', 'settlements', 'transactions'] as const) {
    const request = { runId: 'r1', account: 'acme', list, pass: 1 }
    const result = await sweptOrImported(here, request, () => sweepList(request))
    expect(result.done).toBe(true)
    if (list === 'transactions') expect(result.requests).toBe(0)
  }
  const run: Run = { ...night.run, asOf }
  const found = await createReconcile(here, shared)(run)
  const { pack, certificate } = await createPublish(here, shared)(run)
  expect(found.headline).toEqual(night.headline)
  expect(settlementsOf(pack)).toEqual(settlementsOf(night.pack))
  expect(certificate).toBe('BEST_EFFORT')
  const listed = readFileSync(join(pack, 'sweeps.csv'), 'utf8')
  expect(listed).toMatch(/^acme,transactions,,.*,0,\d+,\d+,\d+,0,0,0,BEST_EFFORT,[0-9a-f]{64}\r$/m)
  // The reader of a pack can prove that imported records were on no page of the service.
  expect((await verifyPack(pack)).proved).toContain('records listed = records landed')
  const contents = `select account, transaction_id, content_hash from lake.seen.transaction_version order by 2, 3`
  const versions = (place: SharedLake) =>
    place.connected((_lake, connection) => rowsOf(connection, contents))
  expect(await versions(shared)).toEqual(await versions(swept.shared))
})

/** The records of a list as the service sends them, a line each. */
async function allOf(
  url: string,
  source: { user: string; password: Secret; applicationKey: Secret },
): Promise<string[]> {
  const password = `${source.user}:${source.password.reveal()}`
  const headers = {
    authorization: `Basic ${Buffer.from(password).toString('base64')}`,
    'x-svc-application-key': source.applicationKey.reveal(),
  }
  const lines: string[] = []
  for (;;) {
    const response = await fetch(`${url}?offset=${lines.length}&limit=500`, { headers })
    // Ids that no double holds stay as they are.
    const page = parseJson(await response.text()) as { results: unknown[] }
    if (page.results.length === 0) return lines
    lines.push(...page.results.map((record) => canonicalJson(record)))
  }
}

test.each([404, 405, 410])(
  'a service without the list, which answers %s, ends with the way to go without it',
  async (status) => {
    const server = createServer((request, response) => {
      response.setHeader('content-type', 'application/json')
      response.statusCode = request.url?.startsWith('/settlements') === true ? 200 : status
      response.end(response.statusCode === 200 ? '{"results":[]}' : '{}')
    })
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve)
    })
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : 0
    const folder = tempFolder()
    const shared = new SharedLake(emptyLakeIn(folder), () => {})
    const settings = simulatedSource(`http://127.0.0.1:${port}`, simulatorOptions(), 50)
    const source = createSource(settings, { hashKey: new Secret('h') })
    onTestFinished(async () => {
      await source.close()
      await shared.close()
      server.close()
    })
    const sweepList = createSweepList(shared, () => source)
    for (const list of ['settlements', 'transactions'] as const) {
      const request = { runId: 'r1', account: 'acme', list, pass: 1 }
      const sweeping = sweptOrImported({ transactionsFrom: 'list' }, request, () =>
        sweepList(request),
      )
      if (list === 'settlements') await sweeping
      else {
        await expect(sweeping).rejects.toMatchObject({
          code: 'source_refused',
          message: expect.stringContaining('the service has no list of transactions'),
          remedy: expect.stringMatching(/transactions\.source: import.*tieout import FILE/),
        })
      }
    }
  },
)
