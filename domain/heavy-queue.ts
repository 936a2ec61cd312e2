/**
 * The task queue of work that keeps a worker's cores busy. A worker takes only as many of its tasks
 * as it has cores, so that simultaneous tasks go to different workers.
 */
export const heavyQueue = (taskQueue: string): string => `${taskQueue}-heavy`
