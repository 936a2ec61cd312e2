/**
 * Runs our engine and others in turns on the same Parquet, each in its own process. All must give the same answers.
 */
import type { DuckDBConnection } from '@duckdb/node-api'
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { median } from '../timed.ts'
import { FIRST_WINDOW_DAYS } from './three-stages.ts'

const PYTHON_PEERS = ['polars', 'polars_streaming', 'pandas', 'chdb', 'datacompy'] as const
export const PEERS: readonly string[] = [...PYTHON_PEERS, 'row_loop']
const TIMEOUT_MS = 1_800_000
/** Beyond this many rows the row loop no longer fits into the memory of a common machine. */
const ROW_LOOP_LIMIT = 12_000_000

export interface SideBySideOptions {
  /** An existing folder. The Parquet files are made in it, and removed. */
  folder: string
  transactions: number
  threads: number
  rounds: number
  /** The names from `PEERS` to run beside ours. */
  peers: readonly string[]
}

/** The result of a single run of one engine. */
interface Took {
  stages: Record<string, number>
  answers: Record<string, number[]>
  cpu_s: number
  /** Present for our engine only. */
  scan_cpu_s?: number
  peak_rss_mb: number
}

export interface PeerFigures {
  /**
   * `seconds` is the time of the three stages together. `ratio_to_ours` is the median of the ratios within each
   * round.
   */
  seconds: number
  cpu_s: number
  peak_rss_mb: number
  ratio_to_ours: number
  /** The same ratio in CPU time, which other work on the machine influences less. */
  cpu_ratio_to_ours: number
  /**
   * The work that was measured. A peer that only compares two tables of nets is compared with our own comparison of
   * them.
   */
  of: 'three stages' | 'compare'
}

export interface SideBySide {
  scan_s: number
  stages: Record<string, number>
  ratio_to_scan_three_stages: number
  cpu_ratio_to_scan_three_stages: number
  cpu_s: number
  peak_rss_mb: number
  rounds: number
  /**
   * The figures by engine. A text says why there are none: the engine is absent, it failed, or the history is too
   * large for it.
   */
  peers: Record<string, PeerFigures | string>
}

/**
 * Exports the lake's current records and lets all engines answer. Throws if an engine answers differently from ours.
 */
export async function sideBySide(
  connection: DuckDBConnection,
  options: SideBySideOptions,
): Promise<SideBySide> {
  await exportTables(connection, options.folder)
  try {
    const runs = new Map<string, Took[]>()
    const absent: Record<string, string> = {}
    for (let round = 0; round < options.rounds; round += 1) {
      for (const name of ['duckdb', ...options.peers]) {
        const took = absent[name] === undefined ? runPeer(name, options) : absent[name]
        if (typeof took === 'string') absent[name] = took
        else runs.set(name, [...(runs.get(name) ?? []), took])
      }
    }
    return { ...figures(runs), rounds: options.rounds, peers: { ...peersOf(runs), ...absent } }
  } finally {
    for (const file of ['transaction', 'settlement', 'computed']) {
      rmSync(join(options.folder, `${file}.parquet`), { force: true })
    }
  }
}

/** Exports the current state of each record as the models see it, in the order of landing. */
async function exportTables(connection: DuckDBConnection, folder: string): Promise<void> {
  await connection.run(
    `copy (select transaction_id, terminal_id, created, action, status, approved, settled, total_cents, coarse_key, fine_key, invoice_number
       from current_transaction) to '${join(folder, 'transaction.parquet')}' (compression zstd)`,
  )
  await connection.run(
    `copy (select settlement_id, terminal_id, created, reported_cents from current_settlement)
     to '${join(folder, 'settlement.parquet')}' (compression zstd)`,
  )
}

