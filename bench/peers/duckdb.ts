/** Runs our own engine as a peer in its own process: `node bench/run.mjs bench/peers/duckdb.ts FOLDER THREADS`. */
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { join } from 'node:path'
import { macros, makeEnumType } from '../../lake/run/models.ts'
import { peakMemory_mb } from './peak-memory.ts'
import { threeStages } from './three-stages.ts'

/** The queries for the answers that all engines must give, over the tables of the stages. */
const ANSWERS: Record<string, string> = {
  window: `select count(*) filter (where is_off), count(*) filter (where is_shifted), count(*) filter (where has_void),
      sum(abs(window_cents - reported_cents)) from plain_window inner join current_settlement using (settlement_id)`,
  ceiling: `select count(*), coalesce(bit_xor(transaction_id), 0), coalesce(sum(refunded_in_window_cents - charged_fine_cents), 0) from refund_at_risk`,
  duplicates: `select count(*), coalesce(bit_xor(subject_id::bigint), 0) from duplicate_charge`,
  compare: `select count(*) from '{folder}/settlement.parquet' as reported full join '{folder}/computed.parquet' as computed using (settlement_id)
      where reported_cents is distinct from window_cents`,
}

/** The columns that the three stages need, read once. */
const SCAN = `select sum(transaction_id), sum(terminal_id), max(created), max(action), max(status), bool_or(approved), bool_or(settled),
    sum(total_cents), max(fine_key) from {transaction}`

const SCANS = 3

export async function main(): Promise<number> {
  const [folder = '', threads = '2'] = process.argv.slice(2)
  const connection = await (await DuckDBInstance.create(':memory:', { threads })).connect()
  await connection.run(macros())
  const fileOf = (table: string) => `'${join(folder, table)}.parquet'`
  const answers: Record<string, number[]> = {}
  const stages: Record<string, number> = {}
  const answer = async (stage: string) => {
    const reader = await connection.runAndReadAll(
      (ANSWERS[stage] ?? '').replaceAll('{folder}', folder),
    )
    return (reader.getRows()[0] ?? []).map(Number)
  }
  const began = process.cpuUsage()
  stages['read'] = await timed(() => read(connection, fileOf))
  for (const { stage, tables } of threeStages()) {
    stages[stage] = await timed(async () => {
      for (const { name, text } of tables) {
        await connection.run(`create temp table ${name} as ${text}`)
      }
    })
    answers[stage] = await answer(stage)
  }
  const used = process.cpuUsage(began)
  const peak_rss_mb = peakMemory_mb()
  await connection.run(
    `copy (select settlement_id, window_cents from plain_window) to '${join(folder, 'computed.parquet')}'`,
  )
  stages['compare'] = await timed(async () => {
    answers['compare'] = await answer('compare')
  })
  const scanning = process.cpuUsage()
  stages['scan'] = await medianScan(
    connection,
    SCAN.replace('{transaction}', fileOf('transaction')),
  )
  const scan_cpu_s = cpuSeconds(process.cpuUsage(scanning)) / SCANS
  console.log(JSON.stringify({ stages, answers, cpu_s: cpuSeconds(used), scan_cpu_s, peak_rss_mb }))
  return 0
}

async function medianScan(connection: DuckDBConnection, scan: string): Promise<number> {
  const took: number[] = []
  for (let i = 0; i < SCANS; i += 1) took.push(await timed(() => connection.run(scan)))
  return took.toSorted((a, b) => a - b)[Math.floor(SCANS / 2)] ?? Number.NaN
}

/** Loads the tables as a run has them: in memory, with words as values of an enum type. */
async function read(
  connection: DuckDBConnection,
  fileOf: (table: string) => string,
): Promise<void> {
  await connection.run(
    `create temp table enum_value as
     select unnest(['CHARGE', 'REFUND', 'VERIFY', 'CAPTURE', 'HOLD', 'VOID', 'CARD']) as value
     union select unnest([action, status]) from ${fileOf('transaction')}
       where action not in ('CHARGE', 'REFUND', 'VERIFY') or status not in ('CAPTURE', 'HOLD', 'VOID')`,
  )
  await makeEnumType(connection)
  await connection.run(
    `create temp table current_transaction as
     select * replace (as_enum_value(action) as action, as_enum_value(status) as status) from ${fileOf('transaction')}`,
  )
  // No other engine knows charges without card fields, so that ours leaves none out either.
  await connection.run(
    'create temp table incomplete_charge (transaction_id bigint, last_four varchar, is_nameless boolean)',
  )
  await connection.run(`create temp table current_settlement as from ${fileOf('settlement')}`)
}

const cpuSeconds = ({ user, system }: NodeJS.CpuUsage) => (user + system) / 1_000_000

/** Returns the seconds that the work takes. */
async function timed(work: () => Promise<unknown>): Promise<number> {
  const since = performance.now()
  await work()
  return (performance.now() - since) / 1000
}
