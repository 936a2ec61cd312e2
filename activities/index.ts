/** The activities of one worker, with its accounts and its lake. */
import { Context } from '@temporalio/activity'
import type { Rate } from '../api/rate/rate.ts'
import { assert } from '../domain/failure.ts'
import { type Settings, SWEEP_RULES } from '../domain/settings.ts'
import { createActOnBooks } from './decide/act-on-books.ts'
import type { AllowPath } from './runtime/allowed-path.ts'
import { keyCheck, type KeyCheck } from './runtime/key-check.ts'
import { beatingUntil, type Beating } from './runtime/beating.ts'
import { createImportFile } from './import/import-files.ts'
import { createMaintainLake } from './maintain-lake.ts'
import { Metrics, type BatchCounts } from './runtime/metrics.ts'
import { createPrepareRun } from './reconcile/prepare-run.ts'
import { createPostOutcome } from './post-outcome.ts'
import { createPublish } from './publish.ts'
import { createReconcile } from './reconcile/reconcile.ts'
import { createRecordBackfill } from './record-backfill.ts'
import { type AccountKeys, ServedAccounts } from './runtime/served-accounts.ts'
import { SharedLake } from './runtime/shared-lake.ts'
import { sweptOrImported } from './sweep/transactions-source.ts'
import { createSweepList } from './sweep/sweep-list.ts'
import type { SweepProgress } from './sweep/sweep-segment.ts'
import { createMetricsText } from './runtime/lake-metrics.ts'
import { createReadiness } from './runtime/readiness.ts'
import type { Activities } from './types.ts'
import type { Heartbeat, Published } from '../domain/run.ts'
import { undelivered } from '../domain/webhook.ts'

export interface ActivityDependencies extends AccountKeys {
  /** At least one; they share one lake. */
  accounts: readonly Settings[]
  /** Decides which paths an order may name. */
  allowPath: AllowPath
  /** The same for the places of packs. */
  allowOut: AllowPath
  /** Receives a line when a binary was fetched. */
  say?: (line: string) => void
  /** True for a worker that keeps running after a command. */
  isLasting?: boolean
  /**
   * Set when the process is about to end: no activity starts any more, and no pack is published.
   */
  leaving?: AbortSignal
}

/** Makes the activities. The first activity that needs a source or the lake opens it, unless `begin` has. */
export function createActivities(dependencies: ActivityDependencies): {
  activities: Activities
  /** Throws lake_outdated, before any work. */
  begin(): Promise<void>
  /** The text of the metrics of this process and of its lake. */
  metricsText(): Promise<string>
  /** The code of the failure that keeps the worker from working; undefined if there is none. */
  readiness(): Promise<string | undefined>
  close(): Promise<void>
} {
  const { accounts, allowOut, allowPath, hashKeys } = dependencies
  const { say = () => {}, isLasting = false } = dependencies
  const { leaving = new AbortController().signal } = dependencies
  const [first, ...others] = accounts
  assert(first !== undefined, 'a worker serves an account')
  const shared = new SharedLake(first.lake, say, { isLasting })
  const served = new ServedAccounts(accounts, dependencies)
  const checkKey = keyCheck(shared, hashKeys)
  const metrics = new Metrics(() => served.sent())
  const beating = beatingUntil(leaving)
  const tools = { served, shared, metrics, beating, checkKey, hashKeys, allowPath, allowOut, first }
  return {
    activities: activitiesOf(tools),
    begin: () => shared.begin(),
    metricsText: createMetricsText(metrics, shared, [first, ...others]),
    readiness: createReadiness(shared, first.lake, accounts),
    close: async () => {
      await served.close()
      await shared.close()
    },
  }
}

interface Tools extends Pick<ActivityDependencies, 'allowOut' | 'allowPath' | 'hashKeys'> {
  served: ServedAccounts
  shared: SharedLake
  metrics: Metrics
  beating: Beating
  checkKey: KeyCheck
  /** The settings of the first account, whose lake is that of all. */
  first: Settings
}

