/** How long activities may take and when they are tried again. */
import { proxyActivities, workflowInfo } from '@temporalio/workflow'
import type { Activities } from '../activities/types.ts'
import { FAILURES } from '../domain/failure.ts'
import { heavyQueue } from '../domain/heavy-queue.ts'
import type { Window } from '../domain/run.ts'

/** What a second try can't mend; an oversized payload would otherwise be tried for ever. */
const HOPELESS = [
  ...Object.entries(FAILURES)
    .filter(([, failure]) => !failure.retry)
    .map(([code]) => code),
  'PayloadsTooLarge',
]

const RETRY = {
  initialInterval: '1 second',
  backoffCoefficient: 2,
  maximumInterval: '30 seconds',
  maximumAttempts: 6,
  nonRetryableErrorTypes: HOPELESS,
} as const

/** One segment of a minute or so; the source has its own patience within one attempt. */
export const { sweepList } = proxyActivities<Activities>({
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '20 seconds',
  retry: RETRY,
})

/** As long as the numbers take; the heartbeats tell that somebody is at it. */
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

/** Seconds of work that a person waits for; it may have to wait for another writer, or for the lake. */
export const { actOnBooks, prepareRun, recordBackfill } = proxyActivities<Activities>({
  startToCloseTimeout: '5 minutes',
  heartbeatTimeout: '20 seconds',
  retry: RETRY,
})

/** Seconds of work; a wrong address is an answer that a person waits for. */
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

/** A range as it stands in Temporal's pages. */
export const rangeOf = ({ from, to }: Window): string => `${from}..${to}`
