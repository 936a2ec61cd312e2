/** A program of the project as a process of its own, and what it took. */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'

const LOOK_EVERY_MS = 100

export interface Run {
  stdout: string
  seconds: number
  /** The most memory that the process held at any time, without processes that it started. */
  peak_rss_mb: number
}

/** Runs Node with these arguments. What it says on stderr passes through; a failure is thrown. */
export async function runMeasured(
  args: readonly string[],
  env: Record<string, string>,
): Promise<Run> {
  const since_ms = performance.now()
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let [stdout, peak_rss_mb] = ['', 0]
  child.stdout.setEncoding('utf8').on('data', (piece: string) => (stdout += piece))
  const looking = setInterval(() => {
    peak_rss_mb = Math.max(peak_rss_mb, peakOf(child.pid ?? 0))
  }, LOOK_EVERY_MS)
  const code = await new Promise((resolve) => child.once('close', resolve))
  clearInterval(looking)
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${String(code)}`)
  return { stdout, seconds: (performance.now() - since_ms) / 1000, peak_rss_mb }
}

/** The high-water mark that the kernel keeps; 0 where there is none, or the process is gone. */
export function peakOf(pid: number): number {
  try {
    const kilobytes = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return Math.round(Number(kilobytes ?? 0) / 1024)
  } catch {
    return 0
  }
}
