/**
 * What a night costs that takes over what the night before left, beside a run over everything: one new day over fourteen
 * months, `npm run bench:night -- --transactions 1000000`. Both are checked to store the same rows; `--write-docs`
 * puts the figures into docs/performance.md. The last line is JSON.
 */
import type { DuckDBConnection } from '@duckdb/node-api'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createReconcile } from '../activities/reconcile.ts'
import { SharedLake } from '../activities/shared-lake.ts'
import type { Settings } from '../domain/settings.ts'
import { PACK_TABLES, storedIn } from '../lake/results.ts'
import { dropSeal } from '../lake/seal.ts'
import { generate } from './generated-history.ts'
import { settingsIn } from './lake.ts'
import { asCalled, writeNight } from './performance-page.ts'
import { runMeasured } from './run-measured.ts'
import { cpuSeconds, timed } from './timed.ts'

const DAYS = 425

/** What takes less in either of the runs is in the last line alone. */
const LEAST_SHOWN_S = 0.01

interface Measured {
  seconds: number
  cpu_seconds: number
  /** CPU seconds by model, each with what came before it. */
  models: Record<string, number>
}

/** The runs in their order, each by a process of its own as each night has one: what it knows, and how often everything is computed. */
const RUNS = {
  sealing: { knownAt: 2, wholeEvery: 100 },
  carried: { knownAt: 3, wholeEvery: 100 },
  whole: { knownAt: 3, wholeEvery: 1 },
} as const
type RunName = keyof typeof RUNS

export async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      transactions: { type: 'string', default: '1000000' },
      /** Without it as many as make five hundred transactions a day of each. */
      terminals: { type: 'string' },
      'memory-limit': { type: 'string', default: '8GB' },
      /** All of the past was read at once, and not night by night. */
      once: { type: 'boolean', default: false },
      'write-docs': { type: 'boolean', default: false },
      /** What a process of its own is told: its run, and the folder of the lake. */
      run: { type: 'string' },
      folder: { type: 'string' },
    },
  })
  const memoryLimit = values['memory-limit']
  if (values.run !== undefined && values.folder !== undefined) {
    const told = await judged(settingsOf(values.folder, memoryLimit), values.run as RunName)
    console.log(JSON.stringify(told))
    return 0
  }
  const transactions = Number(values.transactions)
  const terminals = Number(values.terminals ?? Math.ceil(transactions / DAYS / 500))
  const folder = mkdtempSync(join(tmpdir(), 'tieout-bench-'))
  const settings = settingsOf(folder, memoryLimit)
  const isOf = (run: RunName) =>
    inProcess(['--run', run, '--folder', folder, '--memory-limit', memoryLimit])
  try {
    await inLake(settings, (connection) =>
      generate(connection, {
        transactions,
        terminals,
        days: DAYS,
        isSwept: true,
        isNightly: !values.once,
      }),
    )
    const [sealing, carried, whole] = [
      await isOf('sealing'),
      await isOf('carried'),
      await isOf('whole'),
    ]
    const differing = await inLake(settings, differences)
    report({ transactions, carried, whole, sealing, differing })
    if (values['write-docs'] && differing.length === 0) {
      const called = asCalled('bench:night', process.argv.slice(2))
      writeNight(called, { transactions, terminals, whole, sealing, night: carried })
    }
    return differing.length === 0 ? 0 : 1
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const settingsOf = (folder: string, memoryLimit: string): Settings =>
  settingsIn(folder, { lake: { memoryLimit } })

async function inLake<T>(
  settings: Settings,
  work: (connection: DuckDBConnection) => Promise<T>,
): Promise<T> {
  const shared = new SharedLake(settings.lake, () => {})
  try {
    return await shared.connected(async (_lake, connection) => work(connection))
  } finally {
    await shared.close()
  }
}

async function inProcess(args: readonly string[]): Promise<Measured> {
  const program = [join(import.meta.dirname, 'run.mjs'), import.meta.filename]
  const { stdout } = await runMeasured([...program, ...args], {})
  return JSON.parse(stdout) as Measured
}

const landed = (connection: DuckDBConnection, seq: number) =>
  connection.run(
    `insert into lake.ops.landing values (${seq}, 'bench', 't', 0, 1, 1, 0, timestamp '2026-11-20', '{}')`,
  )

async function judged(settings: Settings, run: RunName): Promise<Measured> {
  const { knownAt, wholeEvery } = RUNS[run]
  await inLake(settings, async (connection) => {
    // To forget what was kept is no work of a run over everything.
    await (run === 'whole' ? dropSeal(connection, 'bench') : landed(connection, knownAt))
  })
  const shared = new SharedLake(settings.lake, () => {})
  await shared.lake()
  const models: Record<string, number> = {}
  let since = process.cpuUsage()
  const took = await timed(async () => {
    since = process.cpuUsage()
    await createReconcile({ ...settings, wholeEvery }, shared)(
      {
        runId: run,
        account: 'bench',
        window: { from: '2026-09-26', to: '2026-10-31' },
        asOf: '2026-10-31T04:15:00Z',
        knownAt: String(knownAt),
      },
      {
        heard(model) {
          models[model] = (models[model] ?? 0) + cpuSeconds(process.cpuUsage(since))
          since = process.cpuUsage()
        },
      },
    )
  })
  models['what is stored'] = cpuSeconds(process.cpuUsage(since))
  await shared.close()
  return { seconds: took.seconds, cpu_seconds: took.cpu_seconds, models }
}

/** The tables in which the two runs left different rows. */
async function differences(connection: DuckDBConnection): Promise<string[]> {
  const found: string[] = []
  for (const table of PACK_TABLES) {
    const rows = (runId: string) =>
      `select * exclude (run_id) from ${storedIn(table)} where run_id = '${runId}'`
    const reader = await connection.runAndReadAll(
      `((${rows('carried')}) except all (${rows('whole')})) union all ((${rows('whole')}) except all (${rows('carried')})) limit 1`,
    )
    if (reader.currentRowCount > 0) found.push(table)
  }
  return found
}

function report(found: {
  transactions: number
  carried: Measured
  whole: Measured
  sealing: Measured
  differing: readonly string[]
}): void {
  const { carried, whole, sealing, differing } = found
  const shares = Object.keys({ ...carried.models, ...whole.models })
    .map((model) => ({ model, one: whole.models[model] ?? 0, other: carried.models[model] ?? 0 }))
    .filter(({ one, other }) => Math.max(one, other) >= LEAST_SHOWN_S)
    .toSorted((a, b) => Math.max(b.one, b.other) - Math.max(a.one, a.other))
  for (const { model, one, other } of shares) {
    console.log(
      `${model.padEnd(44)}${one.toFixed(3).padStart(9)} s${other.toFixed(3).padStart(9)} s`,
    )
  }
  const line = (name: string, one: number, other: number) =>
    console.log(
      `${name.padEnd(44)}${one.toFixed(3).padStart(9)} s${other.toFixed(3).padStart(9)} s, ${(other / one).toFixed(3)}`,
    )
  line('the run, whole and carried', whole.seconds, carried.seconds)
  line('the same in CPU seconds', whole.cpu_seconds, carried.cpu_seconds)
  line('the run that seals, and carried', sealing.seconds, carried.seconds)
  line('the same in CPU seconds', sealing.cpu_seconds, carried.cpu_seconds)
  console.log(differing.length === 0 ? 'the same rows' : `differing: ${differing.join(', ')}`)
  console.log(JSON.stringify(found))
}
