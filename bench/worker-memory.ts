/**
 * Measures the memory of a worker that sweeps a long list. Call:
 * `npm run bench:worker-memory -- --transactions 2000000`, after `npm run build`. The last line is JSON.
 *
 * The simulator, the worker with its Temporal server, and the run are separate processes, as in production. The bench
 * measures the worker until its sweep of transactions has ended.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { transactionsIn } from './lake.ts'
import { memoryOf } from './run-measured.ts'

const LOOK_EVERY_MS = 250

interface Look {
  seconds: number
  /** Pages of transactions that were requested so far. */
  pages: number
  rss_mb: number
}

export async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      transactions: { type: 'string', default: '2000000' },
      terminals: { type: 'string', default: '40' },
    },
  })
  const folder = mkdtempSync(join(tmpdir(), 'tieout-bench-'))
  const children: ChildProcess[] = []
  const start = (args: readonly string[], env: Record<string, string> = {}) => {
    const child = spawn(process.execPath, ['bin/tieout.mjs', ...args], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    children.push(child)
    return child
  }
  try {
    const size = ['--transactions', values.transactions, '--terminals', values.terminals]
    const said = await says(start(['simulate', ...size]), 'TIEOUT_APPLICATION_KEY')
    const env = { ...exportsIn(said), TIEOUT_LAKE: join(folder, 'lake') }
    const worker = start(['worker'], env)
    await says(worker, 'worker ready')
    const since_ms = performance.now()
    start(['run', '--out', join(folder, 'out')], env).stderr?.resume()
    const looks = await watch(worker.pid ?? 0, env, since_ms)
    const { peak_mb } = memoryOf(worker.pid ?? 0)
    await stopAll(children)
    report(Number(values.transactions), {
      looks,
      peak_mb,
      rows: await transactionsIn(join(folder, 'lake')),
    })
  } finally {
    await stopAll(children)
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  return 0
}

/** Measures the worker until the settlements are read for the second time, which follows the transactions. */
async function watch(
  pid: number,
  env: Record<string, string>,
  since_ms: number,
): Promise<readonly Look[]> {
  const stats = new URL('/_simulator/stats', env['TIEOUT_BASE_URL'])
  const looks: Look[] = []
  let before: number | undefined
  for (;;) {
    await sleep(LOOK_EVERY_MS)
    const { transactions: pages = 0, settlements = 0 } = await requestCounts(stats)
    if (pages > 0) before ??= settlements
    const seconds = (performance.now() - since_ms) / 1000
    looks.push({ seconds, pages, rss_mb: memoryOf(pid).now_mb })
    if (before !== undefined && settlements > before) return looks
  }
}

/** Returns the number of requests so far, by list. Empty if the simulator is too busy to answer. */
async function requestCounts(stats: URL): Promise<Record<string, number>> {
  try {
    const answer = await fetch(stats, { headers: { connection: 'close' } })
    const { byList } = (await answer.json()) as { byList: Record<string, number> }
    return byList
  } catch {
    return {}
  }
}

function report(
  transactions: number,
  { looks, peak_mb, rows }: { looks: readonly Look[]; peak_mb: number; rows: number },
): void {
  const pages = looks.at(-1)?.pages ?? 0
  const quarters = [1, 2, 3, 4].map((quarter) => {
    const some = looks.filter((look) => Math.ceil((look.pages / pages) * 4) === quarter)
    return Math.max(...some.map(({ rss_mb }) => rss_mb))
  })
  for (const [n, mb] of quarters.entries()) {
    console.log(`most memory in quarter ${n + 1} of the pages ${String(mb).padStart(8)} MB`)
  }
  const seconds = Math.round(looks.at(-1)?.seconds ?? 0)
  console.log(`${rows} of ${transactions} transactions landed in ${seconds} s`)
  const quarters_mb = quarters
  console.log(
    JSON.stringify({ transactions, rows, pages, seconds, peak_rss_mb: peak_mb, quarters_mb }),
  )
}

/** Resolves with the output of a process once it contains the text. */
function says(child: ChildProcess, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (piece: string) => {
        said += piece
        if (said.includes(text)) resolve(said)
      })
    }
    child.once('close', () => reject(new Error(`it ended without saying ${text}: ${said}`)))
  })
}

const exportsIn = (said: string): Record<string, string> =>
  Object.fromEntries(
    [...said.matchAll(/^export (\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
  )

/** Stops the processes, the last one first. */
async function stopAll(children: ChildProcess[]): Promise<void> {
  for (const child of children.splice(0).toReversed()) {
    if (child.exitCode !== null || child.signalCode !== null) continue
    const ended = new Promise((resolve) => child.once('close', resolve))
    child.kill('SIGTERM')
    await ended
  }
}
