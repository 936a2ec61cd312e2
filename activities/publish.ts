import type { DuckDBConnection } from '@duckdb/node-api'
import { postMessage } from '../api/http/webhook.ts'
import { Failure, assert } from '../domain/failure.ts'
import {
  CERTIFICATES,
  type Certificate,
  type Published,
  type ReconcileResult,
  type Run,
  type UnknownNames,
} from '../domain/run.ts'
import type { Settings } from '../domain/settings.ts'
import { PackRows } from '../lake/results/pack-rows.ts'
import { publishedMessage } from '../domain/webhook.ts'
import { filledTables } from '../lake/connection/non-empty-tables.ts'
import { checkLake } from '../lake/connection/check-lake.ts'
import { readTrail } from '../lake/decisions/audit-trail.ts'
import { findRun } from '../lake/results/store-run.ts'
import { sweepStatus } from '../lake/results/status.ts'
import { LISTS } from '../lake/landing/list-schemas.ts'
import { atOneInstant } from '../lake/connection/transact.ts'
import { unknownNamesOf } from '../lake/landing/unknown-names.ts'
import { targetOf } from '../reports/target-of.ts'
import { writePack } from '../reports/write-pack.ts'
import { type PackAbout } from '../reports/pack/pack-source.ts'
import type { SharedLake } from './runtime/shared-lake.ts'
import { unexplainedOf } from './post-outcome.ts'
import { moveLatest, recordedOrWithdrawn } from './record-pack.ts'
import { hasRows } from '../lake/connection/has-rows.ts'

/**
 * Publishes the stored results of the run, then calls the webhook if there is one. The pack is
 * published even if that call fails. Throws lake_damaged, control_total_failed or certificate_too_low.
 */
export const createPublish = (settings: Settings, shared: SharedLake) => {
  const publish = createWrite(settings, shared)
  return async (run: Run, signal?: AbortSignal): Promise<Published> => {
    const { published, found } = await publish(run, signal)
    if (settings.webhook === undefined) return published
    const unexplained = await shared.connected(
      (_lake, connection) => unexplainedOf(connection, settings, run.runId),
      signal,
    )
    const message = publishedMessage(run, found, { ...published, unexplained })
    const cancelled = signal === undefined ? {} : { cancelled: signal }
    const webhookFailed = await postMessage(settings.webhook, message, cancelled)
    return webhookFailed === undefined ? published : { ...published, webhookFailed }
  }
}

interface Written {
  published: Published
  found: ReconcileResult
  manifestSha256: string
}

const createWrite =
  (settings: Settings, shared: SharedLake) =>
  async (run: Run, signal?: AbortSignal): Promise<Written> =>
    shared.connected(async (lake, connection) => {
      // The run may have been stored long before, by a worker that was killed.
      await checkLake(lake, connection, { runId: run.runId })
      await readTrail(connection)
      const place = { ...run, ...outOf(settings, run) }
      const recording = { shared, lake, connection, run, target: targetOf(place) }
      const written = await recordedOrWithdrawn(recording, (isWritten) =>
        atOneInstant(connection, async () => {
          const stored = await writeStored(settings, run, { connection, signal })
          isWritten({ ...stored.published, manifestSha256: stored.manifestSha256 })
          return stored
        }),
      )
      const latest = await moveLatest(connection, place)
      return { ...written, published: { ...written.published, ...latest } }
    }, signal)

/** The folder or address of the packs, the mode of its files, and its store. */
const outOf = ({ out, packMode, packStore }: Settings, run: Run) => ({
  out: run.out ?? out,
  ...(packMode === undefined ? {} : { packMode }),
  ...(packStore === undefined ? {} : { packStore }),
})

