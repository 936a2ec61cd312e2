/**
 * How long the reconciliation takes beside a plain scan of the columns that it needs, on a generated history:
 * `npm run bench:core -- --transactions 1000000`. A table by stage, then other engines on three stages of it (`--without-peers`
 * leaves them out, `--rounds` is how often each runs); `--parts` divides the run, one part after the other; `--write-docs` puts the figures into docs/performance.md. The last line is JSON.
 */
import type { DuckDBConnection } from '@duckdb/node-api'
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { prepareModels, readModels, runModels, type Model } from '../lake/models.ts'
import { readNear } from '../lake/near.ts'
import { openLake, type Lake } from '../lake/open.ts'
import { writeHomes } from '../lake/shard-home.ts'
import { division, runPart, runWhole, type Parts } from '../lake/shards.ts'
import { droppingSpent } from '../lake/spent.ts'
import { lakeIn } from './lake.ts'
import { sideBySide, type SideBySide } from './peers/side-by-side.ts'
import { writeFigures } from './performance-page.ts'

const SCANS = 5
/** Attribution by window with its flags, refund ceiling, duplicates: what other engines are compared on. */
const THREE_STAGES = /^(2\d_|18_|19_coarse|39_ceiling|30_|31_member|40_findings\/duplicate)/

interface Stage {
  model: string
  seconds: number
  /** Of all threads; other work on the machine moves it less. */
  cpu_s: number
}

/** The plain scan: medians. */
interface Scan {
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
      rounds: { type: 'string', default: '3' },
      parts: { type: 'string', default: '1' },
      'without-peers': { type: 'boolean', default: false },
      'write-docs': { type: 'boolean', default: false },
    },
  })
  const folder = mkdtempSync(join(tmpdir(), 'tieout-bench-'))
  const lake = await openLake(lakeIn(folder, values['memory-limit']))
  try {
    const connection = await lake.connect()
    const transactions = Number(values.transactions)
    await generate(connection, {
      transactions,
      terminals: Number(values.terminals),
      days: Number(values.days),
    })
    const scan = await medianScan(connection)
    const shards = Number(values.parts)
    const stages =
      shards === 1
        ? await timeModels(connection)
        : await timeParts(lake, { folder: join(folder, 'parts'), shards, attempts: [] })
    const peak_rss_mb = Math.round(process.resourceUsage().maxRSS / 1024)
    const peers = values['without-peers']
      ? undefined
      : await sideBySide(connection, {
          folder,
          transactions,
          threads: 2,
          rounds: Number(values.rounds),
        })
    report({ transactions, scan, stages, peak_rss_mb, peers })
    if (values['write-docs']) {
      writeFigures('docs/performance.md', {
        transactions,
        terminals: Number(values.terminals),
        days: Number(values.days),
        scan_s: scan.seconds,
        cpu_ratio_to_scan: cpuRatio(stages, scan),
        stages: secondsByModel(stages),
        peak_rss_mb,
        machine: { load: loadavg()[1] ?? Number.NaN, cores: availableParallelism() },
        sideBySide: peers,
      })
    }
  } finally {
    lake.close()
    rmSync(folder, { recursive: true, force: true })
  }
  return 0
}

interface Measured {
  transactions: number
  scan: Scan
  stages: readonly Stage[]
  peak_rss_mb: number
  peers: SideBySide | undefined
}

const secondsByModel = (stages: readonly Stage[]) =>
  Object.fromEntries(stages.map(({ model, seconds }) => [model, seconds]))

/** How many scans all models take in CPU time. */
const cpuRatio = (stages: readonly Stage[], scan: Scan): number =>
  stages.reduce((sum, { cpu_s }) => sum + cpu_s, 0) / scan.cpu_s

