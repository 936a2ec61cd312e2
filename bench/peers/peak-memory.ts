import { readFileSync } from 'node:fs'

/** The most memory that this process has held, in MB. The rusage of a child begins with its parent's, so Linux is asked itself. */
export function peakMemory_mb(): number {
  try {
    const kb = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]
    if (kb !== undefined) return Math.round(Number(kb) / 1024)
  } catch {
    // Another system than Linux.
  }
  return Math.round(process.resourceUsage().maxRSS / 1024)
}
