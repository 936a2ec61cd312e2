/** The duration of a piece of work. */
export interface Took {
  seconds: number
  /** CPU seconds of all threads. */
  cpu_seconds: number
}

export async function timed<T>(work: () => T | Promise<T>): Promise<Took & { result: T }> {
  const before = process.cpuUsage()
  const since_ms = performance.now()
  const result = await work()
  const seconds = (performance.now() - since_ms) / 1000
  return { result, seconds, cpu_seconds: cpuSeconds(process.cpuUsage(before)) }
}

export const cpuSeconds = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1e6

export const sum = (values: readonly number[]): number =>
  values.reduce((all, value) => all + value, 0)

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? upper)) / 2
}
