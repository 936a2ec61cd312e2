import { Client, Connection } from '@temporalio/client'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startDevServer, type DevServer } from '../../../workers/temporal/dev-server.ts'
import {
  newPlace,
  simulate,
  startTieout,
  tieout,
  type Place,
  type Started,
} from '../../support/built.ts'
import { needs } from '../../support/outside-program.ts'
import { startServices, type Services } from '../../support/services.ts'
import { filesOf, packsOf } from './packs.ts'

/** Larger sizes by a variable; the proof is the same. */
const TRANSACTIONS = process.env['TIEOUT_TEST_SCALE_TRANSACTIONS'] ?? '600'
const NOW = '2026-10-30T04:15:00Z'
const WORLD = ['--terminals', '3', '--from', '2026-09-20', '--days', '45']
const RANGE = ['--from', '2026-10-10', '--to', '2026-10-30', '--as-of', NOW, '--json']
const ACCOUNTS = ['acme', 'bolt']

const isThere = needs('postgresql') && needs('moto')
let services: Services | undefined
let temporal: DevServer | undefined
/** The settings that lead to the two services, and to the lake that all workers share. */
let ways: Record<string, string> = {}
let shared: Record<string, string> = {}
const addresses: string[] = []

beforeAll(async () => {
  if (!isThere) return
  services = await startServices()
  temporal = await startDevServer(newPlace().cwd, { owner: 'worker', say: () => {} })
  for (const seed of ['3', '4']) {
    const world = [...WORLD, '--transactions', TRANSACTIONS, '--seed', seed, '--now', NOW]
    ways = await simulate([...world, '--latency-ms', '100', '--limit-cap', '50'], newPlace())
    addresses.push(ways['TIEOUT_BASE_URL'] ?? '')
  }
  delete ways['TIEOUT_BASE_URL']
  shared = await services.lake('night')
})

afterAll(async () => {
  await temporal?.stop()
  await services?.stop()
})

/** A folder of its own, with the two accounts. */
function placeWith(env: Record<string, string>): Place {
  const place = newPlace({ ...ways, TIEOUT_HASH_KEY: shared['TIEOUT_HASH_KEY'] ?? '', ...env })
  const accounts = ACCOUNTS.map((name, at) => `  - {name: ${name}, base_url: "${addresses[at]}"}`)
  // More threads than two cores have: there each worker does one run at a time.
  const threads = 'duckdb: {threads: 3}'
  const lines = [threads, 'accounts:', ...accounts]
  writeFileSync(join(place.cwd, 'tieout.yaml'), `${lines.join('\n')}\n`)
  return place
}

const ofTemporal = () => ({ ...shared, TEMPORAL_ADDRESS: temporal?.address ?? '' })

async function startWorkers(count: number): Promise<Started[]> {
  const started = Array.from({ length: count }, () =>
    startTieout(['worker'], placeWith(ofTemporal())),
  )
  await Promise.all(started.map((worker) => worker.says('worker ready')))
  return started
}

async function transactionPages(): Promise<number> {
  const answer = await fetch(new URL('/_simulator/stats', addresses[0]))
  const stats = (await answer.json()) as { byList: { transactions: number } }
  return stats.byList.transactions
}

/** Waits for the server and not for the command's line, which a fast run passes between two readings. */
async function reconcileBegins(): Promise<void> {
  const connection = await Connection.connect({ address: temporal?.address ?? '' })
  const { workflow } = new Client({ connection })
  const query = "WorkflowType = 'reconcile' and ExecutionStatus = 'Running'"
  while ((await workflow.count(query)).count === 0) await sleep(20)
  await connection.close()
}

test('three workers, one killed in mid-sweep and one in mid-reconciliation, make the same packs as one process alone', async (context) => {
  if (!isThere) context.skip('PostgreSQL or moto is not installed')
  const [first, second, third] = await startWorkers(3)
  const night = startTieout(['run', ...RANGE], placeWith(ofTemporal()))
  while ((await transactionPages()) < 3) await sleep(50)
  first?.kill('SIGKILL')
  const swept = await night.ended
  const files = filesOf(swept)
  expect(packsOf(swept).map(({ account }) => account)).toEqual(ACCOUNTS)

  const again = startTieout(['reconcile', ...RANGE], placeWith(ofTemporal()))
  await reconcileBegins()
  second?.kill('SIGKILL')
  expect(filesOf(await again.ended)).toEqual(files)
  third?.kill('SIGTERM')
  expect((await third?.ended)?.code).toBe(143)

  // The same landed lake, by one process and an embedded server.
  expect(filesOf(await tieout(['reconcile', ...RANGE], placeWith(shared)))).toEqual(files)

  // This lake is used by one process alone.
  const alone = await tieout(['run', ...RANGE], placeWith({}))
  const butSweeps = /^summary\.|^sweeps\.csv$/
  expect(filesOf(alone, butSweeps)).toEqual(filesOf(swept, butSweeps))
}, 1_500_000)
