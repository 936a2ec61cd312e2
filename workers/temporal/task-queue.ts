/** Where the work is asked for, and who may answer: names that clients and workers share. */

export const TASK_QUEUE = 'tieout'

/** Where several wait for the same worker: what a night does goes first, a backfill last. Children inherit it. */
export const PRIORITY = { nightly: { priorityKey: 1 }, backfill: { priorityKey: 5 } } as const

/** How a worker's name begins: others count on one that stays, and not on a command's. */
export const IDENTITY = { worker: 'tieout-worker:', command: 'tieout-command:' } as const
