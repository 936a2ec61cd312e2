/** The known request rate of a credential, which workers share. */

export interface RateView {
  /** Rises with every revision, so that the newest can be found. */
  version: number
  /** Requests per second for all workers together. */
  perSecond: number
  /** The rate that is known to be allowed; null until a limit is known. */
  known: number | null
}

/**
 * A worker's permission until its next request. All times are durations, not instants, because the clocks of machines
 * differ.
 */
export interface Lease {
  /** Share of the rate, 0 to 1; 0 while others hold all of it. */
  share: number
  /** The share expires after this time without a new lease. */
  lasts_ms: number
  /** No worker sends before this time has passed. */
  blocked_ms: number
  view: RateView
}

/** A worker's request for a lease, with its observations of the limit. */
export interface LeaseRequest {
  holder: string
  weight: number
  view: RateView
  /** The rest of the wait that the service asked for. */
  blocked_ms: number
  /** The most requests per second that this holder wants; absent: no limit. */
  mostPerSecond?: number
}

interface Holder {
  weight: number
  share: number
  until_ms: number
  /** The largest share that it wants; absent: all of it. */
  most?: number
}

/** The leases of one credential, as plain JSON. */
export interface LeaseBook {
  view: RateView | null
  blockedUntil_ms: number
  holders: Record<string, Holder>
}

/** The duration of a lease: long enough for a busy moment of a worker or of Temporal. */
export const LEASE_MS = 10_000
/** A smaller share is rounded down to 0, because it allows hardly any request. */
const SMALLEST_SHARE = 0.02

export const newLeaseBook = (): LeaseBook => ({
  view: null,
  blockedUntil_ms: 0,
  holders: {},
})

/**
 * Gives a worker its share. The shares never exceed the whole. A new worker gets the share that no other worker
 * uses, and more when the others renew their leases.
 */
export function lease(book: LeaseBook, request: LeaseRequest, now_ms: number): [LeaseBook, Lease] {
  const { holder, weight, blocked_ms } = request
  const others = Object.entries(book.holders).filter(
    ([name, { until_ms }]) => name !== holder && until_ms > now_ms,
  )
  const free = others.reduce((rest, [, other]) => rest - other.share, 1)
  const view = newer(book.view, request.view)
  const most = mostOf(request, view)
  const fair = fairPart(
    { weight, most },
    others.map(([, other]) => other),
  )
  const part = Math.max(0, Math.min(fair, free))
  const share = part < Math.min(SMALLEST_SHARE, most) ? 0 : part
  const blockedUntil_ms = Math.max(book.blockedUntil_ms, now_ms + blocked_ms)
  const mine: Holder = { weight, share, until_ms: now_ms + LEASE_MS, ...(most < 1 ? { most } : {}) }
  return [
    {
      ...book,
      view,
      blockedUntil_ms,
      holders: { ...Object.fromEntries(others), [holder]: mine },
    },
    { share, lasts_ms: LEASE_MS, blocked_ms: Math.max(0, blockedUntil_ms - now_ms), view },
  ]
}

const mostOf = ({ mostPerSecond }: LeaseRequest, { perSecond }: RateView) =>
  mostPerSecond === undefined ? 1 : Math.min(1, mostPerSecond / perSecond)

type Wish = Pick<Holder, 'weight' | 'most'>

/** Returns the fair share of a worker. A worker that wants less than its share leaves the rest to the others. */
function fairPart(mine: Wish, others: readonly Wish[]): number {
  const all = [mine, ...others]
  const weights = all.reduce((sum, { weight }) => sum + weight, 0)
  const wantsLess = ({ weight, most = 1 }: Wish) => most < weight / weights
  if (wantsLess(mine)) return mine.most ?? 1
  const modest = all.filter(wantsLess)
  const rest = modest.reduce((left, { most = 1 }) => left - most, 1)
  const heavy = weights - modest.reduce((sum, { weight }) => sum + weight, 0)
  return Math.min(mine.most ?? 1, (rest * mine.weight) / heavy)
}

/**
 * Returns the newer of two views. If both are equally new, the view with the lower known limit is returned; if their
 * limits are equal, the faster one.
 */
function newer(one: RateView | null, other: RateView): RateView {
  if (one === null || one.version < other.version) return other
  if (one.version > other.version) return one
  const [knownOne, knownOther] = [one.known ?? Infinity, other.known ?? Infinity]
  if (knownOne !== knownOther) return knownOne < knownOther ? one : other
  return one.perSecond >= other.perSecond ? one : other
}

/** The id of the limiter; `name` reveals nothing of the credential. */
export const limiterId = (name: string) => `limiter/${name}`