function runPeer(name: string, options: SideBySideOptions): Took | string {
  const { folder, threads, transactions } = options
  if (name === 'row_loop' && transactions > ROW_LOOP_LIMIT)
    return 'not run: too large for its memory'
  if (isPython(name)) {
    const module = name.replace('_streaming', '')
    const probe = spawnSync('python3', ['-c', `import ${module}`], { stdio: 'ignore' })
    if (probe.status !== 0) return 'absent: not installed'
  }
  const [command, ...args] = isPython(name)
    ? ['python3', 'bench/peers/peer.py', name, folder, String(threads), String(FIRST_WINDOW_DAYS)]
    : [
        process.execPath,
        '--max-old-space-size=16000',
        'bench/run.mjs',
        name === 'duckdb' ? 'bench/peers/duckdb.ts' : 'bench/peers/row-loop.ts',
        folder,
        String(threads),
      ]
  const { status, stdout, stderr } = spawnSync(command ?? '', args, {
    encoding: 'utf8',
    timeout: TIMEOUT_MS,
    maxBuffer: 1 << 26,
  })
  if (status !== 0) {
    const lines = stderr.trim().split('\n')
    const why = lines.findLast((line) => line.includes('Error')) ?? lines.at(-1) ?? ''
    // Our own engine must not fail, because its answers are the reference. A failure of another engine is shown on
    // the page.
    if (name === 'duckdb') throw new Error(`the models failed: ${why}`)
    return `failed: ${why.slice(0, 120)}`
  }
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Took
}

const isPython = (name: string) => PYTHON_PEERS.some((peer) => peer === name)

/** Returns our own figures: medians of each stage. */
function figures(runs: ReadonlyMap<string, Took[]>): Omit<SideBySide, 'peers' | 'rounds'> {
  const ours = runs.get('duckdb') ?? []
  const names = Object.keys(ours[0]?.stages ?? {})
  const stages = Object.fromEntries(
    names.map((stage) => [stage, median(ours.map((took) => took.stages[stage] ?? Number.NaN))]),
  )
  const { scan: scan_s = Number.NaN, ...others } = stages
  return {
    scan_s,
    stages: others,
    ratio_to_scan_three_stages: median(
      ours.map((took) => threeOf(took) / (took.stages['scan'] ?? 0)),
    ),
    cpu_ratio_to_scan_three_stages: median(
      ours.map((took) => took.cpu_s / (took.scan_cpu_s ?? Number.NaN)),
    ),
    cpu_s: median(ours.map((took) => took.cpu_s)),
    peak_rss_mb: Math.max(...ours.map((took) => took.peak_rss_mb)),
  }
}

function peersOf(runs: ReadonlyMap<string, Took[]>): Record<string, PeerFigures> {
  const ours = runs.get('duckdb') ?? []
  const peers = [...runs].filter(([name]) => name !== 'duckdb')
  return Object.fromEntries(
    peers.map(([name, all]) => {
      const isCompare = name === 'datacompy'
      const seconds = (took: Took) => (isCompare ? (took.stages['compare'] ?? 0) : threeOf(took))
      for (const [round, took] of all.entries()) sameAnswers(name, took, ours[round])
      return [
        name,
        {
          of: isCompare ? 'compare' : 'three stages',
          seconds: median(all.map(seconds)),
          cpu_s: median(all.map((took) => took.cpu_s)),
          peak_rss_mb: Math.max(...all.map((took) => took.peak_rss_mb)),
          ratio_to_ours: median(
            all.map((took, round) => seconds(took) / seconds(ours[round] ?? took)),
          ),
          cpu_ratio_to_ours: median(
            all.map((took, round) => took.cpu_s / (ours[round] ?? took).cpu_s),
          ),
        },
      ]
    }),
  )
}

/** Throws an error with the stage and both answers if a stage of the peer answers differently from ours. */
export function sameAnswers(
  name: string,
  peer: Pick<Took, 'answers'>,
  ours: Pick<Took, 'answers'> | undefined,
): void {
  for (const [stage, answer] of Object.entries(peer.answers)) {
    const [said, wanted] = [answer.join(' '), ours?.answers[stage]?.join(' ')]
    if (said !== wanted)
      throw new Error(`${name} answers ${stage} with ${said}, and we with ${wanted}`)
  }
}

const THREE = ['read', 'window', 'ceiling', 'duplicates', 'together']
const threeOf = ({ stages }: Took): number =>
  THREE.reduce((sum, stage) => sum + (stages[stage] ?? 0), 0)
