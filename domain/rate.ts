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
}

/** The leases of one credential: plain JSON. */
export interface LeaseBook {
  view: RateView | null
  blockedUntil_ms: number
  holders: Record<string, { weight: number; share: number; until_ms: number }>
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
  const weights = others.reduce((sum, [, other]) => sum + other.weight, weight)
  const free = others.reduce((rest, [, other]) => rest - other.share, 1)
  const part = Math.max(0, Math.min(weight / weights, free))
  const share = part < SMALLEST_SHARE ? 0 : part
  const view = capped(newer(book.view, request.view), book.most)
  const blockedUntil_ms = Math.max(book.blockedUntil_ms, now_ms + blocked_ms)
  const mine = { weight, share, until_ms: now_ms + LEASE_MS }
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
