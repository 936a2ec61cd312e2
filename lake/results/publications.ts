/** Records which packs were published, so that the freshness of an account can be read from the lake alone. */
import type { DuckDBConnection } from '@duckdb/node-api'
import { Failure } from '../../domain/failure.ts'
import type { Run } from '../../domain/run.ts'
import type { Lake } from '../connection/lake.ts'
import { raiseFenceOf, transact } from '../connection/transact.ts'
import { readModel } from '../run/models.ts'
import { hasRows } from '../connection/has-rows.ts'

export interface Publication {
  runId: string
  /** Business dates; `to` is excluded. */
  from: string
  to: string
  certificate: string
  publishedAt: string
}

/** A pack that is there: the run that it shows, and the hash of its manifest's bytes. */
export type PublishedPack = Run & { certificate: string; manifestSha256: string }

/** Records that the pack of a run is published. A second call changes nothing. */
export async function recordPublication(
  lake: Lake,
  connection: DuckDBConnection,
  { runId, account, window, certificate, isBackfill, manifestSha256 }: PublishedPack,
): Promise<void> {
  await transact(lake, connection, async () => {
    if (await isRecorded(connection, runId)) return
    await raiseFenceOf(connection, 'run_fence')
    await connection.run(
      `insert into lake.ops.publication
       select $1, $2, $3::date, $4::date, $5, now()::timestamp,
         (select coalesce(max(publication_seq), 0) + 1 from lake.ops.publication where account = $2), $6, $7`,
      [runId, account, window.from, window.to, certificate, isBackfill === true, manifestSha256],
    )
  })
}

export const isRecorded = (connection: DuckDBConnection, runId: string): Promise<boolean> =>
  hasRows(connection, 'from lake.ops.publication where run_id = $1', [runId])

/**
 * Throws usage unless this lake published a pack of the account's run, and pack_altered for another manifest than it
 * published. The manifest holds the hashes of all other files.
 */
export async function refuseOtherPack(
  connection: DuckDBConnection,
  { account, runId, manifestSha256 }: Pick<PublishedPack, 'account' | 'manifestSha256' | 'runId'>,
): Promise<void> {
  const reader = await connection.runAndReadAll(
    'select manifest_sha256 from lake.ops.publication where account = $1 and run_id = $2',
    [account, runId],
  )
  const [published] = reader.getRows()
  if (published === undefined) {
    throw new Failure('usage', `this lake published no pack ${runId} of ${account}`, {
      remedy: 'name the lake of the pack with --lake',
    })
  }
  if (published[0] === manifestSha256) return
  throw new Failure('pack_altered', `manifest.json is not the one that run ${runId} published`)
}

/** Returns SQL for the packs of all accounts, each with its rank among those of its account. */
export const rankedPublications = (): string => readModel('queries', 'publication_rank').text

/** The pack of rank 1, which `latest` names. Undefined before the first. */
export async function latestPublication(
  connection: DuckDBConnection,
  account: string,
): Promise<Publication | undefined> {
  const [first] = await publicationsByRank(connection, account)
  return first
}

/** The packs of an account by rank. `latest` names the first that its folder has. */
export async function publicationsByRank(
  connection: DuckDBConnection,
  account: string,
): Promise<Publication[]> {
  const reader = await connection.runAndReadAll(
    `select run_id as "runId", window_from::varchar as "from", window_to::varchar as "to", certificate,
       strftime(published_at, '%Y-%m-%dT%H:%M:%SZ') as "publishedAt"
     from (${rankedPublications()}) where account = $1 order by rank`,
    [account],
  )
  return reader.getRowObjectsJson() as unknown as Publication[]
}

export interface PublishedNights {
  /** The end dates (excluded) of published ranges. These are the business dates of the nights that have a pack. */
  dates: readonly string[]
  /** The time at which the first pack of all was published, in milliseconds since 1970. Undefined before it. */
  since_ms: number | undefined
}

export async function publishedNights(
  connection: DuckDBConnection,
  account: string,
): Promise<PublishedNights> {
  const reader = await connection.runAndReadAll(
    `select window_to::varchar, epoch_ms(min(published_at))
     from lake.ops.publication where account = $1 group by window_to order by 1`,
    [account],
  )
  const rows = reader.getRows()
  const begun = rows.map(([, at_ms]) => Number(at_ms))
  return {
    dates: rows.map(([date]) => String(date)),
    since_ms: begun.length === 0 ? undefined : Math.min(...begun),
  }
}
