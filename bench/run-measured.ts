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
    peak_rss_mb = Math.max(peak_rss_mb, memoryOf(child.pid ?? 0).peak_mb)
  }, LOOK_EVERY_MS)
  const code = await new Promise((resolve) => child.once('close', resolve))
  clearInterval(looking)
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${String(code)}`)
  return { stdout, seconds: (performance.now() - since_ms) / 1000, peak_rss_mb }
}

export interface Memory {
  now_mb: number
  /** The most that it held at any time. */
  peak_mb: number
}

/** What the kernel says of a process; zeros where it says nothing, or the process is gone. */
export function memoryOf(pid: number): Memory {
  try {
    const said = readFileSync(`/proc/${pid}/status`, 'utf8')
    const value = (name: string) => new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(said)?.[1]
    const megabytes = (name: string) => Math.round(Number(value(name) ?? 0) / 1024)
    return { now_mb: megabytes('VmRSS'), peak_mb: megabytes('VmHWM') }
  } catch {
    return { now_mb: 0, peak_mb: 0 }
  }
}
