/** The payments service as a source of pages. The source sends only GETs, and only to the configured origin. */
import { setMaxListeners } from 'node:events'
import type { List } from '../../domain/run.ts'
import { Failure } from '../../domain/failure.ts'
import type { Secret, SourceSettings } from '../../domain/settings.ts'
import { dispatcherTo } from './dispatcher.ts'
import { readAddress, type PageAsk } from './address.ts'
import type { Announced } from '../rate/announced-rate.ts'
import { attempt, type Outcome, type Place } from './attempt.ts'
import { keyedHash } from '../record/keyed-hash.ts'
import { readerOf, readSingle, type Page } from './page.ts'
import { PageLimits } from './page-limit.ts'
import { createPatience, type RetryPolicy } from './retry-policy.ts'
import { Rate, type Fate } from '../rate/rate.ts'
import { Refusal } from './refusal.ts'
import { requestHeaders } from './request-headers.ts'

export interface Source {
  /** Key of the hashes that stand for records and billing identities. */
  readonly hashKey: Secret
  /** Numbers of requests sent and of requests that the service throttled. They only grow. */
  readonly counters: { readonly requests: number; readonly throttled: number }
  /** The rate of all requests that use these credentials. */
  readonly rate: Rate
  /** Returns the records to ask for per page: the configured number, or the smaller one that the service accepts. */
  pageSize(list: List): number
  /**
   * Reads one page, and retries as configured. The page's `asked` is smaller than the limit if the service refused
   * that limit. Throws a Failure, or the signal's reason.
   */
  page(list: List, ask: PageAsk, signal?: AbortSignal): Promise<Page>
  /**
   * Reads one terminal by its id, for a service that refuses the list of terminals. Throws a Failure, or the signal's
   * reason.
   */
  terminal(terminalId: string, signal?: AbortSignal): Promise<Page>
  /** Sends one small request with few retries. Throws the same Failures as a sweep would. */
  probe(signal?: AbortSignal): Promise<void>
  /** Lets work that begins anew send refused credentials once more. */
  pardon(): void
  close(): Promise<void>
}

/** A sweep reads at most this many pages ahead. */
const CONNECTIONS = 32
const CONNECT_MS = 10_000
const PROBE = { tries: 3, budget_ms: 5_000, timeout_ms: 5_000 }

/** Opens a source. Nothing is sent before the first page is asked for. Throws config_invalid. */
export function createSource(
  settings: SourceSettings,
  more: { hashKey: Secret; rate?: Rate },
): Source {
  const service = createService(settings, more.rate ?? new Rate())
  const { timeout_ms, retryBudget_ms } = settings
  const policy = { tries: Infinity, budget_ms: retryBudget_ms, timeout_ms }
  const probing = { ...PROBE, timeout_ms: Math.min(PROBE.timeout_ms, timeout_ms) }
  return {
    hashKey: more.hashKey,
    counters: service.counters,
    rate: service.rate,
    pageSize: (list) => service.limits.accepted(list) ?? settings.pageSize,
    page: (list, ask, signal) => getPage(service, { list, ask }, { policy, signal }),
    terminal(terminalId, signal) {
      const url = () => service.address.terminalUrl(terminalId)
      return get(service, { list: 'terminal', url }, { policy, signal })
    },
    async probe(signal) {
      const ask = { offset: 0, limit: 1 }
      await getPage(service, { list: 'settlements', ask }, { policy: probing, signal }).catch(
        (error: unknown) => {
          // A service that refuses the list of all terminals has answered, and has accepted the credentials.
          if (error instanceof Refusal && error.status === 400) return
          // A sweep would wait for this long, so that the service counts as available.
          if (isShortWait(error, retryBudget_ms)) return
          throw error
        },
      )
    },
    pardon() {
      if (service.refused.signal.aborted) service.refused = refusedLater()
    },
    close: () => service.pool.close(),
  }
}

/**
 * Returns a hash that identifies the credentials. The same credentials and key always give the same hash, and it
 * reveals nothing of them.
 */
export function credentialOf(
  { baseUrl, user, applicationKey }: SourceSettings,
  key: Secret,
): string {
  return keyedHash(key, JSON.stringify([baseUrl, user, applicationKey.reveal()])).slice(0, 16)
}

type Service = ReturnType<typeof createService>

