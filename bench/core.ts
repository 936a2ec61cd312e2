/**
 * Measures the reconciliation against a plain scan of the columns that it needs, on a generated history. Call:
 * `npm run bench:core -- --transactions 1000000`. Prints a table by stage for the median round, and JSON as the last
 * line.
 *
 * Each of `--rounds` rounds measures the scans and the models. Then three stages run on our engine and on others,
 * `--peer-rounds` times; `--without-peers` leaves the others out. `--nightly` draws a history of nightly sweeps, and not
 * one that a single sweep read. `--keep` names a folder in which the history stays for the next call. `--write-docs`
 * puts the figures into docs/performance.md, if the page has a place for a call like this.
 */
import type { DuckDBConnection } from '@duckdb/node-api'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { neededFor, readModels, runModels } from '../lake/run/models.ts'
import { bindInputs } from '../lake/run/bind-inputs.ts'
import { openLake } from '../lake/connection/open.ts'
import { type Lake } from '../lake/connection/lake.ts'
import { withLargeInSpill, withScratch, type Scratch } from '../lake/run/spill-database.ts'
import { dropAfterLastReader } from '../lake/run/last-reader.ts'
import { generate, prepareHistory, type HistorySize } from './generated-history.ts'
import { lakeIn } from './lake.ts'
import { PEERS, sideBySide, type SideBySide } from './peers/side-by-side.ts'
import { asCalled, writeCore } from './performance-page.ts'
import { median, timed, cpuSeconds } from './timed.ts'

/** More landings than any history of this bench has. */
const ALL_LANDINGS = 1_000_000n

/** Scans of each round. */
const SCANS = 3

interface Stage {
  model: string
  seconds: number
  /** CPU seconds of all threads. Other work on the machine influences them less than wall time. */
  cpu_s: number
}

/** Medians of one round's scans. */
interface Scan {
  seconds: number
  cpu_s: number
}

/** The scans, and all models after them. */
interface Round {
  scan: Scan
  whole_scan: Scan
  stages: readonly Stage[]
  seconds: number
  cpu_s: number
}

export async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      transactions: { type: 'string', default: '1000000' },
      terminals: { type: 'string', default: '330' },
      days: { type: 'string', default: '60' },
      'memory-limit': { type: 'string', default: '8GB' },
      rounds: { type: 'string', default: '5' },
      'peer-rounds': { type: 'string', default: '3' },
      keep: { type: 'string' },
      'without-peers': { type: 'boolean', default: false },
      nightly: { type: 'boolean', default: false },
      'write-docs': { type: 'boolean', default: false },
    },
  })
  const folder = mkdtempSync(join(tmpdir(), 'tieout-bench-'))
  const transactions = Number(values.transactions)
  const [terminals, days] = [Number(values.terminals), Number(values.days)]
  const landings = values.nightly ? 'nightly' : 'one'
  const size: HistorySize = { transactions, terminals, days, landings }
  const lake = await lakeWith(size, values.keep ?? folder, values['memory-limit'])
  try {
    const rounds: Round[] = []
    let peak_rss_mb = Number.NaN
    let peers: SideBySide | undefined
    const count = Number(values.rounds)
    for (let i = 0; i < count; i += 1) {
      await oneRound(lake, async (round, connection) => {
        rounds.push(round)
        if (i < count - 1) return
        peak_rss_mb = Math.round(process.resourceUsage().maxRSS / 1024)
        peers = await sideBySide(connection, {
          folder,
          transactions,
          threads: 2,
          rounds: Number(values['peer-rounds']),
          peers: values['without-peers'] ? [] : PEERS,
        })
      })
    }
    const measured = { transactions, rounds, peak_rss_mb, peers }
    report(measured)
    if (values['write-docs']) writePage(measured, size, values['memory-limit'])
  } finally {
    lake.close()
    rmSync(folder, { recursive: true, force: true })
  }
  return 0
}

async function connected<T>(
  lake: Lake,
  work: (connection: DuckDBConnection) => Promise<T>,
): Promise<T> {
  const connection = await lake.connect()
  try {
    return await work(connection)
  } finally {
    connection.closeSync()
  }
}

