/** The activities of one worker, joined to its accounts and its lake. */
import { Context } from '@temporalio/activity'
import type { Rate } from '../api/rate.ts'
import { assert } from '../domain/failure.ts'
import type { Secret, Settings } from '../domain/settings.ts'
import { createActOnBooks } from './act-on-books.ts'
import { createImportFile } from './import-files.ts'
import { createMaintainLake } from './maintain-lake.ts'
import { Metrics, type BatchCounts } from './metrics.ts'
import { createPrepareRun } from './prepare-run.ts'
import { createPublish } from './publish.ts'
import { createReconcile } from './reconcile.ts'
import { createRecordBackfill } from './record-backfill.ts'
import { ServedAccounts } from './served-accounts.ts'
import { SharedLake } from './shared-lake.ts'
import { sweptOrImported } from './transactions-source.ts'
import { START_RULES } from '../lake/sweep-start.ts'
import { createSweepList } from './sweep-list.ts'
import type { SweepProgress } from './sweep-segment.ts'
import { createTold } from './told-metrics.ts'
import type { Activities, Heartbeat, Published } from './types.ts'
import { withFailures } from './with-failures.ts'

/** A server that hears nothing for longer gives the work to another worker. */
const HEARTBEAT_EVERY_MS = 2_000

export interface ActivityDependencies {
  /** At least one; they share one lake. */
  accounts: readonly Settings[]
  /** The key of the hashes that stand for billing identities; asked for when an account's first sweep begins. */
  hashKey: (settings: Settings) => Secret
  /** Hears of binaries that had to be fetched. */
  say?: (line: string) => void
}

/** Opens nothing yet: sources and lake are opened by the first activity that needs them. */
export function createActivities({ accounts, hashKey, say = () => {} }: ActivityDependencies): {
  activities: Activities
  /** The text of the metrics of this process and of its lake, to be served. */
  told(): Promise<string>
  close(): Promise<void>
} {
  const [first, ...others] = accounts
  assert(first !== undefined, 'a worker serves an account')
  const shared = new SharedLake(first.lake, say)
  const served = new ServedAccounts(accounts, hashKey)
  const metrics = new Metrics(() => served.sent())
  return {
    activities: {
      checkSource: ({ account }) =>
        beating('asking the service', ({ signal }) => served.source(account).probe(signal)),
      prepareRun: prepareActivity(served, shared),
      sweepList: sweepActivity({ served, shared, metrics }),
      reconcile: reconcileActivity(served, shared),
      publish: (run) =>
        beating('writing the pack', async ({ signal }) =>
          logged(await createPublish(served.settingsOf(run), shared)(run, signal)),
        ),
      maintainLake: (order) =>
        beating('maintaining the lake', ({ signal, say }) =>
          createMaintainLake(shared)(order, signal, (doing) => say({ doing })),
        ),
      recordBackfill: (event) =>
        beating('writing down a backfill', () => createRecordBackfill(shared)(event)),
      actOnBooks: (act) =>
        beating('writing to the audit trail', () =>
          createActOnBooks(served.settings(act.account), shared)(act),
        ),
      importFile: (order) =>
        beating('importing a file', ({ signal }) => {
          const settings = served.settings(order.account)
          return createImportFile(settings, shared, () => hashKey(settings))(order, signal)
        }),
    },
    told: createTold(metrics, shared, [first, ...others]),
    close: async () => {
      await served.close()
      await shared.close()
    },
  }
}

interface Sweeping {
  served: ServedAccounts
  shared: SharedLake
  metrics: Metrics
}

const sweepActivity =
  ({ served, shared, metrics }: Sweeping): Activities['sweepList'] =>
  (request) =>
    beating(`sweeping ${request.list}`, ({ signal, say }) =>
      sweptOrImported(served.settings(request.account), request, () =>
        served.leased(request.account, request.pace, (source) => {
          const { account, list } = request
          const { terminals, sweeps: rules = START_RULES, timezone } = served.settings(account)
          const onLanded = (batch: BatchCounts) => metrics.landed(account, list, batch)
          const about = { terminals, rules, timezone, onLanded }
          const sweepList = createSweepList(shared, () => source, about)
          let swept: Partial<SweepProgress> = {}
          say(() => ({ doing: `sweeping ${list}`, ...swept, ...waitOf(source.rate) }))
          return sweepList(request, signal, (progress) => {
            swept = progress
          })
        }),
      ),
    )

const prepareActivity =
  (served: ServedAccounts, shared: SharedLake): Activities['prepareRun'] =>
  (start) =>
    beating('preparing the run', () =>
      createPrepareRun(served.settings(start.request.account), shared)(start),
    )

const reconcileActivity =
  (served: ServedAccounts, shared: SharedLake): Activities['reconcile'] =>
  (run) =>
    beating('reconciling', ({ signal, say }) => {
      const heard = (model: string) => say({ doing: `reconciling ${model}` })
      return createReconcile(served.settingsOf(run), shared)(run, { signal, heard })
    })

/** The newest wait that the service asked for. */
const waitOf = ({ lastWait }: Rate): Pick<Heartbeat, 'wait'> =>
  lastWait === undefined ? {} : { wait: lastWait }

interface Beat {
  signal: AbortSignal
  /** What the heartbeats say from now on; a function is asked each time. */
  say: (beat: Heartbeat | (() => Heartbeat)) => void
}

/** Says once for each run what the service sends beyond the known interface, and that the webhook was not told. */
function logged(published: Published): Published {
  const names = Object.entries(published.unknownNames ?? {}).flatMap(([list, found]) =>
    Object.keys(found).map((name) => `${list} ${name}`),
  )
  if (names.length > 0) {
    Context.current().log.warn(`the known interface doesn't have: ${names.join(', ')}`)
  }
  if (published.webhookFailed !== undefined) {
    Context.current().log.warn(`the webhook was not told: ${published.webhookFailed}`)
  }
  return published
}

/** Heartbeats while the work goes on, and hands it the signal that a cancellation sets. */
function beating<T>(doing: string, work: (beat: Beat) => Promise<T>): Promise<T> {
  const context = Context.current()
  let last: Parameters<Beat['say']>[0] = { doing }
  let warned: string | undefined
  const beat = () => {
    const said = typeof last === 'function' ? last() : last
    if (said.wait !== undefined && said.wait !== warned) context.log.warn(said.wait)
    warned = said.wait
    context.heartbeat(said)
  }
  const timer = setInterval(beat, HEARTBEAT_EVERY_MS)
  const say: Beat['say'] = (next) => {
    last = next
  }
  const signal = context.cancellationSignal
  return withFailures(() => work({ signal, say }), signal).finally(() => clearInterval(timer))
}
