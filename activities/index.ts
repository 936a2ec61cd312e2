/** The activities of one worker, joined to its settings, its source and its lake. */
import { Context } from '@temporalio/activity'
import { createSource, type Source } from '../api/source.ts'
import { Failure } from '../domain/failure.ts'
import type { Secret, Settings } from '../domain/settings.ts'
import { createPrepareRun } from './prepare-run.ts'
import { createPublish } from './publish.ts'
import { limiterWorkflow, RateLease } from './rate-lease.ts'
import { createReconcile } from './reconcile.ts'
import { SharedLake } from './shared-lake.ts'
import { createSweepList } from './sweep-list.ts'
import type { Activities, Heartbeat } from './types.ts'
import { withFailures } from './with-failures.ts'

/** A server that hears nothing for longer gives the work to another worker. */
const HEARTBEAT_EVERY_MS = 2_000

export interface ActivityDependencies {
  settings: Settings
  /** The key of the hashes that stand for billing identities; asked for when the first sweep begins. */
  hashKey: () => Secret
  /** Hears of binaries that had to be fetched. */
  say?: (line: string) => void
}

/** Opens nothing yet: source and lake are opened by the first activity that needs them. */
export function createActivities({ settings, hashKey, say = () => {} }: ActivityDependencies): {
  activities: Activities
  close(): Promise<void>
} {
  const shared = new SharedLake(settings.lake, say)
  let opened: Source | undefined
  const source = () => (opened ??= openSource(settings, hashKey))
  let lease: RateLease | undefined
  const leased = <T>(work: () => Promise<T>) => {
    lease ??= new RateLease(source().rate)
    return lease.during(limiterWorkflow(source().credential), work)
  }
  const prepareRun = createPrepareRun(settings)
  const sweepList = createSweepList(shared, source)
  const reconcile = createReconcile(settings, shared)
  const publish = createPublish(settings, shared)
  return {
    activities: {
      checkSource: () => beating('asking the service', ({ signal }) => source().probe(signal)),
      prepareRun: (start) => withFailures(() => prepareRun(start)),
      sweepList: (request) =>
        beating(`sweeping ${request.list}`, ({ signal, say }) =>
          leased(() =>
            sweepList(request, signal, (progress) =>
              say({ doing: `sweeping ${request.list}`, ...progress }),
            ),
          ),
        ),
      reconcile: (run) =>
        beating('reconciling', ({ signal, say }) =>
          reconcile(run, signal, (model) => say({ doing: `reconciling ${model}` })),
        ),
      publish: (run) => beating('writing the pack', ({ signal }) => publish(run, signal)),
    },
    close: async () => {
      await opened?.close()
      await shared.close()
    },
  }
}

/** Heartbeats while the work goes on, and hands it the signal that a cancellation sets. */
function beating<T>(
  doing: string,
  work: (context: { signal: AbortSignal; say: (beat: Heartbeat) => void }) => Promise<T>,
): Promise<T> {
  const context = Context.current()
  let last: Heartbeat = { doing }
  const beat = () => context.heartbeat(last)
  const timer = setInterval(beat, HEARTBEAT_EVERY_MS)
  const say = (next: Heartbeat) => {
    last = next
  }
  const signal = context.cancellationSignal
  return withFailures(() => work({ signal, say }), signal).finally(() => clearInterval(timer))
}

function openSource(settings: Settings, hashKey: () => Secret): Source {
  if (settings.source === undefined) {
    throw new Failure('config_missing', 'TIEOUT_BASE_URL is not set', {
      remedy: 'set TIEOUT_BASE_URL, TIEOUT_API_USER, TIEOUT_API_PASSWORD, TIEOUT_APPLICATION_KEY',
    })
  }
  return createSource(settings.source, { hashKey: hashKey() })
}
