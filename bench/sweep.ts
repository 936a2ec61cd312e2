/**
 * Measures the speed of sweeps and their share of refused requests. Call: `npm run bench:sweep`. The last line is
 * JSON.
 *
 * The simulator serves over HTTP, with a delay and a limit that it does not announce. The cases are one worker, three
 * workers that share the rate by leases, and a limit that changes.
 */
import { RateLease, type Limiter } from '../activities/runtime/rate-lease.ts'
import { Rate, type Fate, type Turn } from '../api/rate/rate.ts'
import { createSource } from '../api/http/source.ts'
import { sweep } from '../api/sweep/sweep.ts'
import { overlapOf } from '../api/sweep/sweep-state.ts'
import { lease, newLeaseBook } from '../domain/rate.ts'
import { Secret, type SourceSettings } from '../domain/settings.ts'
import { LISTS } from '../lake/landing/list-schemas.ts'
import { TypedRows } from '../lake/landing/typed-rows.ts'
import { simulatorOptions } from '../simulator/world/options.ts'
import { startSimulator } from '../simulator/service/server.ts'

const newRows = () => new TypedRows(LISTS.transactions.types)

const PAGE = 50
const LATENCY_MS = 150
/**
 * After a change of the limit, the rate needs this long to learn it. Refusals in this time are counted separately.
 */
const LEARNING_MS = 5000
/** The duration of a lease renewal on a busy Temporal server. */
const RENEWAL_MS = 20

interface Case {
  name: string
  workers: number
  /** Pages of the list, which every worker sweeps once. */
  pages: number
  /** The allowed requests per second from each time on. The bucket holds as many. */
  limits: readonly { from_s: number; perSecond: number }[]
}

const CASES: readonly Case[] = [
  { name: 'one worker', workers: 1, pages: 2000, limits: [{ from_s: 0, perSecond: 40 }] },
  { name: 'three workers', workers: 3, pages: 667, limits: [{ from_s: 0, perSecond: 40 }] },
  {
    name: 'a limit that changes',
    workers: 1,
    pages: 5000,
    limits: [
      { from_s: 0, perSecond: 40 },
      { from_s: 20, perSecond: 10 },
      { from_s: 40, perSecond: 60 },
    ],
  },
]

interface Sent {
  at_ms: number
  isRefused: boolean
  /** True if a limit was known when the request was sent. */
  isLater: boolean
}

/** Records every request. */
class NotedRate extends Rate {
  readonly sent: Sent[]
  #learnedAt_ms = Infinity

  constructor(sent: Sent[]) {
    super()
    this.sent = sent
  }

  override heard(turn: Turn, fate: Fate, announced = {}): void {
    const isLater = turn.sentAt_ms > this.#learnedAt_ms
    this.sent.push({ at_ms: turn.sentAt_ms, isRefused: fate === 'refused', isLater })
    super.heard(turn, fate, announced)
    if (this.isLearned) this.#learnedAt_ms = Math.min(this.#learnedAt_ms, performance.now())
  }
}

interface Measured {
  name: string
  workers: number
  pages: number
  requests: number
  seconds: number
  /** Ratio of the requests that the limit allowed in the measured time to the pages that were needed. */
  ratio_to_allowed_rate: number
  share_429: number
  share_429_with_learning: number
  max_per_second: number
  allowed_per_second: number
  burst: number
  certificates: string[]
}

export async function main(): Promise<number> {
  const measured: Measured[] = []
  const row = (cells: readonly unknown[]) =>
    cells
      .map((cell, index) =>
        String(cell)[index === 0 ? 'padEnd' : 'padStart'](index === 0 ? 22 : 11),
      )
      .join('')
  console.log(
    row([
      '',
      'pages',
      'requests',
      'seconds',
      'ratio',
      '429 later',
      '429 all',
      'max/s',
      'allowed/s',
    ]),
  )
  for (const one of CASES) {
    const result = await measure(one)
    measured.push(result)
    console.log(
      row([
        result.name,
        result.pages,
        result.requests,
        result.seconds.toFixed(1),
        result.ratio_to_allowed_rate.toFixed(3),
        percent(result.share_429),
        percent(result.share_429_with_learning),
        result.max_per_second,
        one.limits.map(({ perSecond }) => perSecond).join('/'),
      ]),
    )
  }
  const worst = (pick: (one: Measured) => number) => Math.max(...measured.map(pick))
  console.log(
    JSON.stringify({
      ratio_to_allowed_rate: worst((one) => one.ratio_to_allowed_rate),
      share_429: worst((one) => one.share_429),
      max_per_second: worst((one) => one.max_per_second),
      cases: measured,
    }),
  )
  return 0
}

