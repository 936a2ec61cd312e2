/** Says whether a worker can work now: its lake, its catalog and its store answer. */
import type { DuckDBConnection } from '@duckdb/node-api'
import { setTimeout as pause } from 'node:timers/promises'
import { Failure } from '../../domain/failure.ts'
import type { LakeSettings } from '../../domain/settings.ts'
import { CATALOG } from '../../lake/connection/commit-record.ts'
import { isThere } from '../../lake/connection/open.ts'
import { quoted } from '../../lake/connection/sql-literal.ts'
import type { SharedLake } from './shared-lake.ts'

const WAITS_MS = 10_000

/** Returns a function that answers with the code of the failure, or undefined if the worker is ready. */
export const createReadiness =
  (shared: SharedLake, lake: LakeSettings) => async (): Promise<string | undefined> => {
    // The first run makes a missing lake.
    if (!isThere(lake)) return undefined
    const late = new AbortController()
    try {
      const slow = pause(WAITS_MS, 'lake_unreachable', { signal: late.signal })
      return await Promise.race([answerOf(shared, lake), slow])
    } finally {
      late.abort()
    }
  }

async function answerOf(shared: SharedLake, lake: LakeSettings): Promise<string | undefined> {
  try {
    await shared.connected((_lake, connection) => readBoth(connection, lake))
    return undefined
  } catch (error) {
    return error instanceof Failure ? error.code : 'bug'
  }
}

/** A row of the catalog, and a list of no file in the store. */
async function readBoth(connection: DuckDBConnection, { data, store }: LakeSettings) {
  await connection.run(`select max(snapshot_id) from ${CATALOG}.ducklake_snapshot`)
  if (store === undefined) return
  await connection.run(`select count(*) from glob(${quoted(`${data}/readiness/*`)})`)
}
