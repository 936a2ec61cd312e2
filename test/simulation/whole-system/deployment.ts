/** An installation: a folder with the lake and the packs, the service beside it, and the activities of its process. */
import { existsSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { createActOnBooks } from '../../../activities/decide/act-on-books.ts'
import { createMaintainLake } from '../../../activities/maintain-lake.ts'
import { createPublish } from '../../../activities/publish.ts'
import { createPrepareRun } from '../../../activities/reconcile/prepare-run.ts'
import { createReconcile } from '../../../activities/reconcile/reconcile.ts'
import { SharedLake } from '../../../activities/runtime/shared-lake.ts'
import { createSweepList } from '../../../activities/sweep/sweep-list.ts'
import { createSource, type Source } from '../../../api/http/source.ts'
import { Secret, type Settings } from '../../../domain/settings.ts'
import { startSimulator, type Simulator } from '../../../simulator/service/server.ts'
import type { SimulatorOptions } from '../../../simulator/world/options.ts'
import { emptyLakeIn, lakeSettingsIn, newFolder } from '../../support/lake-template.ts'
import { plainAccount } from '../../support/plain-account.ts'
import { simulatedSource } from '../../support/simulated-source.ts'
import { real } from './faults.ts'

const HASH_KEYS = { first: new Secret('test-hash-key'), later: [] }

export const ACCOUNT = 'acme'

/** The folders that a crash leaves, as they were at its instant. */
const LASTING = ['lake', 'out', 'backups']

export class Deployment {
  readonly folder: string
  readonly simulator: Simulator
  settings: Settings
  #shared: SharedLake
  readonly #source: Source

  constructor(folder: string, simulator: Simulator, settings: Settings) {
    this.folder = folder
    this.simulator = simulator
    this.settings = settings
    this.#shared = new SharedLake(settings.lake, () => {})
    if (settings.source === undefined) throw new Error('the service has an address')
    this.#source = createSource(settings.source, { hashKey: new Secret('test-hash-key') })
  }

  get shared(): SharedLake {
    return this.#shared
  }

  /** The activities of the present process. */
  get activities() {
    const { settings, shared } = this
    return {
      prepareRun: createPrepareRun(settings, shared),
      sweepList: createSweepList(shared, () => this.#source, {}),
      reconcile: createReconcile(settings, shared),
      publish: createPublish(settings, shared),
      maintainLake: createMaintainLake(shared, () => HASH_KEYS),
      actOnBooks: createActOnBooks(settings, shared),
    }
  }

  /** Copies the files, so that nothing after this instant counts. */
  copyAsOfNow(copy = 'killed'): void {
    this.#copy(this.folder, join(this.folder, copy))
  }

  /** Ends the process that was killed, and begins another on the files that it left. */
  async beginAgain(): Promise<void> {
    await this.beginFrom('killed')
    real.rmSync(join(this.folder, 'killed'), { recursive: true, force: true })
  }

  /** Ends the process, and begins another on a copy of the files. */
  async beginFrom(copy: string): Promise<void> {
    await this.#shared.close().catch(() => {})
    for (const name of LASTING) {
      real.rmSync(join(this.folder, name), { recursive: true, force: true })
    }
    this.#copy(join(this.folder, copy), this.folder)
    this.#shared = new SharedLake(this.settings.lake, () => {})
  }

  #copy(from: string, to: string): void {
    for (const name of LASTING.filter((one) => real.existsSync(join(from, one)))) {
      real.cpSync(join(from, name), join(to, name), {
        recursive: true,
        verbatimSymlinks: true,
        preserveTimestamps: true,
      })
    }
  }

  /** A second installation on a copy of a backup, with packs of its own and the same service. */
  restored(backup: string): Deployment {
    const lake = join(this.folder, 'restored')
    real.cpSync(backup, lake, { recursive: true })
    return new Deployment(this.folder, this.simulator, {
      ...this.settings,
      lake: lakeSettingsIn(lake),
      out: join(this.folder, 'restored-out'),
    })
  }

  async close(): Promise<void> {
    await this.#source.close().catch(() => {})
    await this.#shared.close().catch(() => {})
  }
}

/** A disk in memory, where there is one of some size: the simulation flushes files all the time. */
export function useMemoryDisk(): void {
  const { bavail, bsize } = statfsSync(existsSync(MEMORY_DISK) ? MEMORY_DISK : '/')
  if (existsSync(MEMORY_DISK) && bavail * bsize > 2 ** 30) process.env['TMPDIR'] ??= MEMORY_DISK
}

const MEMORY_DISK = '/dev/shm'

/** Makes the world, serves it, and puts an empty lake beside it. `mount` may replace the folder's disk. */
export async function deploy(
  options: SimulatorOptions,
  now: string,
  mount: (folder: string) => void,
): Promise<Deployment> {
  const folder = newFolder()
  mount(folder)
  const simulator = await startSimulator(options, { now })
  const settings = plainAccount({
    account: ACCOUNT,
    out: join(folder, 'out'),
    lake: emptyLakeIn(folder),
    source: simulatedSource(simulator.url, options, 1000),
  })
  real.mkdirSync(join(folder, 'backups'))
  return new Deployment(folder, simulator, settings)
}
