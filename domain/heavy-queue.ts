/**
 * Where work is asked for that keeps a worker's cores busy. It stands in a queue of its own, of which a worker takes only
 * as much as it has cores for, so that what begins at the same time goes to different workers.
 */
export const heavyQueue = (taskQueue: string): string => `${taskQueue}-heavy`
