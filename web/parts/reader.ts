/** Reads the lake for pages: read-only, one query at a time on one thread, with a limit of rows and of time. */
import { statSync } from 'node:fs'
import type { LakeSettings } from '../../domain/settings.ts'
import { Failure } from '../../domain/failure.ts'
import { CATALOG } from '../../lake/connection/commit-record.ts'
import { interruptible } from '../../lake/connection/interruptible.ts'
import type { DuckDBConnection } from '@duckdb/node-api'
import { lakeFailure, raceFailure } from '../../lake/connection/lake-errors.ts'
import type { Lake } from '../../lake/connection/lake.ts'
import { checkSchema } from '../../lake/connection/migrate.ts'
import { isThere, openLake } from '../../lake/connection/open.ts'
import { createViews, LATEST } from '../../lake/query/views.ts'
import { createQueue } from './queue.ts'

/** A row as text, the way the files of a pack write it; null for an empty cell. */
export type Cells = Readonly<Record<string, string | null>>

export type Value = string | number | boolean | null

export interface Reading {
  sql: string
  values?: readonly Value[]
  /** At most so many rows; a page never needs more. */
  limit?: number
}

const TIMEOUT_MS = 30_000
/** The most results in memory, and for how long; some of them depend on today's date. */
const MOST_RESULTS = 50
const LIFE_MS = 60_000
/** A page that holds as many rows says that there may be more. */
export const MOST_ROWS = 2_000

/** The lake of the console: attached for reading only, with a connection that has the documented views. */
interface Opened {
  lake: Lake
  views: DuckDBConnection
}

/** The part of the reader that pages of one account use. */
export type AccountReader = Pick<Reader, 'rows' | 'row' | 'query' | 'check'>

/** Holds the lake open from the first page to the end of the console. */
export class Reader {
  readonly #settings: LakeSettings
  #opening: Promise<Opened> | undefined
  readonly #queue = createQueue()
  #file: string | undefined
  #isClosed = false
  /** Results of the snapshot, by query and values. */
  readonly #results = new Map<string, Promise<unknown>>()
  #snapshot: string | undefined
  #until_ms = 0

  constructor(settings: LakeSettings) {
    this.#settings = { ...settings, threads: 1 }
  }

