/**
 * Measures how much a second worker speeds up one reconciliation, and two at a time. Call:
 * `npm run bench:workers -- --transactions 300000`. The last line is JSON.
 *
 * The lake's catalog lies in PostgreSQL, and its data in a shared folder, or with `--store` in an object store. Each
 * worker is a process bound to one core. The bench needs PostgreSQL and taskset.
 */
import { Connection, type Client } from '@temporalio/client'
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Run } from '../domain/run.ts'
import { openLake } from '../lake/connection/open.ts'
import { startServices } from '../test/support/services.ts'
import { startDevServer } from '../workers/temporal/dev-server.ts'
import { readSettings } from '../workers/config/settings.ts'
import { TASK_QUEUE } from '../workers/temporal/task-queue.ts'
import { generate } from './generated-history.ts'
import { encryptingClient } from '../test/support/encrypting-client.ts'
import { cpuSecondsOf } from './run-measured.ts'
import { median } from './timed.ts'

/** The cores, each of which runs a worker, and the number of simultaneous runs. */
interface Case {
  cores: readonly number[]
  runs: number
}

const CASES: readonly Case[] = [
  { cores: [0], runs: 1 },
  { cores: [0], runs: 2 },
  { cores: [0, 1], runs: 2 },
]
/** A worker needs the settings of a service, although none is called here. */
const SERVICE = {
  TIEOUT_BASE_URL: 'http://127.0.0.1:9/v1',
  TIEOUT_API_USER: 'nobody',
  TIEOUT_API_PASSWORD: 'nothing',
  TIEOUT_APPLICATION_KEY: 'nothing',
}

interface Measured extends Case {
  seconds: number
  /** CPU seconds of all workers, and of the busiest one. A second worker can't shorten the latter. */
  cpu_seconds: number
  busiest_cpu_seconds: number
  load: number
}

export async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      transactions: { type: 'string', default: '300000' },
      terminals: { type: 'string', default: '330' },
      days: { type: 'string', default: '60' },
      rounds: { type: 'string', default: '1' },
      store: { type: 'boolean', default: false },
    },
  })
  const size = {
    transactions: Number(values.transactions),
    terminals: Number(values.terminals),
    days: Number(values.days),
  }
  const folder = mkdtempSync(join(tmpdir(), 'tieout-bench-'))
  const services = await startServices()
  const temporal = await startDevServer(folder, { owner: 'worker', say: () => {} })
  const connection = await Connection.connect({ address: temporal.address })
  try {
    const env = {
      ...(await services.lake('bench')),
      ...(values.store ? {} : { TIEOUT_LAKE_DATA: join(folder, 'lake') }),
      TIEOUT_ACCOUNT: 'bench',
      TIEOUT_METRICS: 'off',
      ...SERVICE,
      TEMPORAL_ADDRESS: temporal.address,
    }
    await fill(env, size)
    console.log(
      '| workers | runs at a time | CPU seconds | of the busiest worker | seconds | load |',
    )
    console.log('|---|---|---|---|---|---|')
    const found: Measured[] = []
    for (const one of CASES) {
      const client = encryptingClient(connection, { cwd: folder, env })
      const took = await measured(one, { client, env, folder, rounds: Number(values.rounds) })
      found.push(took)
      console.log(lineOf(took))
    }
    console.log(JSON.stringify({ ...size, found }))
  } finally {
    await connection.close()
    await temporal.stop()
    await services.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  return 0
}

async function fill(env: Record<string, string>, size: Parameters<typeof generate>[1]) {
  Object.assign(process.env, env)
  const lake = await openLake(readSettings({}).lake)
  try {
    const connection = await lake.connect()
    await generate(connection, size)
    await connection.run(
      `insert into lake.ops.landing values (2, 'bench', 't', 0, 1, 1, 0, timestamp '2025-10-30', '{}')`,
    )
  } finally {
    lake.close()
  }
}

interface Place {
  client: Client
  env: Record<string, string>
  folder: string
  rounds: number
}

async function measured(one: Case, { client, env, folder, rounds }: Place): Promise<Measured> {
  const workers = await Promise.all(one.cores.map((core) => startWorker(core, env, folder)))
  const [took, cpu, busiest]: [number[], number[], number[]] = [[], [], []]
  for (let round = 0; round < rounds; round += 1) {
    const before = workers.map(cpuSeconds)
    const since_ms = performance.now()
    await reconciled(client, one)
    took.push((performance.now() - since_ms) / 1000)
    const used = workers.map((worker, at) => cpuSeconds(worker) - (before[at] ?? 0))
    cpu.push(used.reduce((sum, one) => sum + one, 0))
    busiest.push(Math.max(...used))
  }
  await Promise.all(workers.map((worker) => worker.stop()))
  return {
    ...one,
    seconds: median(took),
    cpu_seconds: median(cpu),
    busiest_cpu_seconds: median(busiest),
    load: loadavg()[0] ?? 0,
  }
}

let started = 0

async function reconciled(client: Client, { runs }: Case): Promise<void> {
  await Promise.all(
    Array.from({ length: runs }, () => {
      started += 1
      const run: Run = {
        runId: `run-${started}`,
        account: 'bench',
        window: { from: '2025-09-25', to: '2025-10-30' },
        asOf: '2025-10-30T04:15:00Z',
        knownAt: '2',
      }
      const workflowId = `bench/${started}`
      return client.workflow.execute('reconcile', {
        ...{ workflowId, taskQueue: TASK_QUEUE, args: [run] },
      })
    }),
  )
}

interface Working {
  pid: number
  stop(): Promise<void>
}

async function startWorker(
  core: number,
  env: Record<string, string>,
  folder: string,
): Promise<Working> {
  const cwd = join(folder, `worker-${core}`)
  mkdirSync(cwd, { recursive: true })
  writeFileSync(join(cwd, 'tieout.yaml'), 'duckdb: {threads: 1}\n')
  const program = join(import.meta.dirname, '..', 'bin', 'tieout.mjs')
  const child = spawn('taskset', ['-c', String(core), process.execPath, program, 'worker'], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  await new Promise<void>((resolve, reject) => {
    child.stderr.setEncoding('utf8').on('data', (piece: string) => {
      said += piece
      if (said.includes('worker ready')) resolve()
    })
    void ended.then(() => reject(new Error(`the worker ended: ${said}`)))
  })
  return {
    pid: child.pid ?? 0,
    stop: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** taskset replaces itself by the worker, so that the process id is the same. */
const cpuSeconds = ({ pid }: Working): number => cpuSecondsOf(pid)

function lineOf(took: Measured): string {
  const { cores, runs, seconds, cpu_seconds, busiest_cpu_seconds, load } = took
  const figures = [cpu_seconds, busiest_cpu_seconds, seconds, load].map((one) => one.toFixed(1))
  return `| ${[cores.length, runs, ...figures].join(' | ')} |`
}
