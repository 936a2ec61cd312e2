/** What is known of the rate at which a credential may send requests; workers tell it to one another. */

export interface RateView {
  /** Rises with every revision of what is known, so that the newest can be told. */
  version: number
  /** Requests per second for all workers together. */
  perSecond: number
  /** The rate that is known to be allowed; null while nothing has shown a limit. */
  known: number | null
}

/** What a worker may do until it asks again. Waits and spans, not instants: the clocks of two machines differ. */
export interface Lease {
  /** Part of the rate, 0 to 1; 0 while others still hold all of it. */
  share: number
  /** After so long without a new lease the share is void. */
  lasts_ms: number
  /** Nobody sends before this has passed. */
  blocked_ms: number
  view: RateView
}

/** What a worker asks for, and what it has seen of the limit. */
export interface LeaseRequest {
  holder: string
  weight: number
  view: RateView
  /** What is left of the wait that the service asked for. */
  blocked_ms: number
  /** Requests per second that this holder wants at most; absent: all it can get. */
  mostPerSecond?: number
}

interface Holder {
  weight: number
  share: number
  until_ms: number
  /** Part of the rate that it wants at most; absent: all of it. */
  most?: number
}

/** The leases of one credential: plain JSON. */
export interface LeaseBook {
  view: RateView | null
  blockedUntil_ms: number
  holders: Record<string, Holder>
  /** A rate that a person set; it is never exceeded. */
  most: number | null
}

/** Long enough to survive a busy moment of a worker or of Temporal. */
export const LEASE_MS = 10_000
/** A smaller part is not worth sending for. */
const SMALLEST_SHARE = 0.02

export const newLeaseBook = (): LeaseBook => ({
  view: null,
  blockedUntil_ms: 0,
  holders: {},
  most: null,
})

/**
 * Gives a worker its part. The parts that are out never sum up to more than the whole: a newcomer gets what is left, and
 * more as the others come back and are given less.
 */
export function lease(book: LeaseBook, request: LeaseRequest, now_ms: number): [LeaseBook, Lease] {
  const { holder, weight, blocked_ms } = request
  const others = Object.entries(book.holders).filter(
    ([name, { until_ms }]) => name !== holder && until_ms > now_ms,
  )
  const free = others.reduce((rest, [, other]) => rest - other.share, 1)
  const view = capped(newer(book.view, request.view), book.most)
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

/** What is left by those who want less than their part is shared by the others. */
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

/** Of two views the newer one; of two that are equally new the more careful one, and where they know the same, the faster. */
export function newer(one: RateView | null, other: RateView): RateView {
  if (one === null || one.version < other.version) return other
  if (one.version > other.version) return one
  const [knownOne, knownOther] = [one.known ?? Infinity, other.known ?? Infinity]
  if (knownOne !== knownOther) return knownOne < knownOther ? one : other
  return one.perSecond >= other.perSecond ? one : other
}

function capped(view: RateView, most: number | null): RateView {
  if (most === null || view.perSecond <= most) return view
  return { ...view, perSecond: most }
}

/** `name` says nothing of the credential. */
export const limiterId = (name: string) => `limiter/${name}`