  /** Runs one select over the documented views. Throws lake_unreachable, lake_damaged, or usage after the time limit. */
  rows({ sql, values = [], limit = MOST_ROWS }: Reading): Promise<Cells[]> {
    const work = () =>
      this.#inTurn(async ({ views }) => {
        const select = `select columns(*)::varchar from (${sql}\n) limit ${limit}`
        const reader = await limited([views], () => views.runAndReadAll(select, [...values]))
        return reader.getRowObjectsJson() as unknown as Cells[]
      })
    // A file of many rows is for one person.
    return limit > MOST_ROWS ? work() : this.#remembered(JSON.stringify([sql, values, limit]), work)
  }

  /** The reader of one account: results of `query` are its own. */
  ofAccount(account: string): AccountReader {
    return {
      rows: (reading) => this.rows(reading),
      row: (reading) => this.row(reading),
      query: (key, work) => this.query(`${account} ${key}`, work),
      check: () => this.check(),
    }
  }

  /** The only row of a select. */
  async row(reading: Reading): Promise<Cells | undefined> {
    const [row] = await this.rows({ ...reading, limit: 1 })
    return row
  }

  /** Runs one of the queries that the commands use, on a connection of its own. `key` names it with its values. */
  query<T>(
    key: string,
    work: (connection: DuckDBConnection, lake: Lake) => Promise<T>,
  ): Promise<T> {
    return this.#remembered(key, () =>
      this.#inTurn(async ({ lake }) => {
        const connection = await lake.connect()
        const connections = [connection]
        // Whatever the work opens is interrupted, too.
        const connect = async () => {
          const more = await lake.connect()
          connections.push(more)
          return more
        }
        try {
          return await limited(connections, () => work(connection, { ...lake, connect }))
        } finally {
          connection.closeSync()
        }
      }),
    )
  }

  /** Pages read one at a time, so that they never take a run's processors away. */
  #inTurn<T>(work: (opened: Opened) => Promise<T>): Promise<T> {
    return this.#queue(async () => {
      try {
        return await work(await this.#lake())
      } catch (error) {
        if (error instanceof Failure) throw error
        const known = lakeFailure(error) ?? raceFailure(error)
        // The lake may have been restored or moved meanwhile: the next page opens it afresh.
        if (known !== undefined) await this.#closeNow()
        throw known ?? error
      }
    })
  }

  /**
   * Looks before a page whether this is still the lake that was opened. A lake that was restored or moved is opened
   * afresh. Throws lake_unreachable if it is gone, or if a newer version of the program changed its tables, and
   * lake_outdated if an upgrade was rolled back.
   */
  check(): Promise<void> {
    return this.#queue(async () => {
      if (!isThere(this.#settings)) {
        await this.#closeNow()
        throw goneLake(this.#settings.folder)
      }
      const file = catalogFile(this.#settings)
      if (file !== this.#file) await this.#closeNow()
      this.#file = file
      const { views } = await this.#lake()
      const snapshot = await currentSnapshot(views)
      if (snapshot === this.#snapshot && Date.now() < this.#until_ms) return
      await checkSchema(views)
      this.forget()
      this.#snapshot = snapshot
      this.#until_ms = Date.now() + LIFE_MS
    })
  }

  /** Drops the results, as a new commit does. */
  forget(): void {
    this.#results.clear()
  }

  /** A result is computed once for a commit of the lake, for all people. */
  #remembered<T>(key: string, work: () => Promise<T>): Promise<T> {
    const known = this.#results.get(key) as Promise<T> | undefined
    if (known !== undefined) return known
    const result = work()
    this.#results.set(key, result)
    result.catch(() => this.#results.delete(key))
    const [oldest] = this.#results.keys()
    if (this.#results.size > MOST_RESULTS && oldest !== undefined) this.#results.delete(oldest)
    return result
  }

  #lake(): Promise<Opened> {
    if (this.#isClosed) throw new Failure('lake_unreachable', 'the console is closing')
    this.#opening ??= open(this.#settings).catch((error: unknown) => {
      this.#opening = undefined
      throw error
    })
    return this.#opening
  }

  /** Closes the lake after the query that runs; later queries are refused. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#queue(() => this.#closeNow())
  }

  async #closeNow(): Promise<void> {
    const opening = this.#opening
    this.#opening = undefined
    this.#snapshot = undefined
    const opened = await opening?.catch(() => undefined)
    opened?.views.closeSync()
    opened?.lake.close()
  }
}

/** The number of the newest commit. */
async function currentSnapshot(views: DuckDBConnection): Promise<string> {
  const newest = `select max(snapshot_id)::varchar from ${CATALOG}.ducklake_snapshot`
  return String((await views.runAndReadAll(newest)).getRows()[0]?.[0])
}

const goneLake = (folder: string) =>
  new Failure('lake_unreachable', `there is no lake in ${folder}`, {
    remedy: 'make one with tieout run, or move it back; the console then opens it by itself',
  })

/** The file of the catalog, apart from its name; empty for a catalog in PostgreSQL. */
function catalogFile({ catalog }: LakeSettings): string {
  const found = statSync(catalog.replace(/^sqlite:/, ''), { throwIfNoEntry: false })
  return found === undefined ? '' : `${found.dev}/${found.ino}`
}

async function open(settings: LakeSettings): Promise<Opened> {
  const lake = await openLake(settings, { create: false, readOnly: true })
  try {
    const views = await lake.connect()
    await createViews(views)
    await views.run(`use memory.${LATEST}`)
    return { lake, views }
  } catch (error) {
    lake.close()
    throw error
  }
}

async function limited<T>(
  connections: readonly DuckDBConnection[],
  work: () => Promise<T>,
): Promise<T> {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  try {
    return await interruptible(connections, signal, work)
  } catch (error) {
    throw signal.aborted ? tooSlow(error) : error
  }
}

const tooSlow = (cause: unknown) =>
  new Failure('usage', `the page took longer than ${TIMEOUT_MS / 1000} s to compute`, {
    cause,
    remedy: 'narrow the filter',
  })
