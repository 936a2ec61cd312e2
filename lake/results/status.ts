/** Reports the state of the lake, and the newest sweeps and runs of an account. */
import type { DuckDBConnection } from '@duckdb/node-api'
import { CERTIFICATES, type Headline } from '../../domain/run.ts'

export interface LakeStatus {
  /** Number of the newest landing. */
  landingSeq: number
  snapshots: number
  files: number
  bytes: number
}

export interface SweepStatus {
  list: string
  /** The weakest certificate of its parts, if the list was read terminal by terminal. */
  certificate: string
  endedAt: string
  pages: number
  records: number
  requests: number
  throttled: number
  quarantined: number
}

/** The newest imported file of a list. */
export interface ImportStatus {
  list: string
  exportedAt: string
  records: number
  quarantined: number
}

export interface RunStatus {
  runId: string
  from: string
  to: string
  recordedAt: string
  headline: Headline
  /** False if the pack was withheld, or is still being written. */
  isPublished: boolean
}

/** Counts over the whole lake, with all its accounts. */
export async function lakeStatus(connection: DuckDBConnection): Promise<LakeStatus> {
  const reader = await connection.runAndReadAll(
    `select (select n from lake.ops.fence), (select count(*) from ducklake_snapshots('lake')),
       sum(file_count), sum(file_size_bytes)
     from ducklake_table_info('lake')`,
  )
  const [landingSeq, snapshots, files, bytes] = (reader.getRows()[0] ?? []).map(Number)
  return {
    ...{ landingSeq: landingSeq ?? 0, snapshots: snapshots ?? 0 },
    ...{ files: files ?? 0, bytes: bytes ?? 0 },
  }
}

/** Returns the end of the account's newest sweep up to a landing number. Undefined if there is none. */
export async function newestSweepEnd(
  connection: DuckDBConnection,
  account: string,
  knownAt: bigint,
): Promise<string | undefined> {
  const reader = await connection.runAndReadAll(
    `select strftime(arg_max(ended_at, landing_seq), '%Y-%m-%dT%H:%M:%S.%gZ') from lake.ops.sweep where account = $1 and landing_seq <= $2`,
    [account, knownAt],
  )
  const [ended] = reader.getRows()[0] ?? []
  return ended === null || ended === undefined ? undefined : String(ended)
}

/**
 * Returns the newest sweep of each list that ended, up to a landing number if one is given. The passes and terminals of a
 * list are taken together.
 */
export async function sweepStatus(
  connection: DuckDBConnection,
  account: string,
  knownAt: string | null = null,
): Promise<SweepStatus[]> {
  const reader = await connection.runAndReadAll(
    `with known as (
       select *, arg_max(run_id, landing_seq) over (partition by list) as newest_run_id
       from lake.ops.sweep where account = $1 and ($2 is null or landing_seq <= $2::bigint)),
     part as (
       select list, terminal_id, arg_max(certificate, landing_seq) as certificate, arg_max(ended_at, landing_seq) as ended_at, max(landing_seq) as landing_seq,
         sum(pages) as pages, arg_max(records, landing_seq) as records, sum(requests) as requests,
         sum(throttled) as throttled, arg_max(quarantined, landing_seq) as quarantined
       from known where run_id = newest_run_id group by list, terminal_id)
     select list, arg_max(certificate, list_position(['${CERTIFICATES.join("', '")}'], certificate)),
       strftime(arg_max(ended_at, landing_seq), '%Y-%m-%dT%H:%M:%SZ'), sum(pages), sum(records), sum(requests), sum(throttled),
       sum(quarantined)
     from part group by list order by list`,
    [account, knownAt],
  )
  return reader.getRows().map(([list, certificate, endedAt, ...counts]) => {
    const [pages, records, requests, throttled, quarantined] = counts.map(Number)
    return {
      ...{ list: String(list), certificate: String(certificate), endedAt: String(endedAt) },
      ...{ pages: pages ?? 0, records: records ?? 0, requests: requests ?? 0 },
      ...{ throttled: throttled ?? 0, quarantined: quarantined ?? 0 },
    }
  })
}

/** Returns the file of each list that shows the newest state of the records. */
export async function importStatus(
  connection: DuckDBConnection,
  account: string,
): Promise<ImportStatus[]> {
  const reader = await connection.runAndReadAll(
    `select list, strftime(exported_at, '%Y-%m-%dT%H:%M:%SZ'), records, quarantined
     from lake.ops.imported_file where account = $1
     qualify row_number() over (partition by list order by exported_at desc, landing_seq desc) = 1 order by list`,
    [account],
  )
  return reader.getRows().map(([list, exportedAt, records, quarantined]) => ({
    ...{ list: String(list), exportedAt: String(exportedAt) },
    ...{ records: Number(records), quarantined: Number(quarantined) },
  }))
}

/** Returns the run that was stored last, or undefined if there is none. */
export async function newestRun(
  connection: DuckDBConnection,
  account: string,
): Promise<RunStatus | undefined> {
  const reader = await connection.runAndReadAll(
    `select run_id, window_from::varchar, window_to::varchar, strftime(recorded_at, '%Y-%m-%dT%H:%M:%SZ'), headline,
       run_id in (select run_id from lake.ops.publication)
     from lake.ops.run where account = $1 order by recorded_at desc, run_id desc limit 1`,
    [account],
  )
  const [row] = reader.getRows()
  if (row === undefined) return undefined
  const [runId, from, to, recordedAt, answer, isPublished] = row
  const { headline }: { headline: Headline } = JSON.parse(String(answer))
  return {
    ...{ runId: String(runId), from: String(from), to: String(to) },
    ...{ recordedAt: String(recordedAt), headline, isPublished: isPublished === true },
  }
}
