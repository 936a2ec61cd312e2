/** Holds the open lake of a worker process. The first use opens it, and the worker's end closes it. */
import type { DuckDBConnection } from '@duckdb/node-api'
import { Failure } from '../../domain/failure.ts'
import type { LakeSettings } from '../../domain/settings.ts'
import { damageBehind } from '../../lake/connection/damage-behind.ts'
import { interruptible } from '../../lake/connection/interruptible.ts'
import { lakeFailure, raceFailure } from '../../lake/connection/lake-errors.ts'
import { isThere, openLake } from '../../lake/connection/open.ts'
import { type Lake } from '../../lake/connection/lake.ts'

export class SharedLake {
  readonly #settings: LakeSettings
  readonly #say: (line: string) => void
  #opening: Promise<Lake> | undefined

  constructor(settings: LakeSettings, say: (line: string) => void) {
    this.#settings = settings
    this.#say = say
  }

  lake(): Promise<Lake> {
    // A failed opening is forgotten, so that the next attempt starts afresh.
    this.#opening ??= openLake(this.#settings, { say: this.#say }).catch((error: unknown) => {
      this.#opening = undefined
      throw error
    })
    return this.#opening
  }

  /**
   * Opens a lake that is there, so that a worker of another version takes no work. Throws lake_outdated. Other failures
   * may pass by the time of the first work, which reports them.
   */
  async begin(): Promise<void> {
    if (!isThere(this.#settings)) return
    await this.lake().catch((error: unknown) => {
      if (error instanceof Failure && error.code === 'lake_outdated') throw error
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
      throw failure ?? (await damageBehind(this.#settings, error)) ?? error
    }
  }

  async close(): Promise<void> {
    const opening = this.#opening
    this.#opening = undefined
    const lake = await opening?.catch(() => undefined)
    lake?.close()
  }
}
