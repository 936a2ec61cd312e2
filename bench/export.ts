/**
 * Measures the export of attribution rows against DuckDB's own COPY of the same table, in alternating rounds. Call:
 * `npm run bench:export -- --rows 5000000`. Prints a table of medians, and JSON as the last line.
 */
import type { DuckDBConnection } from '@duckdb/node-api'
import { createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import type { LakeSettings } from '../domain/settings.ts'
import { PackRows } from '../lake/results/pack-rows.ts'
import { openLake } from '../lake/connection/open.ts'
import { answerTo, type StreamedFormat } from '../lake/query/answer.ts'
import { openReadOnly } from '../lake/query/open.ts'
import { checkCsv } from '../reports/pack/check-csv.ts'
import { PACK_FILES } from '../reports/pack/pack-files.ts'
import { lakeIn } from './lake.ts'
import { median } from './timed.ts'

const RUN = 'run-1'
const SQL = 'select * from attributions'
const OWN = "DuckDB's own COPY"
const QUERY_WAYS = ['query, CSV', 'query, JSON', 'query, Arrow', 'query, Parquet'] as const

/** A method of export. The caller removes the file that it writes. */
type Way = (file: string) => Promise<unknown>

export async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      rows: { type: 'string', default: '1000000' },
      rounds: { type: 'string', default: '3' },
      // A pattern for the methods to measure beside COPY.
      only: { type: 'string', default: '' },
    },
  })
  const folder = mkdtempSync(join(tmpdir(), 'tieout-bench-'))
  try {
    const settings = lakeIn(folder)
    await generate(settings, Number(values.rows))
    const file = join(folder, 'rows')
    const chosen = (ways: Record<string, Way>) =>
      Object.fromEntries(
        Object.entries(ways).filter(([name]) => name === OWN || new RegExp(values.only).test(name)),
      )
    const rounds = Number(values.rounds)
    const written = await inLake(settings, (connection) =>
      measure(chosen(packWays(connection)), file, rounds),
    )
    const isQuery = QUERY_WAYS.some((name) => new RegExp(values.only).test(name))
    const answered = isQuery
      ? await queried(settings, file, (connection) =>
          measure(chosen(queryWays(connection)), file, rounds),
        )
      : {}
    report(Number(values.rows), { ...written, ...answered })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return 0
}

async function inLake<T>(
  settings: LakeSettings,
  work: (connection: DuckDBConnection) => Promise<T>,
): Promise<T> {
  const lake = await openLake(settings)
  try {
    return await work(await lake.connect())
  } finally {
    lake.close()
  }
}

async function queried<T>(
  settings: LakeSettings,
  file: string,
  work: (connection: DuckDBConnection) => Promise<T>,
): Promise<T> {
  const lake = await openReadOnly(settings, [file])
  try {
    return await work(lake.connection)
  } finally {
    lake.close()
  }
}

/** Inserts rows as a run stores them, in the order of the file. */
const generate = (settings: LakeSettings, rows: number) =>
  inLake(settings, (connection) =>
    connection.run(
      `insert into lake.ops.run (run_id, account, window_from, window_to, known_at, recorded_at)
       values ('${RUN}', 'acme', '2026-11-01', '2026-12-01', 1, '2026-12-01');
       insert into lake.ops.publication (run_id, account, window_to, publication_seq, is_backfill)
       values ('${RUN}', 'acme', '2026-12-01', 1, false);
       insert into lake.result.attribution_source
       select distinct '${RUN}', 700000 + n // 100, '${RUN}', 0 from (select range + 1 as n from range(${rows}));
       insert into lake.result.attributions
       select '${RUN}', 'acme', 900000000 + n, 700000 + n // 100, 1000 + n // 20000,
         timestamp '2026-11-01' + to_milliseconds(n * 500),
         case when n % 10 = 0 then 'REFUND' else 'CHARGE' end, 'CAPTURE',
         (n % 90000 * 0.01::decimal(3, 2))::decimal(18, 2),
         (case when n % 10 = 0 then -1 else 1 end * (n % 90000) * 0.01::decimal(3, 2))::decimal(18, 2), 'ALIGNED'
       from (select range + 1 as n from range(${rows}))`,
    ),
  )

