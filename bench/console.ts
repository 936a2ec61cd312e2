/**
 * Measures the pages of the console over a large lake, first byte included, against their bare queries on one thread.
 * Then people use the pages while another process reconciles the same lake. Call:
 * `npm run bench:console -- --transactions 10000000`. The last line is JSON.
 *
 * `--keep` names a folder in which the lake stays for the next call. `--write-docs` puts the table into
 * docs/performance.md.
 */
import { spawn } from 'node:child_process'
import { once, setMaxListeners } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { DuckDBConnection } from '@duckdb/node-api'
import { createReconcile } from '../activities/reconcile/reconcile.ts'
import { SharedLake } from '../activities/runtime/shared-lake.ts'
import type { Settings } from '../domain/settings.ts'
import type { Lake } from '../lake/connection/lake.ts'
import { createApp } from '../web/app.tsx'
import { Commands } from '../web/parts/commands.ts'
import { ONLY } from '../web/parts/link.tsx'
import { createQueue } from '../web/parts/queue.ts'
import { type Cells, Reader, type Reading } from '../web/parts/reader.ts'
import { settingsIn } from './lake.ts'
import { writeSection } from './performance-page.ts'
import { makeLake, RUN } from './published-lake.ts'
import { median, timed } from './timed.ts'

const HOST = '127.0.0.1:1'
const ROUNDS = 5
const MOST_RATIO = 1.5

/** The longest time between two pages of one person. */
const EVERY_MS = 20_000

/** Adds up the time of the queries alone. */
class TimedReader extends Reader {
  bare_ms = 0
  bare_cpu_s = 0

  override rows(reading: Reading): Promise<Cells[]> {
    return this.#timed(() => super.rows(reading))
  }

  override query<T>(
    key: string,
    work: (connection: DuckDBConnection, lake: Lake) => Promise<T>,
  ): Promise<T> {
    return this.#timed(() => super.query(key, work))
  }

  async #timed<T>(work: () => Promise<T>): Promise<T> {
    const { result, seconds, cpu_seconds } = await timed(work)
    this.bare_ms += seconds * 1000
    this.bare_cpu_s += cpu_seconds
    return result
  }
}

interface Page {
  path: string
  /** Milliseconds to the last byte, and those of its queries alone, in the median round. */
  page_ms: number
  bare_ms: number
  /** CPU seconds of its queries. */
  bare_cpu_s: number
}

