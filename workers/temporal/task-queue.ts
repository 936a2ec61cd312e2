/** The names of task queues, priorities and workers, which clients and workers share. */

export const TASK_QUEUE = 'tieout'

/** The order of waiting work: nightly runs first, backfills last. Child workflows inherit it. */
export const PRIORITY = { nightly: { priorityKey: 1 }, backfill: { priorityKey: 5 } } as const

/**
 * The prefixes of worker names: other processes rely on a long-running worker, not on that of a
 * command.
 */
export const IDENTITY = { worker: 'tieout-worker:', command: 'tieout-command:' } as const