function report({ transactions, scan, stages, peak_rss_mb, peers }: Measured): void {
  const scan_s = scan.seconds
  const sum = (some: readonly Stage[]) => some.reduce((all, { seconds }) => all + seconds, 0)
  const total_s = sum(stages)
  const three_s = sum(stages.filter(({ model }) => THREE_STAGES.test(model)))
  for (const { model, seconds } of stages.toSorted((a, b) => b.seconds - a.seconds).slice(0, 20)) {
    console.log(`${model.padEnd(44)}${seconds.toFixed(3).padStart(9)} s`)
  }
  console.log(`${'plain scan of the columns'.padEnd(44)}${scan_s.toFixed(3).padStart(9)} s`)
  console.log(`${'all models'.padEnd(44)}${total_s.toFixed(3).padStart(9)} s`)
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
      cpu_ratio_to_scan: cpuRatio(stages, scan),
      // Of the same three questions that the peers answer; without them, of the models that answer these and more.
      ratio_to_scan_three_stages: peers?.ratio_to_scan_three_stages ?? three_s / scan_s,
      rows_per_second: Math.round(transactions / total_s),
      peak_rss_mb,
      scan_s,
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

/** Sets the variables for a drawn history, of which is known what landed by `known_at`. */
export async function prepareHistory(
  connection: DuckDBConnection,
  known_at: bigint,
): Promise<void> {
  const text = (value: string) => ({ type: 'varchar', value })
  const time = (value: string) => ({ type: 'timestamp', value })
  const number = (value: bigint) => ({ type: 'bigint', value })
  await prepareModels(connection, {
    account: text('bench'),
    known_at: number(known_at),
    known_time: time('2026-11-20'),
    timezone: text('UTC'),
    currency: text('USD'),
    from_date: { type: 'date', value: '2025-01-01' },
    to_date: { type: 'date', value: '2027-01-01' },
    window_from: time('2025-01-01'),
    window_to: time('2027-01-01'),
    as_of: time('2026-11-20'),
    as_of_date: { type: 'date', value: '2026-11-20' },
    cutoff_tolerance_hours: number(12n),
    pending_stale_days: number(3n),
    unsettled_days: number(5n),
  })
}

/** As a run does it: first the lake's small tables are copied for all models. */
async function timeModels(connection: DuckDBConnection): Promise<Stage[]> {
  await prepareHistory(connection, 10n)
  const stages: Stage[] = []
  let since = process.cpuUsage()
  const ended = (model: string, took_ms: number) => {
    stages.push({ model, seconds: took_ms / 1000, cpu_s: cpuSeconds(process.cpuUsage(since)) })
    since = process.cpuUsage()
  }
  const since_ms = performance.now()
  const models = droppingSpent(await readNear(connection, readModels()))
  ended('small tables of the lake', performance.now() - since_ms)
  const isCore = ({ stage }: Model) => stage < '44'
  await runModels(connection, models.filter(isCore), ({ stage, name }, took_ms) =>
    ended(`${stage}/${name}`, took_ms),
  )
  return stages
}

/** The same in parts, one after the other: what is between two models, such as the files that a part leaves, counts for the later one. */
async function timeParts(lake: Lake, parts: Parts): Promise<Stage[]> {
  const stages: Stage[] = []
  let [since, since_ms] = [process.cpuUsage(), performance.now()]
  const heard = (model: string) => {
    stages.push({
      model,
      seconds: (performance.now() - since_ms) / 1000,
      cpu_s: cpuSeconds(process.cpuUsage(since)),
    })
    ;[since, since_ms] = [process.cpuUsage(), performance.now()]
  }
  const modelOf = ({ stage, name }: Model) => heard(`${stage}/${name}`)
  const connected = async (work: (connection: DuckDBConnection) => Promise<void>) => {
    const connection = await lake.connect()
    try {
      await prepareHistory(connection, 10n)
      await work(connection)
    } finally {
      connection.closeSync()
    }
  }
  await connected((connection) => writeHomes(connection, 'bench', parts.folder))
  heard('homes of terminals')
  const attempts: number[][] = []
  for (const tasks of division(parts.shards).rounds) {
    const before = { ...parts, attempts: [...attempts] }
    for (const task of tasks) {
      await connected((connection) =>
        runPart(connection, { parts: before, ...task, attempt: 1 }, modelOf),
      )
      heard(`${task.share}: tables that are left`)
    }
    attempts.push(tasks.map(() => 1))
  }
  await connected(async (connection) => {
    // Journal and pack run as well, though they don't count: they need accounts to write to, were there only none.
    await connection.run(
      'create temp table chart (account_key varchar, account varchar, account_name varchar)',
    )
    await runWhole(connection, { ...parts, attempts }, modelOf)
  })
  return summed(stages.filter(({ model }) => !/^\d/.test(model) || model < '44'))
}

/** What a model took in all parts. */
function summed(stages: readonly Stage[]): Stage[] {
  const byModel = new Map<string, Stage>()
  for (const { model, seconds, cpu_s } of stages) {
    const before = byModel.get(model) ?? { seconds: 0, cpu_s: 0 }
    byModel.set(model, { model, seconds: before.seconds + seconds, cpu_s: before.cpu_s + cpu_s })
  }
  return [...byModel.values()]
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

const cpuSeconds = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1_000_000

/** The columns that attribution, ceiling and duplicates need, read once from Parquet. */
async function medianScan(connection: DuckDBConnection): Promise<Scan> {
  const took: Scan[] = []
  for (let i = 0; i < SCANS; i += 1) {
    const [since, since_ms] = [process.cpuUsage(), performance.now()]
    await connection.run(
      `select sum(transaction_id), sum(terminal_id), max(action), max(status), bool_or(approved), bool_or(settled),
         max(created), max(last_modified), sum(total_cents), max(last_four), max(billing_key)
       from lake.seen.transaction_version`,
    )
    const seconds = (performance.now() - since_ms) / 1000
    took.push({ seconds, cpu_s: cpuSeconds(process.cpuUsage(since)) })
  }
  return {
    seconds: median(took.map(({ seconds }) => seconds)),
    cpu_s: median(took.map(({ cpu_s }) => cpu_s)),
  }
}

export interface HistorySize {
  transactions: number
  terminals: number
  days: number
  /** True: the last day lands by itself, with number 3; all else with 2. */
  isLastNew?: boolean
}

/** A history of charges and some refunds, cut off up to six hours before each settlement; one settlement in a hundred is wrong. */
export async function generate(connection: DuckDBConnection, size: HistorySize): Promise<void> {
  const { transactions, terminals, days, isLastNew = false } = size
  await connection.run(
    `create temp table drawn as
     select i as id, (hash(i * 7 + 1) % ${terminals})::bigint + 1 as terminal_id,
       timestamp '2025-09-01' + to_seconds((hash(i * 13 + 5) % (${days} * 86400))::bigint) as created,
       case when hash(i * 3 + 2) % 100 < 6 then 'REFUND' else 'CHARGE' end as action,
       (100 + hash(i * 11 + 3) % 20000)::bigint as cents
     from range(${transactions}) as numbers (i)`,
  )
  await connection.run(
    `create temp table made as
     select terminal_id, day, terminal_id * 1000 + day as settlement_id, timestamp '2025-09-01' + to_days((day + 1)::integer) as created,
       timestamp '2025-09-01' + to_days((day + 1)::integer)
         - to_seconds(((hash(terminal_id) % 6) * 3600 + hash(terminal_id * 1000 + day) % 1800)::bigint) as cut_at
     from (select (i + 1)::bigint as terminal_id from range(${terminals}) as numbers (i)), range(${days}) as days (day)`,
  )
  await connection.run(
    `create temp table member as
     select drawn.*, made.settlement_id, coalesce(made.day = ${days - 1}, true) as is_last from drawn
     asof left join made on made.terminal_id = drawn.terminal_id and made.cut_at >= drawn.created`,
  )
  for (const seq of isLastNew ? [2, 3] : [2]) {
    const lands = isLastNew ? `(is_last = ${seq === 3})` : 'true'
    await connection.run(
      `insert into lake.seen.settlement_version
       select 'bench', made.settlement_id, any_value(made.terminal_id), any_value(made.created), 'COMPLETE',
         coalesce(sum(case action when 'CHARGE' then cents when 'REFUND' then -cents end), 0)::bigint
           + case when hash(made.settlement_id * 777) % 100 = 0 then 30000 + hash(made.settlement_id) % 9000 else 0 end,
         false, hash(made.settlement_id), 's', 1, timestamp '2026-11-20', ${seq - 1}
       from (select *, day = ${days - 1} as is_last from made) as made left join member using (settlement_id, is_last)
       where ${lands} group by made.settlement_id`,
    )
    await connection.run(
      `insert into lake.seen.transaction_version
         (account, transaction_id, terminal_id, action, status, approved, settled, created, last_modified, base_cents, total_cents,
          vault_type, account_type, last_four, billing_key, content_hash, sweep_id, ordinal, observed_at, landing_seq)
       select 'bench', id, terminal_id, action, 'CAPTURE', true, settlement_id is not null, created, created, cents, cents,
         'CARD', 'VISA', (id % 10000)::varchar, hash(id % 50000), hash(id), 't', 1, timestamp '2026-11-20', ${seq}
       from member where ${lands}`,
    )
    await connection.run(
      `insert into lake.ops.sweep
         (sweep_id, run_id, account, list, started_seq, started_at, ended_at, pages, records, new_versions, quarantined, rewinds, requests,
          throttled, certificate, bodies_sha256, landing_seq)
       values ('t${seq === 2 ? '' : seq}', 'r', 'bench', 'transactions', ${seq - 1}, '2026-11-20', '2026-11-20', 1, 1, 1, 0, 0, 1, 0, 'CONTIGUOUS', 'x', ${seq})`,
    )
  }
  for (const drawn of ['drawn', 'made', 'member']) await connection.run(`drop table ${drawn}`)
}
