/**
 * Measures where a night of a small merchant spends its time: `npm run bench:small-night`. The last line is JSON.
 *
 * A simulated service has 20 terminals over 14 months. The first night reads all of it and is not measured. Then each
 * round moves the service on by a day, and runs one night as the built program, so `npm run build` comes first. After
 * each night the same models run bare: on one connection, over plain tables in memory.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { DuckDBConnection } from '@duckdb/node-api'
import type { Settings } from '../domain/settings.ts'
import { openLake } from '../lake/connection/open.ts'
import { knowledgeFor } from '../lake/results/knowledge.ts'
import { knownRows, readersByInput } from '../lake/run/bind-inputs.ts'
import { readModels, runModels } from '../lake/run/models.ts'
import { prepareRunModels } from '../lake/run/run-all.ts'
import { startSimulator, type Simulator } from '../simulator/service/server.ts'
import { simulatorOptions } from '../simulator/world/options.ts'
import { readSettings } from '../workers/config/settings.ts'
import { partsOf, type Night, type Trace } from './night-parts.ts'
import { asCalled, writeSmallNight } from './performance-page.ts'
import { median, timed, type Took } from './timed.ts'

const DAYS = 426
const DAY_MS = 86_400_000
const ROOT = join(import.meta.dirname, '..')

export interface SmallNight {
  transactions: number
  nights: readonly Night[]
  bare: readonly Took[]
}

export async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      transactions: { type: 'string', default: '100000' },
      terminals: { type: 'string', default: '20' },
      rounds: { type: 'string', default: '3' },
      'write-docs': { type: 'boolean', default: false },
    },
  })
  const found: SmallNight[] = []
  for (const transactions of values.transactions.split(',').map(Number)) {
    const size = { transactions, terminals: Number(values.terminals) }
    const night = await measured(size, Number(values.rounds))
    report(night)
    found.push(night)
  }
  if (values['write-docs']) {
    writeSmallNight(asCalled('bench:small-night', process.argv.slice(2)), found)
  }
  console.log(JSON.stringify(found))
  return 0
}

async function measured(
  size: { transactions: number; terminals: number },
  rounds: number,
): Promise<SmallNight> {
  const folder = mkdtempSync(join(tmpdir(), 'tieout-bench-'))
  const options = simulatorOptions({ seed: 7, ...size, days: DAYS })
  const end_ms = Date.parse(`${options.from}T04:15:00Z`) + DAYS * DAY_MS
  const asOf = (night: number) => new Date(end_ms - (rounds - night) * DAY_MS).toISOString()
  const simulator = await startSimulator(options, { now: asOf(0) })
  const env = environmentOf(simulator, options.credentials, folder)
  const found: SmallNight = { transactions: size.transactions, nights: [], bare: [] }
  try {
    await night(env, asOf(0), folder)
    const nights: Night[] = []
    const bare: Took[] = []
    for (let round = 1; round <= rounds; round += 1) {
      simulator.advanceTo(asOf(round))
      nights.push(await night(env, asOf(round), folder))
      bare.push(await bareModels(readSettings({}, 'lake', env), asOf(round)))
    }
    return { ...found, nights, bare }
  } finally {
    await simulator.stop()
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

const environmentOf = (
  simulator: Simulator,
  { user, password, applicationKey }: Record<'applicationKey' | 'password' | 'user', string>,
  folder: string,
): Record<string, string> => ({
  TIEOUT_BASE_URL: simulator.url,
  TIEOUT_API_USER: user,
  TIEOUT_API_PASSWORD: password,
  TIEOUT_APPLICATION_KEY: applicationKey,
  TIEOUT_LAKE: join(folder, 'lake'),
  TIEOUT_OUT: join(folder, 'out'),
})

/** Runs one night as a process of its own, and returns its parts. */
async function night(env: Record<string, string>, asOf: string, folder: string): Promise<Night> {
  const file = join(folder, 'trace.json')
  const since_ms = performance.now()
  const child = spawn(
    process.execPath,
    [
      ...['--import', join(ROOT, 'bench', 'trace-night.mjs')],
      ...[join(ROOT, 'bin', 'tieout.mjs'), 'run', '--as-of', asOf],
    ],
    { env: { ...process.env, ...env, TIEOUT_TEST_TRACE: file }, stdio: 'ignore' },
  )
  const code = await new Promise((resolve) => child.once('close', resolve))
  const seconds = (performance.now() - since_ms) / 1000
  if (code !== 0) throw new Error(`the night ended with ${String(code)}`)
  const trace: Trace = JSON.parse(readFileSync(file, 'utf8'))
  return partsOf(trace, seconds)
}

/** Runs all models of the newest night over copies of their inputs, and returns their time without the copies. */
async function bareModels(settings: Settings, asOf: string): Promise<Took> {
  const lake = await openLake(settings.lake, { create: false, readOnly: true })
  try {
    const connection = await lake.connect()
    const to = asOf.slice(0, 10)
    const from = new Date(Date.parse(to) - settings.lookbackDays * DAY_MS).toISOString()
    const run = {
      ...{ runId: 'bare', account: settings.account, asOf },
      window: { from: from.slice(0, 10), to },
    }
    const knowledge = await knowledgeFor(connection, settings.account, undefined)
    await prepareRunModels(connection, { settings, run, knowledge })
    await copyInputs(connection)
    await connection.run('detach lake')
    const { seconds, cpu_seconds } = await timed(() => runModels(connection, readModels()))
    connection.closeSync()
    return { seconds, cpu_seconds }
  } finally {
    lake.close()
  }
}

async function copyInputs(connection: DuckDBConnection): Promise<void> {
  for (const input of readersByInput(readModels()).keys()) {
    await connection.run(`create temp table ${input} as ${knownRows(input)}`)
  }
}

function report({ transactions, nights, bare }: SmallNight): void {
  console.log(`${transactions.toLocaleString('en-US')} transactions`)
  const beyond = nights.map(({ beyond_seconds }, at) => beyond_seconds / (bare[at]?.seconds ?? 0))
  const cpu = nights.map(({ cpu_seconds }, at) => cpu_seconds / (bare[at]?.cpu_seconds ?? 0))
  for (const part of Object.keys(nights[0]?.parts ?? {})) {
    const seconds = median(nights.map(({ parts }) => parts[part] ?? 0))
    console.log(`  ${part.padEnd(40)} ${seconds.toFixed(2)} s`)
  }
  console.log(
    `  beyond the requests ${median(nights.map((one) => one.beyond_seconds)).toFixed(2)} s, ${median(beyond).toFixed(2)} x the bare models of ${median(bare.map(({ seconds }) => seconds)).toFixed(2)} s, ${median(cpu).toFixed(2)} x by CPU time`,
  )
}
