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
    `select coalesce(columns(*), 0)::double from (
       select (select n from lake.ops.fence) as "landingSeq", (select count(*) from ducklake_snapshots('lake')) as snapshots,
         sum(file_count) as files, sum(file_size_bytes) as bytes
       from ducklake_table_info('lake'))`,
  )
  const [status] = reader.getRowObjectsJson() as unknown as [LakeStatus]
  return status
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
     select list, arg_max(certificate, list_position(['${CERTIFICATES.join("', '")}'], certificate)) as certificate,
       strftime(arg_max(ended_at, landing_seq), '%Y-%m-%dT%H:%M:%SZ') as "endedAt",
       sum(columns(['pages', 'records', 'requests', 'throttled', 'quarantined']))::double
     from part group by list order by list`,
    [account, knownAt],
  )
  return reader.getRowObjectsJson() as unknown as SweepStatus[]
}

/** Returns the file of each list that shows the newest state of the records. */
export async function importStatus(
  connection: DuckDBConnection,
  account: string,
): Promise<ImportStatus[]> {
  const reader = await connection.runAndReadAll(
    `select list, strftime(exported_at, '%Y-%m-%dT%H:%M:%SZ') as "exportedAt", columns(['records', 'quarantined'])::double
     from lake.ops.imported_file where account = $1
     qualify row_number() over (partition by list order by exported_at desc, landing_seq desc) = 1 order by list`,
    [account],
  )
  return reader.getRowObjectsJson() as unknown as ImportStatus[]
}

/** Returns the run that was stored last, or undefined if there is none. */
export async function newestRun(
  connection: DuckDBConnection,
  account: string,
): Promise<RunStatus | undefined> {
  const reader = await connection.runAndReadAll(
    `select run_id as "runId", window_from::varchar as "from", window_to::varchar as "to",
       strftime(recorded_at, '%Y-%m-%dT%H:%M:%SZ') as "recordedAt", headline,
       run_id in (select run_id from lake.ops.publication) as "isPublished"
     from lake.ops.run where account = $1 order by recorded_at desc, run_id desc limit 1`,
    [account],
  )
  const [row] = reader.getRowObjectsJson() as unknown as (Omit<RunStatus, 'headline'> & {
    headline: string
  })[]
  if (row === undefined) return undefined
  const { headline }: Pick<RunStatus, 'headline'> = JSON.parse(row.headline)
  return { ...row, headline }
}
