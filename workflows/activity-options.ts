/** The timeouts and retries of activities. */
import { proxyActivities, workflowInfo } from '@temporalio/workflow'
import type { Activities } from '../activities/types.ts'
import { FAILURES } from '../domain/failure.ts'
import { heavyQueue } from '../domain/heavy-queue.ts'
import type { Window } from '../domain/run.ts'

/** Failures that a retry can't fix; an oversized payload would otherwise be retried for ever. */
const HOPELESS = [
  ...Object.entries(FAILURES)
    .filter(([, failure]) => !('retry' in failure))
    .map(([code]) => code),
  'PayloadsTooLarge',
]

export const RETRY = {
  initialInterval: '1 second',
  backoffCoefficient: 2,
  maximumInterval: '30 seconds',
  maximumAttempts: 6,
  nonRetryableErrorTypes: HOPELESS,
} as const

/** A segment of about a minute; the source has its own retries within one attempt. */
export const { sweepList } = proxyActivities<Activities>({
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '20 seconds',
  retry: RETRY,
})

/** No time limit; the heartbeats show that a worker is active. */
const AS_LONG_AS_IT_TAKES = {
  startToCloseTimeout: '2 hours',
  heartbeatTimeout: '20 seconds',
  retry: RETRY,
} as const

export const { maintainLake } = proxyActivities<Activities>(AS_LONG_AS_IT_TAKES)

/** Work for whole cores; called inside a workflow. */
export const heavy = () =>
  proxyActivities<Pick<Activities, 'importFile' | 'publish' | 'reconcile'>>({
    ...AS_LONG_AS_IT_TAKES,
    taskQueue: heavyQueue(workflowInfo().taskQueue),
  })

/** Seconds of work for a waiting person; it may wait for another writer or the lake. */
export const { actOnBooks, prepareRun, recordBackfill } = proxyActivities<Activities>({
  startToCloseTimeout: '5 minutes',
  heartbeatTimeout: '20 seconds',
  retry: RETRY,
})

/** Seconds of work; a wrong address is reported to the waiting person at once. */
export const { checkSource } = proxyActivities<Activities>({
  startToCloseTimeout: '1 minute',
  heartbeatTimeout: '20 seconds',
  retry: {
    initialInterval: '1 second',
    maximumAttempts: 2,
    nonRetryableErrorTypes: [
      ...HOPELESS,
      'source_unreachable',
      'source_throttled',
      'page_unreadable',
    ],
  },
})

/** A message to people; the outcome of the run does not depend on it. */
export const { postOutcome } = proxyActivities<Activities>({
  startToCloseTimeout: '1 minute',
  heartbeatTimeout: '20 seconds',
  retry: { maximumAttempts: 2 },
})

/** A range as Temporal's pages show it. */
export const rangeOf = ({ from, to }: Window): string => `${from}..${to}`
