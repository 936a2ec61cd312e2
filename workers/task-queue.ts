/** Where the work is asked for, and who may answer: names that clients and workers share. */

export const TASK_QUEUE = 'tieout'

/** How a worker's name begins: others count on one that stays, and not on a command's. */
export const IDENTITY = { worker: 'tieout-worker:', command: 'tieout-command:' } as const
