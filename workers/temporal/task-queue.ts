/** The names of task queues, priorities and workers, which clients and workers share. */

export const TASK_QUEUE = 'tieout'

/** The order of waiting work: nightly runs first, backfills last. */
export const PRIORITY = { nightly: { priorityKey: 1 }, backfill: { priorityKey: 5 } } as const

/** Temporal refuses a longer key. */
const LONGEST_KEY = 64

/**
 * The priority of an account's work. Child workflows and activities inherit it. Temporal serves the waiting tasks of
 * one priority account by account, so an account with many tasks holds up no other.
 */
export const priorityOf = (
  kind: keyof typeof PRIORITY,
  account: string,
): { priorityKey: number; fairnessKey: string } => ({
  ...PRIORITY[kind],
  fairnessKey: account.slice(0, LONGEST_KEY),
})

/**
 * The prefixes of worker names: other processes rely on a long-running worker, not on that of a
 * command.
 */
export const IDENTITY = { worker: 'tieout-worker:', command: 'tieout-command:' } as const
