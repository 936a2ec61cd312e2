/** Runs a program of the project in its own process, and measures it. */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'

const LOOK_EVERY_MS = 100

export interface Run {
  stdout: string
  seconds: number
  /** The peak memory of the process, without its child processes. */
  peak_rss_mb: number
}

/** Runs Node with these arguments. Output on stderr passes through. Throws if the process fails. */
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

/** The unit of CPU times in /proc. */
const TICKS_PER_SECOND = 100

/** Returns the CPU seconds that a process has used so far, in all its threads. */
export function cpuSecondsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}

export interface Memory {
  now_mb: number
  /** The peak memory so far. */
  peak_mb: number
}

/** Returns the memory of a process as the kernel reports it, or zeros if there is no report. */
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