function packWays(connection: DuckDBConnection): Record<string, Way> {
  const attributions = PACK_FILES.find(({ table }) => table === 'attributions')
  return {
    [OWN]: (file) =>
      connection.run(
        `copy (select * exclude (run_id) from lake.result.attributions where run_id = '${RUN}') to '${file}' (format csv, header)`,
      ),
    'attributions.csv of a pack': (file) =>
      new PackRows(connection, { runId: RUN }).writeCsv('attributions', file),
    'the same, read back and proved': async (file) => {
      await new PackRows(connection, { runId: RUN }).writeCsv('attributions', file)
      if (attributions !== undefined) await checkCsv(file, attributions)
    },
  }
}

function queryWays(connection: DuckDBConnection): Record<(typeof QUERY_WAYS)[number], Way> {
  const streamed =
    (format: StreamedFormat): Way =>
    async (file) => {
      const answer = await answerTo(connection, SQL)
      const pieces = Readable.from(answer.stream(format, 'machine'), { objectMode: false })
      await pipeline(pieces, createWriteStream(file))
    }
  return {
    'query, CSV': streamed('csv'),
    'query, JSON': streamed('json'),
    'query, Arrow': streamed('arrow'),
    'query, Parquet': async (file) => (await answerTo(connection, SQL)).writeParquet(file),
  }
}

interface Figure {
  seconds: number
  /** CPU seconds of all threads. On a busy machine they vary less than wall time. */
  cpu_s: number
  megabytes: number
  /** The peak of the process so far, taken while this method ran. */
  peak_rss_mb: number
}

/** Runs every method once in each round. Returns the medians. */
async function measure(
  ways: Record<string, Way>,
  file: string,
  rounds: number,
): Promise<Record<string, Figure>> {
  const taken = new Map<string, { seconds: number; cpu_s: number }[]>()
  const figures: Record<string, Figure> = {}
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, way] of Object.entries(ways)) {
      const started = performance.now()
      const before = process.cpuUsage()
      await way(file)
      const { user, system } = process.cpuUsage(before)
      const one = { seconds: (performance.now() - started) / 1000, cpu_s: (user + system) / 1e6 }
      const all = [...(taken.get(name) ?? []), one]
      taken.set(name, all)
      const peak_rss_mb = Math.round(process.resourceUsage().maxRSS / 1024)
      figures[name] = {
        seconds: median(all.map(({ seconds }) => seconds)),
        cpu_s: median(all.map(({ cpu_s }) => cpu_s)),
        megabytes: statSync(file).size / 1e6,
        peak_rss_mb,
      }
      rmSync(file)
    }
  }
  return figures
}

function report(rows: number, figures: Record<string, Figure>): void {
  const own = figures[OWN]
  const share = (part = 0, whole = 1) => (part / whole).toFixed(2).padStart(6)
  console.log(`${''.padEnd(32)}  seconds  CPU s  M rows/s  of COPY's speed, by time and by CPU`)
  for (const [name, { seconds, cpu_s, megabytes, peak_rss_mb }] of Object.entries(figures)) {
    const times = `${seconds.toFixed(2).padStart(8)} ${cpu_s.toFixed(2).padStart(6)}`
    const speed = (rows / seconds / 1e6).toFixed(2).padStart(9)
    const shares = `${share(own?.seconds, seconds)} ${share(own?.cpu_s, cpu_s)}`
    const size = `${megabytes.toFixed(0)} MB, peak ${peak_rss_mb} MB`
    console.log(`${name.padEnd(32)} ${times} ${speed} ${shares}  ${size}`)
  }
  console.log(JSON.stringify({ rows, figures }))
}