/** Runs one round, and passes it to `ended` before its tables are dropped. */
const oneRound = (
  lake: Lake,
  ended: (round: Round, connection: DuckDBConnection) => Promise<void>,
): Promise<void> =>
  connected(lake, async (connection) => {
    const scan = await medianScan(connection, NEEDED)
    const whole_scan = await medianScan(connection, ALL_COLUMNS)
    await withScratch(lake.settings, connection, async (scratch) => {
      const stages = await timeModels(connection, scratch)
      const sum = (took: (stage: Stage) => number) =>
        stages.reduce((all, stage) => all + took(stage), 0)
      const round = {
        scan,
        whole_scan,
        stages,
        seconds: sum(({ seconds }) => seconds),
        cpu_s: sum(({ cpu_s }) => cpu_s),
      }
      await ended(round, connection)
    })
  })

/** Returns the round with the median ratio; of two middle ones, the lower. */
function middle(rounds: readonly Round[]): Round {
  const ratio = ({ seconds, scan }: Round) => seconds / scan.seconds
  const found = rounds.toSorted((a, b) => ratio(a) - ratio(b))[Math.floor((rounds.length - 1) / 2)]
  if (found === undefined) throw new Error('--rounds must be at least 1')
  return found
}

function writePage(
  { rounds, peak_rss_mb, peers }: Measured,
  size: HistorySize,
  memory_limit: string,
): void {
  const { scan, stages, cpu_s } = middle(rounds)
  writeCore(asCalled('bench:core', process.argv.slice(2)), {
    ...size,
    memory_limit,
    rounds: rounds.map((round) => round.seconds / round.scan.seconds),
    scan_s: scan.seconds,
    cpu_ratio_to_scan: cpu_s / scan.cpu_s,
    stages: secondsByModel(stages),
    peak_rss_mb,
    sideBySide: peers,
  })
}

/**
 * Opens the lake with the history, and generates it if needed. Throws if the folder holds a history of another size.
 */
async function lakeWith(size: HistorySize, folder: string, memoryLimit: string): Promise<Lake> {
  const isThere = existsSync(join(folder, 'catalog.sqlite'))
  const lake = await openLake(lakeIn(folder, memoryLimit))
  const stored = await connected(lake, async (connection) => {
    if (!isThere) {
      const { seconds, cpu_seconds } = await timed(() => generate(connection, size))
      console.log(`history made in ${seconds.toFixed(0)} s, ${cpu_seconds.toFixed(0)} s by CPU`)
    }
    const reader = await connection.runAndReadAll(
      'select count(distinct transaction_id) from lake.seen.transaction_version',
    )
    return Number(reader.getRows()[0]?.[0])
  })
  if (stored === size.transactions) return lake
  lake.close()
  throw new Error(`${folder} holds another history`)
}

interface Measured {
  transactions: number
  rounds: readonly Round[]
  peak_rss_mb: number
  peers: SideBySide | undefined
}

const secondsByModel = (stages: readonly Stage[]) =>
  Object.fromEntries(stages.map(({ model, seconds }) => [model, seconds]))

