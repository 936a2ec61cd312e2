/** Says whether a worker can work now: its lake, its catalog, its store and the buckets of its packs answer. */
import type { DuckDBConnection } from '@duckdb/node-api'
import { setTimeout as pause } from 'node:timers/promises'
import { Failure, type FailureCode } from '../../domain/failure.ts'
import { isObjectAddress } from '../../domain/object-address.ts'
import type { LakeSettings, Settings } from '../../domain/settings.ts'
import { CATALOG } from '../../lake/connection/commit-record.ts'
import { isThere } from '../../lake/connection/open.ts'
import { quoted } from '../../lake/connection/sql-literal.ts'
import { targetOf } from '../../reports/target-of.ts'
import type { SharedLake } from './shared-lake.ts'

const WAITS_MS = 10_000

type PackPlace = Pick<Settings, 'out' | 'packStore'>

/** Returns a function that answers with the code of the failure, or undefined if the worker is ready. */
export const createReadiness = (
  shared: SharedLake,
  lake: LakeSettings,
  packs: readonly PackPlace[] = [],
): (() => Promise<string | undefined>) => {
  const buckets = new Map(
    packs.filter(({ out }) => isObjectAddress(out)).map((place) => [place.out, place]),
  )
  const checks = [
    inTime('lake_unreachable', () => answerOf(shared, lake)),
    ...[...buckets.values()].map((place) => inTime('store_unreachable', () => tryPacks(place))),
  ]
  return async () => {
    const answers = await Promise.all(checks.map((check) => check()))
    return answers.find((code) => code !== undefined)
  }
}

/** Returns the code of the failure of `work`, or `late` if it takes too long. */
const inTime = (late: FailureCode, work: () => Promise<void>) => async () => {
  const waiting = new AbortController()
  try {
    const slow = pause(WAITS_MS, late, { signal: waiting.signal })
    return await Promise.race([work().then(() => undefined), slow])
  } catch (error) {
    return error instanceof Failure ? error.code : 'bug'
  } finally {
    waiting.abort()
  }
}

async function answerOf(shared: SharedLake, lake: LakeSettings): Promise<void> {
  // The first run makes a missing lake.
  if (!isThere(lake)) return
  await shared.connected((_lake, connection) => readBoth(connection, lake))
}

/** A row of the catalog, and a list of no file in the store. */
async function readBoth(connection: DuckDBConnection, { data, store }: LakeSettings) {
  await connection.run(`select max(snapshot_id) from ${CATALOG}.ducklake_snapshot`)
  if (store === undefined) return
  await connection.run(`select count(*) from glob(${quoted(`${data}/readiness/*`)})`)
}

/** Asks for an object that never exists. The store then has to know the bucket and the credentials. */
const tryPacks = async (place: PackPlace): Promise<void> => {
  await targetOf(place).manifestAt(`${place.out}/readiness`)
}
