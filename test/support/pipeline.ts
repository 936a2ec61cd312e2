/** The whole job in one process against the simulator over HTTP, without Temporal: sweep, land, reconcile, publish. */
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { createPublish } from '../../activities/publish.ts'
import { createReconcile } from '../../activities/reconcile/reconcile.ts'
import { SharedLake } from '../../activities/runtime/shared-lake.ts'
import { createSweepList } from '../../activities/sweep/sweep-list.ts'
import { createSource } from '../../api/http/source.ts'
import { addDays, dateIn } from '../../domain/business-day.ts'
import type { List, Published, ReconcileResult, Run, SweepResult } from '../../domain/run.ts'
import type { KeyRing, Settings, SweepRules } from '../../domain/settings.ts'
import { simulatorOptions, type PartialOptions } from '../../simulator/world/options.ts'
import { startSimulator, type Simulator } from '../../simulator/service/server.ts'
import { simulatedSource } from './simulated-source.ts'
import { ringOf } from './key-ring.ts'
import { emptyLakeIn } from './lake-template.ts'
import { plainAccount } from './plain-account.ts'
import { tempFolder } from './temp-lake.ts'

export interface Pipeline {
  simulator: Simulator
  settings: Settings
  shared: SharedLake
  /** From now on sweeps use these keys. The first one stays `test-hash-key`. */
  useKeys(keys: KeyRing): void
  /** Sweeps all lists; answers with how many versions were new. */
  sweep(runId: string): Promise<number>
  /**
   * Sweeps, reconciles and publishes as of the simulated time; without a window, the last 35 days. A window that was asked
   * for is swept as such.
   */
  night(
    runId: string,
    window?: { from: string; to: string },
    how?: { isAskedFor: boolean },
  ): Promise<Night>
}

export interface Night extends ReconcileResult, Published {
  run: Run
  newVersions: number
}

export interface More extends Partial<Settings> {
  rules?: SweepRules
  /** Something that stands before the simulator; answers with its own address. */
  through?: (url: string) => Promise<string>
}

export async function startPipeline(
  world: PartialOptions,
  now: string,
  more: More = {},
): Promise<Pipeline> {
  const { rules, through, ...changes } = more
  const options = simulatorOptions(world)
  const simulator = await startSimulator(options, { now })
  const folder = tempFolder()
  const settings = plainAccount({
    out: join(folder, 'out'),
    lake: emptyLakeIn(folder),
    source: simulatedSource((await through?.(simulator.url)) ?? simulator.url, options, 1000),
    ...changes,
  })
  const shared = new SharedLake(settings.lake, () => {})
  if (settings.source === undefined) throw new Error('a pipeline has a source')
  let hashKeys = ringOf('test-hash-key')
  const source = createSource(settings.source, { hashKey: hashKeys.first })
  onTestFinished(async () => {
    await source.close()
    await shared.close()
    await simulator.stop()
  })
  const reconcile = createReconcile(settings, shared)
  const publish = createPublish(settings, shared)

  async function sweepWhole(
    run: { runId: string; from?: string },
    list: List,
    pass: number,
  ): Promise<SweepResult> {
    const sweepList = createSweepList(shared, () => source, {
      ...(rules === undefined ? {} : { rules }),
      ...{ terminals: settings.terminals, hashKeys },
    })
    for (;;) {
      const result = await sweepList({ ...run, account: settings.account, list, pass })
      if (result.done) return result
    }
  }

  async function sweepAll(run: { runId: string; from?: string }): Promise<number> {
    let newVersions = 0
    let isLater = false
    for (const [list, pass] of [
      ['terminals', 1],
      ['settlements', 1],
      ['transactions', 1],
      ['settlements', 2],
    ] as const) {
      const result = await sweepWhole(run, list, pass)
      newVersions += result.newVersions
      isLater ||= result.later === true
    }
    if (isLater) await sweepWhole(run, 'terminals', 2)
    return newVersions
  }

  return {
    simulator,
    settings,
    shared,
    useKeys: (keys) => {
      hashKeys = keys
    },
    sweep: (runId) => sweepAll({ runId }),
    async night(runId, window, how) {
      const isAskedFor = how?.isAskedFor === true && window !== undefined
      const newVersions = await sweepAll(isAskedFor ? { runId, from: window.from } : { runId })
      const asOf = new Date(simulator.now()).toISOString()
      const to = dateIn(settings.timezone, Date.parse(asOf))
      const run: Run = {
        runId,
        account: settings.account,
        window: window ?? { from: addDays(to, -settings.lookbackDays), to },
        asOf,
      }
      const found = await reconcile(run)
      const published = await publish(run)
      return { ...found, ...published, run, newVersions }
    },
  }
}
