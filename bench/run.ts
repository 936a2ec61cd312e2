/**
 * Measures a run with its pack over one account. Call: `npm run bench:run -- --transactions 1000000`, or several sizes
 * with commas between them. The last line is JSON with medians of seconds, CPU seconds, memory and disk.
 *
 * A separate process reads 425 days of history that were swept night by night. The process judges them, stores the
 * results, and publishes a pack of 35 days. `--beside FOLDER` also measures a checkout of another version, in turns,
 * over the same drawn history. `--write-docs` puts the table into docs/scaling.md, if it has a place for this call.
 */
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createPublish } from '../activities/publish.ts'
import { createReconcile } from '../activities/reconcile/reconcile.ts'
import { SharedLake } from '../activities/runtime/shared-lake.ts'
import { generate } from './generated-history.ts'
import { settingsIn } from './lake.ts'
import { asCalled, writeRuns } from './performance-page.ts'
import { type RunParts, runParts } from './run-parts.ts'
import { recordStatements } from './traced.mjs'
import { runMeasured } from './run-measured.ts'
import { median, timed } from './timed.ts'

const DAYS = 425
const LOOK_EVERY_MS = 2000

interface Measured {
  seconds: number
  cpu_seconds: number
  peak_rss_mb: number
  /** The largest size of lake, scratch files and pack together. */
  peak_disk_mb: number
  parts: RunParts
}

/** A size and its rounds, of one version. */
export interface MeasuredRuns {
  transactions: number
  terminals: number
  memory_limit: string
  generate_seconds: number
  /** The Parquet files of the lake before the first run. */
  lake_mb: number
  rounds: Measured[]
}

export async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      transactions: { type: 'string', default: '1000000' },
      terminals: { type: 'string' },
      'memory-limit': { type: 'string', default: '8GB' },
      rounds: { type: 'string', default: '3' },
      beside: { type: 'string' },
      'write-docs': { type: 'boolean', default: false },
      /** Set for the child processes: the step, and the folder of the lake. */
      step: { type: 'string' },
      folder: { type: 'string' },
    },
  })
  const { step, folder = '', 'memory-limit': memory_limit } = values
  const sizes = values.transactions.split(',').map((size) => {
    const transactions = Number(size)
    // So many that each has five hundred transactions a day.
    const usual = Math.ceil(transactions / DAYS / 500)
    return { transactions, terminals: Number(values.terminals ?? usual) }
  })
  const [only] = sizes
  if (step !== undefined && only !== undefined) {
    await (step === 'generate' ? generated(folder, only) : judged(folder, memory_limit, step))
    return 0
  }
  const projects = [join(import.meta.dirname, '..'), ...(values.beside ? [values.beside] : [])]
  const ours: MeasuredRuns[] = []
  for (const size of sizes) {
    const found = await measured(projects, {
      ...size,
      memory_limit,
      rounds: Number(values.rounds),
    })
    for (const [project, runs] of found) {
      console.log(`${project} ${JSON.stringify(runs)}`)
      console.log(JSON.stringify({ project, ...size, ...medians(runs.rounds) }))
    }
    ours.push(...found.slice(0, 1).map(([, runs]) => runs))
  }
  if (values['write-docs']) writeRuns(asCalled('bench:run', process.argv.slice(2)), ours)
  return 0
}

type Size = Pick<MeasuredRuns, 'transactions' | 'terminals' | 'memory_limit'>

/** Lets each version make its own lake of the same history. Then the versions judge it in turns. */
async function measured(
  projects: readonly string[],
  { rounds, ...size }: Size & { rounds: number },
): Promise<[string, MeasuredRuns][]> {
  const places = projects.map((project) => ({
    project,
    folder: mkdtempSync(join(tmpdir(), 'tieout-bench-')),
  }))
  const step = ({ project, folder }: (typeof places)[number], name: string) =>
    runMeasured(
      [
        ...[join(project, 'bench', 'run.mjs'), join(project, 'bench', 'run.ts')],
        ...['--transactions', String(size.transactions), '--terminals', String(size.terminals)],
        ...['--memory-limit', size.memory_limit, '--step', name, '--folder', folder],
      ],
      {},
    )
  try {
    const found: [string, MeasuredRuns][] = []
    for (const place of places) {
      const { seconds: generate_seconds } = await step(place, 'generate')
      const lake_mb = megabytesBelow(join(place.folder, 'lake', 'parquet'))
      found.push([place.project, { ...size, generate_seconds, lake_mb, rounds: [] }])
    }
    for (let round = 0; round < rounds; round += 1) {
      for (const [at, place] of places.entries()) {
        const disk = watchDisk(place.folder)
        try {
          const { stdout, peak_rss_mb } = await step(place, `run-${round}`)
          const measures = { peak_rss_mb, peak_disk_mb: disk.peak_mb() }
          found[at]?.[1].rounds.push({ ...JSON.parse(stdout), ...measures })
        } finally {
          disk.end()
        }
      }
    }
    return found
  } finally {
    for (const { folder } of places) rmSync(folder, { recursive: true, force: true })
  }
}

/** Looks at a folder's size from now on. The size includes the results of earlier rounds. */
function watchDisk(folder: string): { peak_mb: () => number; end: () => void } {
  let peak_mb = 0
  const look = () => (peak_mb = Math.max(peak_mb, megabytesBelow(folder)))
  const looking = setInterval(look, LOOK_EVERY_MS)
  return { peak_mb: look, end: () => clearInterval(looking) }
}

/** The size of all files below a folder. A run removes some of them while they are listed. */
function megabytesBelow(folder: string): number {
  const sizeOf = (path: string): number => {
    try {
      const found = statSync(path)
      if (!found.isDirectory()) return found.size
      return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0)
    } catch {
      return 0
    }
  }
  return Math.round(sizeOf(folder) / 1_000_000)
}

const medians = (rounds: readonly Measured[]): Omit<Measured, 'parts'> => ({
  seconds: median(rounds.map(({ seconds }) => seconds)),
  cpu_seconds: median(rounds.map(({ cpu_seconds }) => cpu_seconds)),
  peak_rss_mb: median(rounds.map(({ peak_rss_mb }) => peak_rss_mb)),
  peak_disk_mb: median(rounds.map(({ peak_disk_mb }) => peak_disk_mb)),
})

async function generated(
  folder: string,
  size: { transactions: number; terminals: number },
): Promise<void> {
  const shared = new SharedLake(settingsIn(folder).lake, () => {})
  try {
    await shared.connected((_lake, connection) =>
      generate(connection, { ...size, days: DAYS, landings: 'nightly' }),
    )
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
