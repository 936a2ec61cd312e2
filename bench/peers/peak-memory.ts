import { readFileSync } from 'node:fs'

/**
 * Returns the peak memory of this process, in MB. Linux reports it in /proc; the rusage of a child would begin with
 * its parent's peak.
 */
export function peakMemory_mb(): number {
  try {
    const kb = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]
    if (kb !== undefined) return Math.round(Number(kb) / 1024)
  } catch {
    // Other systems than Linux have no such file.
  }
  return Math.round(process.resourceUsage().maxRSS / 1024)
}
