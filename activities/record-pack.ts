/** The steps after a pack has its name: its record in the lake, and the link `latest`. */
import type { DuckDBConnection } from '@duckdb/node-api'
import { Failure, reworded } from '../domain/failure.ts'
import { reasonOf } from '../domain/reason.ts'
import type { Published, Run } from '../domain/run.ts'
import type { Lake } from '../lake/connection/lake.ts'
import { lakeFailure, raceFailure } from '../lake/connection/lake-errors.ts'
import { isRecorded, publicationsByRank, recordPublication } from '../lake/results/publications.ts'
import { packNameOf } from '../reports/pack/latest-link.ts'
import { packFolder, type PackPlace } from '../reports/pack/pack-folder.ts'
import type { PackTarget } from '../reports/pack/pack-target.ts'
import { targetOf } from '../reports/target-of.ts'
import type { SharedLake } from './runtime/shared-lake.ts'

type Written = Pick<Published, 'certificate' | 'pack'> & { manifestSha256: string }

/**
 * Runs `write`, then records the pack in the lake. If either fails after `write` has reported the pack, the pack is
 * deleted, so that no pack is there without a record. The failure names what can't be deleted. A pack that was recorded
 * before stays.
 */
export async function recordedOrWithdrawn<T>(
  { shared, lake, connection, run, target }: Recording,
  write: (isWritten: (written: Written) => void) => Promise<T>,
): Promise<T> {
  const wasRecorded = await isRecorded(connection, run.runId)
  let written: Written | undefined
  try {
    const result = await write((now) => {
      written = now
    })
    if (written !== undefined) await record({ lake, connection, run, target }, written)
    return result
  } catch (error) {
    if (written === undefined || wasRecorded || (await isRecordedNow(shared, run))) throw error
    const { pack } = written
    const left = await target.withdraw(pack).catch((cause: unknown) => ({ cause }))
    throw left === undefined ? error : withLeft(error, pack, left.cause)
  }
}

/** Adds what is left of a pack without a record to the error of the record, whose code and remedy say more. */
function withLeft(error: unknown, pack: string, cause: unknown): Failure {
  const left = cause instanceof Failure ? cause.message : reasonOf(cause)
  const known = error instanceof Failure ? error : (lakeFailure(error) ?? raceFailure(error))
  const failure = known ?? new Failure('bug', 'the pack could not be recorded')
  const what = `${failure.message}; the pack ${pack} has no record, and parts of it can't be deleted: ${left}`
  return reworded(failure, what, error)
}

interface Recording {
  shared: SharedLake
  lake: Lake
  connection: DuckDBConnection
  run: Run
  /** The place of the pack. */
  target: PackTarget
}

async function record(
  { lake, connection, run, target }: Omit<Recording, 'shared'>,
  { pack, ...published }: Written,
): Promise<void> {
  await recordPublication(lake, connection, { ...run, ...published })
  if ((await target.firstPack([pack])) !== undefined) return
  // A simultaneous attempt failed and took back the pack that this one had found. The next attempt writes it anew.
  throw new Failure('lake_locked', `another attempt at run ${run.runId} withdrew its pack`)
}

/** Asks on a connection that no signal interrupts. A commit that reported an error may still stand. */
const isRecordedNow = (shared: SharedLake, { runId }: Run): Promise<boolean> =>
  shared.connected((_lake, connection) => isRecorded(connection, runId)).catch(() => false)

/**
 * Points `latest` at the account's pack of the lowest rank that this output folder has. Returns the name of that pack
 * if it is not the run's own. Also returns the name that `latest` had before if this lake does not know that pack.
 */
export async function moveLatest(
  connection: DuckDBConnection,
  place: PackPlace,
): Promise<Pick<Published, 'latest' | 'foreignLatest'>> {
  const foreign = await foreignLatest(connection, place)
  const moved = await pointAtNewest(connection, place)
  return { ...moved, ...(foreign === undefined ? {} : { foreignLatest: foreign }) }
}

/** Returns the name of the pack that `latest` names, if no run of this lake published it. */
async function foreignLatest(
  connection: DuckDBConnection,
  place: PackPlace,
): Promise<string | undefined> {
  const name = await targetOf(place).latestBeside(packFolder(place))
  const runId = name?.trim().split(/[\\/]/).at(-1)
  if (runId === undefined || (await isRecorded(connection, runId))) return undefined
  return name
}

async function pointAtNewest(
  connection: DuckDBConnection,
  place: PackPlace,
): Promise<Pick<Published, 'latest'>> {
  const mine = packFolder(place)
  let target = await latestFolder(connection, place)
  for (;;) {
    await pointAt(place, { target, mine })
    const next = await latestFolder(connection, place)
    // Another process may have recorded a pack meanwhile, and moved the link before this one did.
    if (next === target) return target === mine ? {} : { latest: packNameOf(target) }
    target = next
  }
}

async function latestFolder(connection: DuckDBConnection, place: PackPlace): Promise<string> {
  const ranked = await publicationsByRank(connection, place.account)
  const folders = ranked.map(({ runId, ...window }) => packFolder({ ...place, runId, window }))
  return (await targetOf(place).firstPack(folders)) ?? packFolder(place)
}

async function pointAt(
  place: PackPlace,
  { target, mine }: { target: string; mine: string },
): Promise<void> {
  try {
    await targetOf(place).pointLatestAt(target)
  } catch (cause) {
    const isKnown = cause instanceof Failure
    const { code = 'would_overwrite', remedy = 'move away what stands there' } =
      (isKnown ? cause : lakeFailure(cause)) ?? {}
    const why = isKnown ? cause.message : reasonOf(cause)
    const what = `the pack ${mine} is published, but latest can't be moved: ${why}`
    throw new Failure(code, what, { cause, remedy, ...(isKnown ? { retry: cause.retry } : {}) })
  }
}