function report({ transactions, rounds, peak_rss_mb, peers }: Measured): void {
  const { scan, whole_scan, stages, seconds: total_s, cpu_s: total_cpu_s } = middle(rounds)
  const scan_s = scan.seconds
  for (const { model, seconds, cpu_s } of stages
    .toSorted((a, b) => b.cpu_s - a.cpu_s)
    .slice(0, 20)) {
    const scans = (cpu_s / scan.cpu_s).toFixed(2)
    console.log(`${model.padEnd(44)}${seconds.toFixed(3).padStart(9)} s${scans.padStart(8)} scans`)
  }
  console.log(`${'plain scan of the columns'.padEnd(44)}${scan_s.toFixed(3).padStart(9)} s`)
  console.log(
    `${'plain scan of all columns asked for'.padEnd(44)}${whole_scan.seconds.toFixed(3).padStart(9)} s`,
  )
  console.log(`${'all models'.padEnd(44)}${total_s.toFixed(3).padStart(9)} s`)
  for (const [i, { seconds, cpu_s, scan: before }] of rounds.entries()) {
    const [scans, cpu_scans] = [seconds / before.seconds, cpu_s / before.cpu_s]
    console.log(
      `${`all models, round ${i + 1}`.padEnd(44)}${seconds.toFixed(3).padStart(9)} s${scans.toFixed(2).padStart(8)} scans, ${cpu_scans.toFixed(2)} in CPU time`,
    )
  }
  if (peers !== undefined) {
    console.log(
      `three stages, with reading: ${peers.ratio_to_scan_three_stages.toFixed(2)} scans of their columns, ${peers.cpu_ratio_to_scan_three_stages.toFixed(2)} in CPU time`,
    )
  }
  for (const [name, peer] of Object.entries(peers?.peers ?? {})) {
    const figure =
      typeof peer === 'string'
        ? peer
        : `${peer.seconds.toFixed(3).padStart(9)} s, ${peer.ratio_to_ours.toFixed(2)} of ours (${peer.cpu_ratio_to_ours.toFixed(2)} in CPU time)`
    console.log(`${`peer ${name}`.padEnd(44)}${figure}`)
  }
  console.log(
    JSON.stringify({
      transactions,
      ratio_to_scan: total_s / scan_s,
      cpu_ratio_to_scan: total_cpu_s / scan.cpu_s,
      rounds: rounds.map((round) => round.seconds / round.scan.seconds),
      ratio_to_scan_of_all_columns: total_s / whole_scan.seconds,
      ratio_to_scan_three_stages: peers?.ratio_to_scan_three_stages,
      rows_per_second: Math.round(transactions / total_s),
      peak_rss_mb,
      scan_s,
      scan_cpu_s: scan.cpu_s,
      cpu_s: total_cpu_s,
      stages: secondsByModel(stages),
      side_by_side: peers,
      ratio_to_peer: Object.fromEntries(
        Object.entries(peers?.peers ?? {}).flatMap(([name, peer]) =>
          typeof peer === 'string' ? [] : [[name, peer.ratio_to_ours]],
        ),
      ),
    }),
  )
}

/** Runs and times the models as a run does: the lake's small tables are copied first. */
async function timeModels(
  connection: DuckDBConnection,
  scratch: Scratch | undefined,
): Promise<Stage[]> {
  await prepareHistory(connection, ALL_LANDINGS)
  const stages: Stage[] = []
  let since = process.cpuUsage()
  const ended = (model: string, took_ms: number) => {
    stages.push({ model, seconds: took_ms / 1000, cpu_s: cpuSeconds(process.cpuUsage(since)) })
    since = process.cpuUsage()
  }
  const since_ms = performance.now()
  const models = withLargeInSpill(dropAfterLastReader(readModels()), scratch)
  await bindInputs(connection, models)
  ended('small tables of the lake', performance.now() - since_ms)
  // The models of books and files are not measured.
  const core = neededFor(models, ['finding', 'transaction_standing']).filter(
    ({ name }) => name !== 'finding',
  )
  await runModels(connection, core, ({ stage, name }, took_ms) =>
    ended(`${stage}/${name}`, took_ms),
  )
  return stages
}

/** The columns that attribution, ceiling and duplicates need. */
const NEEDED = `sum(transaction_id), sum(terminal_id), max(action), max(status), bool_or(approved), bool_or(settled),
  max(created), max(last_modified), sum(total_cents), max(last_four), max(billing_key)`

/** The columns that all models together read. */
const ALL_COLUMNS = `${NEEDED}, max(account), max(landing_seq), max(ordinal), max(observed_at), max(explicit_settlement_id),
  sum(base_cents), sum(tax_cents), sum(shipping_cents), sum(tip_cents), sum(surcharge_cents), max(surcharge_percentage),
  max(ach_type), max(invoice_number), max(vault_type), max(account_type)`

/** Reads the columns from Parquet several times. Returns the medians. */
async function medianScan(connection: DuckDBConnection, columns: string): Promise<Scan> {
  const took: Scan[] = []
  for (let i = 0; i < SCANS; i += 1) {
    const [since, since_ms] = [process.cpuUsage(), performance.now()]
    await connection.run(`select ${columns} from lake.seen.transaction_version`)
    const seconds = (performance.now() - since_ms) / 1000
    took.push({ seconds, cpu_s: cpuSeconds(process.cpuUsage(since)) })
  }
  return {
    seconds: median(took.map(({ seconds }) => seconds)),
    cpu_s: median(took.map(({ cpu_s }) => cpu_s)),
  }
}
