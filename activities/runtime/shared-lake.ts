/** Holds the open lake of a worker process. The first use opens it, and the worker's end closes it. */
import type { DuckDBConnection } from '@duckdb/node-api'
import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from '../../domain/failure.ts'
import type { LakeSettings } from '../../domain/settings.ts'
import { damageIn } from '../../lake/connection/read-lake.ts'
import { interruptible } from '../../lake/connection/interruptible.ts'
import { isUnreadable, lakeFailure, raceFailure } from '../../lake/connection/lake-errors.ts'
import { isThere, openLake } from '../../lake/connection/open.ts'
import { type Lake } from '../../lake/connection/lake.ts'
import { OtherVersion } from '../../lake/connection/migrate.ts'

/** An answer about damage holds for this long. */
const CHECK_HOLDS_MS = 10 * 60_000
const CLOSES_MS = 5_000

export interface SharedLakeOptions {
  /**
   * True for a worker that keeps running. A catalog that does not answer yet is lake_lost for it, and waited for. So is
   * any address that worked before.
   */
  isLasting?: boolean
}

export class SharedLake {
  readonly #settings: LakeSettings
  readonly #say: (line: string) => void
  readonly #isLasting: boolean
  #opening: Promise<Lake> | undefined
  #checking: Promise<Failure | undefined> = Promise.resolve(undefined)
  #checkedAt_ms = 0
  #wasOpen = false

  constructor(
    settings: LakeSettings,
    say: (line: string) => void,
    { isLasting = false }: SharedLakeOptions = {},
  ) {
    this.#settings = settings
    this.#say = say
    this.#isLasting = isLasting
  }

  async #open(): Promise<Lake> {
    try {
      const lake = await openLake(this.#settings, { say: this.#say })
      this.#wasOpen = true
      return lake
    } catch (error) {
      const isUnreachable = error instanceof Failure && error.code === 'lake_unreachable'
      throw this.#isLasting && isUnreachable && (error.retry || this.#wasOpen) ? lost(error) : error
    }
  }

  lake(): Promise<Lake> {
    // A failed opening is forgotten, so that the next attempt starts afresh.
    this.#opening ??= this.#open().catch((error: unknown) => {
      this.#opening = undefined
      throw error
    })
    return this.#opening
  }

  /**
   * Opens a lake that is there, so that a worker of another version takes no work. Throws lake_outdated, and
   * lake_unreachable for a lake of a newer version. Other failures may pass by the time of the first work, which
   * reports them.
   */
  async begin(): Promise<void> {
    if (!isThere(this.#settings)) return
    await this.lake().catch((error: unknown) => {
      if (error instanceof OtherVersion) throw error
    })
  }

  /** Runs `work` on its own connection; `signal` interrupts its query. */
  async connected<T>(
    work: (lake: Lake, connection: DuckDBConnection) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    try {
      const lake = await this.lake()
      const connection = await lake.connect()
      try {
        return await interruptible([connection], signal, () => work(lake, connection))
      } finally {
        connection.closeSync()
      }
    } catch (error) {
      const failure = lakeFailure(error) ?? raceFailure(error)
      throw failure ?? (await this.#damageBehind(error)) ?? error
    }
  }

  /** The check reads all files, so that failures of the same minutes share one. */
  #damageBehind(error: unknown): Promise<Failure | undefined> {
    if (!isUnreadable(error)) return Promise.resolve(undefined)
    if (Date.now() - this.#checkedAt_ms > CHECK_HOLDS_MS) {
      this.#checkedAt_ms = Date.now()
      this.#checking = damageIn(this.#settings)
    }
    return this.#checking
  }

  /** Waits for an opening lake only for a moment, because another process may hold its lock for minutes. */
  async close(): Promise<void> {
    const opening = this.#opening
    this.#opening = undefined
    const closed = opening?.then(
      (lake) => lake.close(),
      () => {},
    )
    await Promise.race([closed, sleep(CLOSES_MS, undefined, { ref: false })])
  }
}

const lost = (cause: Failure) =>
  new Failure('lake_lost', cause.message, { cause, remedy: cause.remedy })
