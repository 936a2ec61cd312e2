/**
 * Measures the time and memory of `tieout import` for a large Parquet file. Call:
 * `npm run bench:import -- --rows 5000000`, after `npm run build`. The last line is JSON.
 *
 * DuckDB makes the file, and the command line imports it into a fresh lake. Then the bench imports the same file
 * again. At last it imports the same records from a file with other bytes, which are compared one by one with the
 * lake. Both must change nothing.
 */
import { DuckDBInstance } from '@duckdb/node-api'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { transactionsIn } from './lake.ts'
import { runMeasured } from './run-measured.ts'

interface Imported {
  rows: number
  newVersions: number
  quarantined: number
  landed: boolean
  seconds: number
  peak_rss_mb: number
}

export async function main(): Promise<number> {
  const { values } = parseArgs({ options: { rows: { type: 'string', default: '5000000' } } })
  const rows = Number(values.rows)
  const folder = mkdtempSync(join(tmpdir(), 'tieout-bench-'))
  try {
    const file = join(folder, 'transactions.parquet')
    await generate(file, { rows, compression: 'zstd' })
    const first = await importOnce(folder, file)
    const again = await importOnce(folder, file)
    const other = join(folder, 'other.parquet')
    await generate(other, { rows, compression: 'snappy' })
    const rewritten = await importOnce(folder, other)
    const lake_rows = await transactionsIn(join(folder, 'lake'))
    const file_mb = Math.round(statSync(file).size / 1e6)
    console.log(`${rows} rows of Parquet, ${file_mb} MB`)
    for (const [name, one] of Object.entries({ first, again, rewritten })) {
      console.log(
        `${name.padEnd(10)}${one.seconds.toFixed(1).padStart(8)} s ${String(one.peak_rss_mb).padStart(6)} MB ${String(one.newVersions).padStart(10)} new`,
      )
    }
    const rows_per_second = Math.round(rows / first.seconds)
    console.log(
      JSON.stringify({ rows, file_mb, rows_per_second, lake_rows, first, again, rewritten }),
    )
    const isUnchanged = !again.landed && rewritten.newVersions === 0 && lake_rows === rows
    return isUnchanged && first.newVersions === rows ? 0 : 1
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function importOnce(folder: string, file: string): Promise<Imported> {
  const { stdout, seconds, peak_rss_mb } = await runMeasured(
    ['bin/tieout.mjs', 'import', file, '--exported-at', '2026-11-20T00:00:00Z', '--json'],
    { TIEOUT_LAKE: join(folder, 'lake'), TIEOUT_ACCOUNT: 'bench' },
  )
  const { files, rows, newVersions, quarantined } = JSON.parse(stdout)
  return { rows, newVersions, quarantined, landed: files[0].landed, seconds, peak_rss_mb }
}

/**
 * Writes an export with the service's own names, over fourteen months and 400 terminals. There is one person for
 * every ten rows.
 */
async function generate(
  file: string,
  { rows, compression }: { rows: number; compression: 'snappy' | 'zstd' },
): Promise<void> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '2', memory_limit: '1GB' })
  const connection = await instance.connect()
  await connection.run(
    `copy (
       select 9000000000 + i as "transactionId", (1000 + hash(i) % 400)::bigint as "terminalId",
         case when hash(i, 1) % 20 = 0 then 'REFUND' else 'CHARGE' end as action,
         case when hash(i, 2) % 50 = 0 then 'VOID' else 'CAPTURE' end as status,
         timestamp '2025-09-21' + to_microseconds(i * (36806400000000 // ${rows})) as created, created as "lastModified",
         (100 + hash(i, 3) % 30000)::decimal(12, 2) / 100 as cents,
         round(cents, 2)::decimal(12, 2) as "amountBase", 0::decimal(12, 2) as "amountTip",
         "amountBase" as "amountTotal", 'KEYED' as method, 'INV-' || i as "invoiceNumber",
         true as "response.approved", '00' as "response.code", hash(i, 4) % 10 <> 0 as "settlement.settled",
         'CARD' as "vault.type", ['VISA', 'MASTERCARD', 'AMEX'][(hash(i, 5) % 3)::integer + 1] as "vault.accountType",
         lpad((hash(i, 6) % 10000)::varchar, 4, '0') as "vault.lastFour",
         'Ada' as "billing.firstName", 'Byron' || (hash(i) % ${Math.ceil(rows / 10)}) as "billing.lastName",
         (10000 + hash(i) % 80000)::varchar as "billing.address.zip"
       from range(${rows}) as numbers (i)
     ) to '${file}' (format parquet, compression ${compression})`,
  )
  connection.closeSync()
  instance.closeSync()
}
