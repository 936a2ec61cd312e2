/**
 * Goal: many accounts share one lake and several workers. No account waits for a huge one, a killed worker changes no
 * pack, and the page of scaling has measured figures.
 *
 * Method: the same night of all accounts runs with one, two and three workers, and once more with three of which one is
 * killed. Each case has a lake of its own. The catalog lies in PostgreSQL, the data in a store that speaks S3. Each worker is
 * bound to one core. The first account is huge, and its run is started first.
 *
 * `WRITE_EXAMPLES=1 npm run test:scale` writes the figures into docs/scaling.md.
 */
import { Connection } from '@temporalio/client'
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { writeSection } from '../../../bench/performance-page.ts'
import { cpuSecondsOf } from '../../../bench/run-measured.ts'
import { startDevServer } from '../../../workers/temporal/dev-server.ts'
import { newPlace, simulate, startTieout, type Place, type Started } from '../../support/built.ts'
import { encryptingClient } from '../../support/encrypting-client.ts'
import { needs } from '../../support/outside-program.ts'
import { startServices, type Services } from '../../support/services.ts'
import { filesOf } from './packs.ts'

const ACCOUNTS = Number(process.env['TIEOUT_TEST_SCALE_ACCOUNTS'] ?? '60')
/** The transactions of the huge account, and of each other one. */
const [HUGE, SMALL] = [40_000, 300]
const NOW = '2026-10-30T04:15:00Z'
const WORLD = ['--terminals', '3', '--from', '2026-09-20', '--days', '45', '--now', NOW]
const RANGE = ['--from', '2026-10-10', '--to', '2026-10-30', '--as-of', NOW, '--json']

interface Case {
  workers: number
  isKilled: boolean
}

const CASES: readonly Case[] = [
  { workers: 1, isKilled: false },
  { workers: 2, isKilled: false },
  { workers: 3, isKilled: false },
  { workers: 3, isKilled: true },
]

interface Measured extends Case {
  seconds: number
  cpu_seconds: number
  commits: number
  /** The number of accounts that were swept before the night of the huge one ended. */
  swept_before: number
  files: readonly string[]
}

const isThere = needs('postgresql') && needs('moto')
let services: Services | undefined
/** The addresses of the huge world and of three small ones, and the credentials for all. */
const worlds: string[] = []
let credentials: Record<string, string> = {}

beforeAll(async () => {
  if (!isThere) return
  services = await startServices()
  for (const [seed, transactions] of [HUGE, SMALL, SMALL, SMALL].entries()) {
    const size = ['--seed', String(seed + 1), '--transactions', String(transactions)]
    credentials = await simulate([...WORLD, ...size], newPlace())
    worlds.push(credentials['TIEOUT_BASE_URL'] ?? '')
  }
  delete credentials['TIEOUT_BASE_URL']
})

afterAll(() => services?.stop())

/** A folder of its own, with all accounts. */
function placeWith(env: Record<string, string>): Place {
  const place = newPlace({ ...credentials, ...env })
  const accounts = Array.from({ length: ACCOUNTS }, (_, at) => {
    const address = worlds[at === 0 ? 0 : 1 + (at % 3)]
    return `  - {name: ${at === 0 ? 'huge' : `shop-${at}`}, base_url: "${address}"}`
  })
  const lines = ['duckdb: {threads: 2}', 'accounts:', ...accounts]
  writeFileSync(join(place.cwd, 'tieout.yaml'), `${lines.join('\n')}\n`)
  return place
}

async function startWorkers(count: number, env: Record<string, string>): Promise<Started[]> {
  const started = Array.from({ length: count }, () => startTieout(['worker'], placeWith(env)))
  await Promise.all(started.map((worker) => worker.says('worker ready')))
  for (const [at, { pid }] of started.entries()) {
    const core = String(at % availableParallelism())
    execFileSync('taskset', ['-a', '-c', '-p', core, String(pid)], { stdio: 'ignore' })
  }
  return started
}