function createService(settings: SourceSettings, rate: Rate) {
  const address = readAddress(settings)
  const headers = requestHeaders(settings)
  const pool = dispatcherTo(address.origin, {
    connections: CONNECTIONS,
    silent_ms: settings.timeout_ms,
    connect_ms: Math.min(CONNECT_MS, settings.timeout_ms),
    linkLocalRefusal: address.linkLocalRefusal,
  })
  return {
    address,
    headers,
    pool,
    rate,
    counters: { requests: 0, throttled: 0 },
    limits: new PageLimits(),
    longestWait_ms: settings.retryBudget_ms,
    isUnproven: true,
    /** The lists of which a page was read, and `terminal` if a single terminal was read. */
    answered: new Set<List | 'terminal'>(),
    /**
     * Aborted once the service has refused the credentials. Requests that wait for a connection are then not sent.
     */
    refused: refusedLater(),
  }
}

function refusedLater(): AbortController {
  const refused = new AbortController()
  // Each request under way adds a listener, which Node would report as a leak.
  setMaxListeners(0, refused.signal)
  return refused
}

interface How {
  policy: RetryPolicy
  signal: AbortSignal | undefined
}

interface PageRequest {
  list: List | 'terminal'
  url: () => URL
  /** The number of records that the address asks for; absent for a single record. */
  size?: ReturnType<PageLimits['begin']>
  goesFirst?: boolean | undefined
}

async function get(
  service: Service,
  { list, url, size, goesFirst }: PageRequest,
  how: How,
): Promise<Page> {
  const patience = createPatience(how.policy, how.signal)
  const turn = service.rate.queue(service.longestWait_ms, goesFirst)
  for (;;) {
    const outcome = await tryOnce(service, url(), { ...how, turn, list })
    if (outcome.kind === 'page') {
      size?.answered()
      return outcome.page
    }
    if (outcome.kind === 'refused') {
      if (!outcome.smaller || size?.refused() !== true) throw outcome.failure
      continue
    }
    const { setback } = outcome
    await patience.endure({ ...setback, what: `${setback.what}${size?.hint ?? ''}` })
    if (setback.isSlow === true) size?.slow()
  }
}

function getPage(
  service: Service,
  { list, ask }: { list: List; ask: PageAsk },
  how: How,
): Promise<Page> {
  const size = service.limits.begin(list, ask.limit)
  const url = () => service.address.pageUrl(list, { ...ask, limit: size.limit })
  return get(service, { list, url, size, goesFirst: ask.goesFirst }, how)
}

type InTurn = How & { turn: ReturnType<Rate['queue']>; list: List | 'terminal' }

async function tryOnce(service: Service, url: URL, how: InTurn): Promise<Outcome> {
  const signals = [...(how.signal === undefined ? [] : [how.signal]), service.refused.signal]
  // Refused credentials are never sent again: the service could lock the account.
  service.refused.signal.throwIfAborted()
  const turn = await how.turn(AbortSignal.any(signals))
  service.counters.requests += 1
  const { pool, headers, isUnproven, address, answered } = service
  let announced: Announced = {}
  const place: Place = {
    ...{ pool, host: address.host, isUnproven },
    read: how.list === 'terminal' ? readSingle : readerOf(how.list),
    isOtherList: answered.size > 0 && !answered.has(how.list),
    onReply: (_reply, said) => {
      announced = said
    },
  }
  const get = { url, headers, timeout_ms: how.policy.timeout_ms, signals }
  const outcome = await attempt(place, get)
  remember(service, outcome, how.list)
  service.rate.heard(turn, fateOf(outcome), announced)
  return outcome
}

function fateOf(outcome: Outcome): Fate {
  if (outcome.kind !== 'setback') return 'passed'
  return outcome.throttled ? 'refused' : 'broken'
}

/** True if the service asked for a wait that a sweep would accept. */
const isShortWait = (error: unknown, longest_ms: number) =>
  error instanceof Failure &&
  error.code === 'source_throttled' &&
  (error.retry_after_ms ?? 0) <= longest_ms

/** Updates the facts that later requests depend on, such as refused credentials. */
function remember(service: Service, outcome: Outcome, list: List | 'terminal'): void {
  if (outcome.kind === 'page') {
    service.isUnproven = false
    service.answered.add(list)
  }
  if (outcome.kind === 'setback') service.counters.throttled += outcome.throttled ? 1 : 0
  if (outcome.kind !== 'refused') return
  if (outcome.failure.code === 'source_unauthorized') service.refused.abort(outcome.failure)
  // A refusal also proves that this is the service, unless it refuses the address itself (400).
  else if (outcome.failure instanceof Refusal) service.isUnproven &&= outcome.failure.status !== 400
}