export async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      transactions: { type: 'string', default: '1000000' },
      terminals: { type: 'string', default: '330' },
      sessions: { type: 'string', default: '50' },
      keep: { type: 'string' },
      reconcile: { type: 'string' },
      'write-docs': { type: 'boolean', default: false },
    },
  })
  if (values.reconcile !== undefined) return reconcile(settingsIn(values.reconcile))
  const folder = mkdtempSync(join(tmpdir(), 'tieout-bench-'))
  const home = values.keep ?? folder
  const settings = settingsIn(home, { lake: { memoryLimit: '8GB' } })
  const transactions = Number(values.transactions)
  try {
    await makeLake(settings, {
      ...{ transactions, terminals: Number(values.terminals), days: 60, landings: 'two' as const },
    })
    const reader = new TimedReader(settings.lake)
    const ask = askerOf(settings, reader)
    const pages = await measurePages(reader, ask, await pathsOf(reader))
    const crowd = await measureCrowd({
      home,
      ask,
      pages,
      sessions: Number(values.sessions),
    })
    await reader.close()
    const lines = tableOf(pages, crowd)
    console.log(lines)
    if (values['write-docs']) writeSection('docs/performance.md', 'bench:console', lines)
    console.log(JSON.stringify({ transactions, pages, crowd }))
    const isSlow = pages.some(({ page_ms, bare_ms }) => page_ms > bare_ms * MOST_RATIO + 5)
    return isSlow || crowd.errors > 0 ? 1 : 0
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

type Ask = (path: string) => Promise<{ status: number; ms: number }>

/** The console of a proxy's user, without a socket: routes, guard and pages are the product's. */
function askerOf(settings: Settings, reader: TimedReader): Ask {
  const app = createApp({
    consoles: [
      {
        ...{ settings, branch: ONLY, reader, commands: new Commands([]) },
        ...{ signal: AbortSignal.any([]), inTurn: createQueue(), say: console.error },
        decide: () => Promise.reject(new Error('pages of a viewer decide nothing')),
      },
    ],
    troubled: [],
    guarding: {
      entrance: { kind: 'proxy', header: 'x-user', addresses: [''], users: { Ann: 'viewer' } },
      hosts: [HOST],
    },
    say: console.error,
  })
  return async (path) => {
    const since_ms = performance.now()
    const answer = await app.request(path, { headers: { host: HOST, 'x-user': 'Ann' } }, {})
    await answer.text()
    return { status: answer.status, ms: performance.now() - since_ms }
  }
}

async function pathsOf(reader: Reader): Promise<string[]> {
  const one = await reader.row({
    sql: `select "settlementId" from settlements where verdict = 'BREAK' order by hash("settlementId")`,
  })
  const member = await reader.row({
    sql: `select "transactionId" from attributions order by "transactionId"`,
  })
  return [
    ...['/', '/settlements', '/settlements?verdict=BREAK&sort=-difference', '/exceptions'],
    ...['/terminals', `/settlements/${one?.['settlementId']}`, '/refunds'],
    ...[`/transactions?id=${member?.['transactionId']}`, '/packs', '/periods'],
  ]
}

async function measurePages(
  reader: TimedReader,
  ask: Ask,
  paths: readonly string[],
): Promise<Page[]> {
  const pages: Page[] = []
  for (const path of paths) {
    await ask(path)
    const rounds = []
    for (let round = 0; round < ROUNDS; round += 1) {
      reader.forget()
      reader.bare_ms = 0
      reader.bare_cpu_s = 0
      const { status, ms } = await ask(path)
      if (status !== 200) throw new Error(`${path} answers ${status}`)
      rounds.push({ page_ms: ms, bare_ms: reader.bare_ms, bare_cpu_s: reader.bare_cpu_s })
    }
    const [middle] = rounds
      .toSorted((a, b) => a.page_ms / a.bare_ms - b.page_ms / b.bare_ms)
      .slice(Math.floor(ROUNDS / 2))
    if (middle !== undefined) pages.push({ path, ...middle })
    console.log(lineOf(pages.at(-1)))
  }
  return pages
}

interface Crowd {
  sessions: number
  answers: number
  errors: number
  idle_ms: number
  /** The median page while the other process reconciles. */
  busy_ms: number
  /** Seconds of a run alone, and of a run beside the sessions. */
  alone_s: number
  beside_s: number
  /** CPU seconds of the queries of the pages meanwhile. */
  bare_cpu_s: number
}

/** Reconciles alone, then beside many people who look at pages. */
async function measureCrowd(given: {
  home: string
  ask: Ask
  pages: readonly Page[]
  sessions: number
}): Promise<Crowd> {
  const { home, ask, pages, sessions } = given
  const alone = await timed(() => reconcileApart(home))
  const ended = new AbortController()
  setMaxListeners(0, ended.signal)
  const times: number[] = []
  let errors = 0
  let bare_cpu_s = 0
  const person = async (number: number): Promise<void> => {
    for (let turn = 0; !ended.signal.aborted; turn += 1) {
      const wait_ms = turn === 0 ? (EVERY_MS * number) / sessions : EVERY_MS
      await pause(wait_ms, undefined, { signal: ended.signal }).catch(() => {})
      const page = pages[(number + turn) % pages.length]
      if (ended.signal.aborted || page === undefined) return
      const { status, ms } = await ask(page.path)
      if (status === 200) times.push(ms)
      else errors += 1
      bare_cpu_s += page.bare_cpu_s
    }
  }
  const people = Array.from({ length: sessions }, (_, number) => person(number))
  const beside = await timed(() => reconcileApart(home))
  ended.abort()
  await Promise.all(people)
  return {
    ...{ sessions, answers: times.length, errors, bare_cpu_s },
    ...{ idle_ms: median(pages.map(({ page_ms }) => page_ms)), busy_ms: median(times) },
    ...{ alone_s: alone.seconds, beside_s: beside.seconds },
  }
}

async function reconcileApart(home: string): Promise<void> {
  const args = ['bench/run.mjs', 'bench/console.ts', '--reconcile', home]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] })
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`the run ended with ${code}`)
}

/** Makes another run of the same lake, in another process. */
async function reconcile(settings: Settings): Promise<number> {
  const shared = new SharedLake(settings.lake, () => {})
  try {
    await createReconcile(settings, shared)({ ...RUN, runId: `${RUN.runId}-${Date.now()}` })
  } finally {
    await shared.close()
  }
  return 0
}

const lineOf = (page: Page | undefined): string =>
  page === undefined
    ? ''
    : `| \`${page.path}\` | ${page.page_ms.toFixed(0)} | ${page.bare_ms.toFixed(0)} | ${(page.page_ms / page.bare_ms).toFixed(2)} |`

function tableOf(pages: readonly Page[], crowd: Crowd): string {
  return [
    '| page | ms | its bare queries, ms | ratio (aim: at most 1.5) |',
    '|---|---|---|---|',
    ...pages.map(lineOf),
    '',
    `${crowd.sessions} sessions, each with a page every 20 s, beside a run: ${crowd.answers} pages, ${crowd.errors} errors.`,
    `The median page took ${(crowd.busy_ms / crowd.idle_ms).toFixed(1)} times that of an idle machine (aim: at most 5).`,
    `The run took ${crowd.beside_s.toFixed(0)} s beside them and ${crowd.alone_s.toFixed(0)} s alone; the bare queries took ${crowd.bare_cpu_s.toFixed(0)} s of CPU time.`,
  ].join('\n')
}