function activitiesOf(tools: Tools): Activities {
  const { served, shared, beating, checkKey, hashKeys, allowPath, allowOut, first } = tools
  return {
    checkSource: ({ account }) =>
      beating('checking the service', ({ signal }) => served.source(account).probe(signal)),
    prepareRun: (start) =>
      beating('preparing the run', () => {
        const { account, out } = start.request
        const settings = served.settings(account)
        if (out !== undefined) allowOut(out, settings)
        return createPrepareRun(settings, shared)(start)
      }),
    sweepList: sweepActivity(tools),
    reconcile: (run) =>
      beating('reconciling', ({ signal, say }) => {
        const onModelDone = (model: string) => say({ doing: `reconciling ${model}` })
        return createReconcile(served.settingsOf(run), shared)(run, { signal, onModelDone })
      }),
    publish: (run) =>
      beating('writing the pack', async ({ signal, leaving }) => {
        const settings = served.settingsOf(run)
        if (run.out !== undefined) allowOut(run.out, settings)
        const publish = createPublish(settings, shared)
        return logged(await publish(run, AbortSignal.any([signal, leaving])))
      }),
    postOutcome: (outcome) =>
      beating('calling the webhook', async ({ signal }) => {
        const post = createPostOutcome(served.settings(outcome.account), shared)
        logFailedCall(await post(outcome, signal))
      }),
    maintainLake: (order) =>
      beating('maintaining the lake', ({ signal, say }) => {
        if (order.backUpTo !== undefined) allowPath(order.backUpTo, first)
        const maintain = createMaintainLake(shared, (account) => hashKeys(served.settings(account)))
        return maintain(order, signal, (doing) => say({ doing }))
      }),
    recordBackfill: (event) =>
      beating('recording a backfill', () =>
        createRecordBackfill(served.webhook(event.account), shared)(event),
      ),
    actOnBooks: (act) =>
      beating('writing to the audit trail', () =>
        createActOnBooks(served.settings(act.account), shared)(act),
      ),
    importFile: (order) =>
      beating('importing a file', async ({ signal }) => {
        const settings = served.settings(order.account)
        allowPath(order.file, settings)
        const keys = await checkKey(settings)
        return createImportFile(settings, shared, keys)(order, signal)
      }),
  }
}

function sweepActivity({
  served,
  shared,
  metrics,
  beating,
  checkKey,
}: Tools): Activities['sweepList'] {
  // Each segment of a sweep is a call of its own.
  const lengths = new Map<string, number>()
  return (request) =>
    beating(`sweeping ${request.list}`, ({ signal, say }) =>
      sweptOrImported(served.settings(request.account), request, () =>
        served.leased(request.account, request.pace, async (source) => {
          const { account, list, pass } = request
          const hasBegun = list !== 'terminals' || pass > 1
          const hashKeys = await checkKey(served.settings(account), hasBegun)
          const { terminals, sweeps: rules = SWEEP_RULES, timezone } = served.settings(account)
          const onLanded = (batch: BatchCounts) => metrics.landed(account, list, batch)
          const about = { terminals, rules, timezone, hashKeys, onLanded, lengths }
          const sweepList = createSweepList(shared, () => source, about)
          let swept: Partial<SweepProgress> = {}
          say(() => ({ doing: `sweeping ${list}`, ...swept, ...waitOf(source.rate) }))
          return sweepList(request, signal, (progress) => {
            swept = progress
          })
        }),
      ),
    )
}

/** The newest wait that the service asked for. */
const waitOf = ({ lastWait }: Rate): Pick<Heartbeat, 'wait'> =>
  lastWait === undefined ? {} : { wait: lastWait }

/**
 * Logs once for each run the unknown fields and values of the service, and a failed call of the
 * webhook.
 */
function logged(published: Published): Published {
  const names = Object.entries(published.unknownNames ?? {}).flatMap(([list, found]) =>
    Object.keys(found).map((name) => `${list} ${name}`),
  )
  if (names.length > 0) {
    Context.current().log.warn(
      `fields or values that the known interface doesn't have: ${names.join(', ')}`,
    )
  }
  logFailedCall(published.webhookFailed)
  return published
}

function logFailedCall(why: string | undefined): void {
  if (why !== undefined) Context.current().log.warn(undelivered(why))
}