async function writeStored(
  settings: Settings,
  run: Run,
  { connection, signal }: { connection: DuckDBConnection; signal: AbortSignal | undefined },
): Promise<Written> {
  const stored = await findRun(connection, run.runId)
  assert(stored !== undefined, `run ${run.runId} was reconciled before it is published`)
  const knownAt = String(stored['known_at'])
  const isFilled = await filledTables(connection)
  const isOfFiles =
    isFilled('lake.ops.imported_file') && (await restsOnFiles(connection, run.account, knownAt))
  const certificate = isOfFiles
    ? 'BEST_EFFORT'
    : await weakestCertificate(connection, run.account, knownAt)
  refuseTooLow(certificate, run.minCertificate)
  const { unknownNames, emptyValues } = isFilled('lake.ops.unknown_name')
    ? await unknownNamesOf(connection, run.account, knownAt)
    : { unknownNames: {}, emptyValues: {} }
  const about: PackAbout = {
    account: run.account,
    window: run.window,
    runId: run.runId,
    ...outOf(settings, run),
    asOf: run.asOf,
    knownAt,
    codeVersion: String(stored['code_version']),
    parameters: JSON.parse(String(stored['parameters'])),
    configHash: String(stored['config_hash']),
    certificate,
    csvProfile: settings.csvProfile,
    ...(run.preparedBy === undefined ? {} : { preparedBy: run.preparedBy }),
    ...{ unknownNames, emptyValues },
    counts: await countsFor(connection, run.account, knownAt),
  }
  const { account, runId } = run
  const source = new PackRows(connection, { runId, account, knownAt, isFilled, signal })
  const { folder: pack, manifestSha256 } = await writePack(source, about, signal)
  const found: ReconcileResult = JSON.parse(String(stored['headline']))
  const published = { pack, certificate, ...answeredNames(unknownNames) }
  return { published, found, manifestSha256 }
}

/** Returns true if the newest data of a list comes from files, which prove no absence. */
const restsOnFiles = (
  connection: DuckDBConnection,
  account: string,
  knownAt: string,
): Promise<boolean> =>
  hasRows(
    connection,
    `with known as (
       select list, landing_seq, false as is_file from lake.ops.sweep
       where account = $1 and landing_seq <= $2::bigint
       union all
       select list, landing_seq, true from lake.ops.imported_file
       where account = $1 and landing_seq <= $2::bigint)
     select 1 from known group by list having arg_max(is_file, landing_seq)`,
    [account, knownAt],
  )

/** Returns the weakest certificate of the newest sweeps of all lists. */
async function weakestCertificate(
  connection: DuckDBConnection,
  account: string,
  knownAt: string,
): Promise<Certificate> {
  const sweeps = await sweepStatus(connection, account, knownAt)
  const isOf = (name: Certificate) => sweeps.some(({ certificate }) => certificate === name)
  // Nothing is known of a list that no sweep has read.
  const isWhole = sweeps.length === Object.keys(LISTS).length
  return (isWhole && CERTIFICATES.findLast(isOf)) || 'BEST_EFFORT'
}

function refuseTooLow(certificate: Certificate, least: Certificate | undefined): void {
  const rank = (name: Certificate) => CERTIFICATES.indexOf(name)
  if (least === undefined || rank(certificate) <= rank(least)) return
  throw new Failure(
    'certificate_too_low',
    `the sweeps are only ${certificate}, but ${least} is required; the pack is withheld`,
  )
}

/** Counts for the manifest that no file shows. */
async function countsFor(
  connection: DuckDBConnection,
  account: string,
  knownAt: string,
): Promise<Record<string, number>> {
  const reader = await connection.runAndReadAll(
    `select count(distinct settlement_id) filter (where net_noise) from lake.seen.settlement_version
     where account = $1 and landing_seq <= $2::bigint`,
    [account, knownAt],
  )
  return { amountNetWithFloatNoise: Number(reader.getRows()[0]?.[0]) }
}

/** The most names of each list in the answer; the manifest and the lake have them all. */
const ANSWERED_NAMES = 10

function answeredNames(unknownNames: UnknownNames): Pick<Published, 'unknownNames'> {
  const lists = Object.entries(unknownNames)
  if (lists.length === 0) return {}
  const few = lists.map(([list, names]) => {
    const all = Object.entries(names)
    const others = all.slice(ANSWERED_NAMES).reduce((sum, [, records]) => sum + records, 0)
    const shown = Object.fromEntries(all.slice(0, ANSWERED_NAMES))
    return [list, others === 0 ? shown : { ...shown, '(others)': others }]
  })
  return { unknownNames: Object.fromEntries(few) }
}