async function measure({ name, workers, pages, limits }: Case): Promise<Measured> {
  const overlap = overlapOf(PAGE)
  const options = simulatorOptions({
    transactions: overlap + (PAGE - overlap) * pages,
    terminals: 10,
    plantsPerKind: 0,
    limitCap: PAGE,
    latency_ms: LATENCY_MS,
    ratePerSecond: limits[0]?.perSecond,
  })
  const simulator = await startSimulator(options)
  const changes = limits.map(({ from_s, perSecond }) =>
    setTimeout(() => {
      options.ratePerSecond = perSecond
    }, from_s * 1000),
  )
  const sent: Sent[] = []
  const limiter = workers === 1 ? undefined : localLimiter()
  const since_ms = performance.now()
  const certificates = await Promise.all(
    Array.from({ length: workers }, () => work(settingsFor(simulator.url), sent, limiter)),
  )
  const seconds = (performance.now() - since_ms) / 1000
  for (const change of changes) clearTimeout(change)
  await simulator.stop()
  const isLearning = (at_ms: number) =>
    limits.some(({ from_s }) => {
      const after_ms = at_ms - since_ms - from_s * 1000
      return from_s > 0 && after_ms >= 0 && after_ms < LEARNING_MS
    })
  const later = sent.filter(({ isLater, at_ms }) => isLater && !isLearning(at_ms))
  return {
    name,
    workers,
    pages: pages * workers,
    requests: sent.length,
    seconds,
    ratio_to_allowed_rate: allowedIn(seconds, limits) / (pages * workers),
    share_429: refusedShare(later),
    share_429_with_learning: refusedShare(sent),
    max_per_second: mostIn(1000, sent),
    allowed_per_second: Math.max(...limits.map(({ perSecond }) => perSecond)),
    burst: Math.max(...limits.map(({ perSecond }) => perSecond)),
    certificates,
  }
}

/** Sweeps the list once. Returns its certificate. */
async function work(
  settings: SourceSettings,
  sent: Sent[],
  limiter: Limiter | undefined,
): Promise<string> {
  const rate = new NotedRate(sent)
  const source = createSource(settings, { hashKey: new Secret('bench'), rate })
  const whole = async () => {
    let certificate = ''
    for await (const { state } of sweep(source, 'transactions', {
      newRows,
      isEnough: (records) => records >= 10_000,
    })) {
      certificate = state.certificate ?? ''
    }
    return certificate
  }
  try {
    return await (limiter === undefined
      ? whole()
      : new RateLease(rate, { weight: 1 }).during(limiter, whole))
  } finally {
    await source.close()
  }
}

/** Stands for the limiter's workflow: the same book of leases without Temporal. */
function localLimiter(): Limiter {
  let book = newLeaseBook()
  const delay = () => new Promise((resolve) => setTimeout(resolve, RENEWAL_MS))
  return {
    async renew(request) {
      const [after, given] = lease(book, request, performance.now())
      book = after
      await delay()
      return given
    },
    async release(holder) {
      const { [holder]: _left, ...holders } = book.holders
      book = { ...book, holders }
      await delay()
    },
  }
}

const settingsFor = (baseUrl: string): SourceSettings => ({
  baseUrl,
  user: 'simulator',
  password: new Secret('simulator-password'),
  applicationKey: new Secret('simulator-application-key'),
  paths: { terminals: '/terminals', settlements: '/settlements', transactions: '/transactions' },
  query: {},
  headers: {},
  pageSize: PAGE,
  timeout_ms: 20_000,
  retryBudget_ms: 60_000,
})

function allowedIn(seconds: number, limits: Case['limits']): number {
  return limits.reduce((sum, { from_s, perSecond }, index) => {
    const until_s = Math.min(seconds, limits[index + 1]?.from_s ?? seconds)
    return sum + Math.max(0, until_s - from_s) * perSecond
  }, 0)
}

const refusedShare = (sent: readonly Sent[]) =>
  sent.filter(({ isRefused }) => isRefused).length / Math.max(1, sent.length)

/** Returns the most requests that were sent within any span of this length. */
function mostIn(span_ms: number, sent: readonly Sent[]): number {
  const times = sent.map(({ at_ms }) => at_ms).sort((a, b) => a - b)
  let [most, first] = [0, 0]
  for (const [last, at_ms] of times.entries()) {
    while ((times[first] ?? at_ms) <= at_ms - span_ms) first += 1
    most = Math.max(most, last - first + 1)
  }
  return most
}

const percent = (share: number) => `${(share * 100).toFixed(2)} %`
