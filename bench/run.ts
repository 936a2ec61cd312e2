/**
 * Measures a run with its pack over one account. Call: `npm run bench:run -- --transactions 1000000`. The last line
 * is JSON with medians of seconds, CPU seconds and peak memory.
 *
 * A separate process reads 425 days of history that were swept night by night. The process judges them, stores the
 * results, and publishes a pack of 35 days. `--beside FOLDER` also measures a checkout of another version, in turns,
 * over the same drawn history.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createPublish } from '../activities/publish.ts'
import { createReconcile } from '../activities/reconcile/reconcile.ts'
import { SharedLake } from '../activities/runtime/shared-lake.ts'
import { generate } from './generated-history.ts'
import { settingsIn } from './lake.ts'
import { recordStatements, type RunParts, runParts } from './run-parts.ts'
import { runMeasured } from './run-measured.ts'
import { median, timed } from './timed.ts'

const DAYS = 425

interface Measured {
  seconds: number
  cpu_seconds: number
  peak_rss_mb: number
  parts: RunParts
}

export async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      transactions: { type: 'string', default: '1000000' },
      /** Default: as many terminals as give each of them five hundred transactions a day. */
      terminals: { type: 'string' },
      'memory-limit': { type: 'string', default: '8GB' },
      rounds: { type: 'string', default: '3' },
      beside: { type: 'string' },
      /** Set for the child processes: the step, and the folder of the lake. */
      step: { type: 'string' },
      folder: { type: 'string' },
    },
  })
  const transactions = Number(values.transactions)
  const terminals = Number(values.terminals ?? Math.ceil(transactions / DAYS / 500))
  const limit = values['memory-limit']
  if (values.step === 'generate') await generated(values.folder ?? '', { transactions, terminals })
  else if (values.step !== undefined) await judged(values.folder ?? '', limit, values.step)
  if (values.step !== undefined) return 0
  const projects = [join(import.meta.dirname, '..'), ...(values.beside ? [values.beside] : [])]
  const found = await measured(projects, {
    args: process.argv.slice(2),
    rounds: Number(values.rounds),
  })
  for (const [project, rounds] of found) console.log(`${project} ${JSON.stringify(rounds)}`)
  console.log(
    JSON.stringify(Object.fromEntries([...found].map(([name, rounds]) => [name, medians(rounds)]))),
  )
  return 0
}

/** Lets each version make its own lake of the same history. Then the versions judge it in turns. */
async function measured(
  projects: readonly string[],
  { args, rounds }: { args: readonly string[]; rounds: number },
): Promise<Map<string, Measured[]>> {
  const folders = projects.map(() => mkdtempSync(join(tmpdir(), 'tieout-bench-')))
  const found = new Map(projects.map((project): [string, Measured[]] => [project, []]))
  const step = (project: string, at: number, name: string) =>
    runMeasured(
      [
        ...[join(project, 'bench', 'run.mjs'), join(project, 'bench', 'run.ts')],
        ...[...args, '--step', name, '--folder', folders[at] ?? ''],
      ],
      {},
    )
  try {
    for (const [at, project] of projects.entries()) await step(project, at, 'generate')
    for (let round = 0; round < rounds; round += 1) {
      for (const [at, project] of projects.entries()) {
        const { stdout, peak_rss_mb } = await step(project, at, `run-${round}`)
        found.get(project)?.push({ ...JSON.parse(stdout), peak_rss_mb })
      }
    }
    return found
  } finally {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  }
}

const medians = (rounds: readonly Measured[]): Omit<Measured, 'parts'> => ({
  seconds: median(rounds.map(({ seconds }) => seconds)),
  cpu_seconds: median(rounds.map(({ cpu_seconds }) => cpu_seconds)),
  peak_rss_mb: median(rounds.map(({ peak_rss_mb }) => peak_rss_mb)),
})

async function generated(
  folder: string,
  size: { transactions: number; terminals: number },
): Promise<void> {
  const shared = new SharedLake(settingsIn(folder).lake, () => {})
  try {
    await shared.connected(async (_lake, connection) => {
      await generate(connection, { ...size, days: DAYS, isSwept: true, isNightly: true })
      await connection.run(
        // The landing has all records that the sweeps listed, because a control total of the pack compares the two.
        `insert into lake.ops.landing
         select 3, 'bench', 't', 0, sum(records), 1, 0, timestamp '2026-11-20', '{}' from lake.ops.sweep`,
      )
    })
  } finally {
    await shared.close()
  }
}

async function judged(folder: string, memoryLimit: string, runId: string): Promise<void> {
  const settings = settingsIn(folder, { lake: { memoryLimit } })
  const shared = new SharedLake(settings.lake, () => {})
  try {
    await shared.lake()
    const statements = recordStatements()
    const { result, seconds, cpu_seconds } = await timed(async () => {
      const begun = performance.now()
      const run = {
        runId,
        account: 'bench',
        window: { from: '2026-09-26', to: '2026-10-31' },
        asOf: '2026-10-31T04:15:00Z',
      }
      await createReconcile(settings, shared)(run)
      const reconciled = performance.now()
      const { pack } = await createPublish(settings, shared)(run)
      return { pack, at: { begun, reconciled, published: performance.now() } }
    })
    const parts = runParts(statements, result.at, result.pack)
    console.log(JSON.stringify({ seconds, cpu_seconds, parts }))
  } finally {
    await shared.close()
  }
}