async function measured({ workers, isKilled }: Case, name: string): Promise<Measured> {
  const lake = (await services?.lake(name)) ?? {}
  const temporal = await startDevServer(newPlace().cwd, { owner: 'worker', say: () => {} })
  const env = { ...lake, TEMPORAL_ADDRESS: temporal.address }
  const connection = await Connection.connect({ address: temporal.address })
  const client = encryptingClient(connection, { cwd: '', env })
  /** The ends of workflows of a type, by account. */
  const endsOf = async (type: string) => {
    const ends = new Map<string, number>()
    const query = `WorkflowType = '${type}' and ExecutionStatus = 'Completed'`
    for await (const { workflowId, closeTime } of client.workflow.list({ query })) {
      ends.set(workflowId.split('/')[1] ?? '', closeTime?.getTime() ?? 0)
    }
    return ends
  }
  try {
    const started = await startWorkers(workers, env)
    const since_ms = performance.now()
    const night = startTieout(['run', ...RANGE], placeWith(env))
    if (isKilled) {
      while ((await endsOf('nightly')).size < ACCOUNTS / 4) await sleep(500)
      started.shift()?.kill('SIGKILL')
    }
    const files = filesOf(await night.ended, /^summary\.|^sweeps\.csv$/)
    const seconds = (performance.now() - since_ms) / 1000
    const cpu_seconds = started
      .map(({ pid }) => cpuSecondsOf(pid))
      .reduce((sum, one) => sum + one, 0)
    const huge_ms = (await endsOf('nightly')).get('huge') ?? 0
    const swept_before = [...(await endsOf('sweep'))].filter(
      ([account, at_ms]) => account !== 'huge' && at_ms < huge_ms,
    ).length
    for (const worker of started) worker.kill('SIGTERM')
    await Promise.all(started.map((worker) => worker.ended))
    const commits = (await services?.commits(name)) ?? 0
    return { workers, isKilled, seconds, cpu_seconds, commits, swept_before, files }
  } finally {
    await connection.close()
    await temporal.stop()
  }
}

const lineOf = (one: Measured): string => {
  const { workers, isKilled, seconds, cpu_seconds, commits, swept_before } = one
  const cells = [
    `${workers}${isKilled ? ', one of them killed' : ''}`,
    seconds.toFixed(0),
    ((ACCOUNTS / seconds) * 60).toFixed(1),
    isKilled ? '' : cpu_seconds.toFixed(0),
    (commits / ACCOUNTS).toFixed(1),
    (commits / seconds).toFixed(1),
    String(swept_before),
  ]
  return `| ${cells.join(' | ')} |`
}

test('any number of workers makes the same packs of all accounts, and none waits for the huge one', async (context) => {
  if (!isThere) context.skip('PostgreSQL or moto is not installed')
  const found: Measured[] = []
  for (const [at, one] of CASES.entries()) {
    const took = await measured(one, `scale_${at}`)
    console.log(lineOf(took))
    found.push(took)
  }
  const [alone] = found
  for (const { workers, isKilled, files, swept_before } of found) {
    expect(files, `${workers} workers, ${isKilled}`).toEqual(alone?.files)
    // If the others waited for the huge account, most would be swept after its end.
    expect(swept_before).toBeGreaterThanOrEqual(ACCOUNTS / 2)
  }
  if (process.env['WRITE_EXAMPLES'] === undefined) return
  const today = new Date().toISOString().slice(0, 10)
  const lines = [
    `\`npm run test:scale\` on ${today}, on a machine of ${availableParallelism()} cores with a load of ${(loadavg()[0] ?? 0).toFixed(0)}.`,
    `There were ${ACCOUNTS} accounts. The huge one has ${HUGE.toLocaleString('en-US')} transactions, and each other one has ${SMALL}.`,
    '',
    '| workers | seconds | accounts a minute | CPU seconds of the workers | commits for each account | commits a second | accounts that were swept before the huge one ended |',
    '|---|---|---|---|---|---|---|',
    ...found.map(lineOf),
  ]
  writeSection('docs/scaling.md', 'test:scale', lines.join('\n'))
}, 7_200_000)
