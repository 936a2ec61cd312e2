/** Reads the limits that a service announces in the headers of an answer, under any of their usual names. */
import { httpDate_ms, waitText_ms } from './wait-text.ts'

/** Status and headers of an answer. */
export interface Answer {
  status: number
  headers: Headers
}

export type Headers = Record<string, string | string[] | undefined>

export interface Announced {
  /** No request may be sent for this long, counted from this answer. */
  wait_ms?: number
  /** Requests per second that a limit of a short window allows. */
  perSecond?: number
  /** Requests per second that make the rest of a long window last. Present if little of the window is left. */
  sparing?: number
}

/** A single limit. Fields are absent if the headers do not state them. */
interface Limit {
  total?: number | undefined
  window_s?: number | undefined
  remaining?: number | undefined
  reset_ms?: number | undefined
}

/** A limit of a longer window is used freely until little of it is left. */
const SHORT_S = 60
const LITTLE = { share: 0.1, most: 100, ofUnknown: 20 }
const WHOLE = /^[0-9]{1,12}$/
/** `X-RateLimit-Limit`, `RateLimit-Remaining`, `X-Rate-Limit-Reset`, `X-RateLimit-Reset-After`, `X-RateLimit-Limit-Minute`. */
const NAME = /^(.*rate-?limit)(?:-(.+?))?-(limit|remaining|reset-after|reset)(?:-(.+))?$/
const WINDOWS_S: Record<string, number> = {
  second: 1,
  minute: 60,
  hour: 3600,
  day: 86_400,
  daily: 86_400,
  month: 2_592_000,
}
const REQUESTS = /^requests?$/

/**
 * Reads Retry-After, RateLimit and RateLimit-Policy (structured fields), and headers that end in -Limit, -Remaining,
 * -Reset and -Reset-After. Waits are measured from the Date header of the same answer, or from `now` if it has none.
 * Returns an empty object if no header can be understood.
 */
export function announcedRate({ headers, status }: Answer, now: Date): Announced {
  const served_ms = httpDate_ms([headers['date'] ?? ''].flat()[0] ?? '')
  const now_ms = Number.isNaN(served_ms) ? now.getTime() : served_ms
  const limits = [...fromFields(headers, now_ms), ...fromNames(headers, now_ms)]
  const waits = status === 200 ? [] : retryAfter(headers, now_ms)
  const isThrottled = status === 429 && waits.length === 0
  const resets = limits.flatMap(({ remaining, reset_ms }) =>
    remaining === 0 || (isThrottled && remaining === undefined) ? (reset_ms ?? []) : [],
  )
  const [wait_ms, perSecond, sparing] = [
    greatest([...waits, ...resets]),
    least(limits.flatMap((limit) => evenPace(limit) ?? [])),
    least(limits.flatMap((limit) => sparingPace(limit) ?? [])),
  ]
  return {
    ...(wait_ms === undefined ? {} : { wait_ms }),
    ...(perSecond === undefined ? {} : { perSecond }),
    ...(sparing === undefined ? {} : { sparing }),
  }
}

const greatest = (values: readonly number[]) =>
  values.length === 0 ? undefined : Math.max(...values)
const least = (values: readonly number[]) => (values.length === 0 ? undefined : Math.min(...values))

function retryAfter(headers: Headers, now_ms: number): number[] {
  const spans = textsOf(headers['retry-after']).map((text) => waitText_ms(text, now_ms))
  const inMs = ['retry-after-ms', 'x-ms-retry-after-ms']
    .flatMap((name) => textsOf(headers[name]))
    .map((text) => waitText_ms(`${text} ms`, now_ms))
  return [...spans, ...inMs].flatMap((wait_ms) => wait_ms ?? [])
}

/** Requests per second that a window of up to a minute allows, spread evenly. */
function evenPace({ total, window_s, remaining, reset_ms }: Limit): number | undefined {
  if (window_s !== undefined) {
    return total === undefined || total === 0 || window_s > SHORT_S ? undefined : total / window_s
  }
  if (remaining === undefined || remaining === 0 || reset_ms === undefined) return undefined
  return reset_ms > SHORT_S * 1000 ? undefined : (remaining * 1000) / reset_ms
}

/** Requests per second that make the rest of a long window last, if little of it is left. */
function sparingPace({ total, window_s, remaining, reset_ms }: Limit): number | undefined {
  if (remaining === undefined || remaining === 0 || reset_ms === undefined) return undefined
  if ((window_s ?? reset_ms / 1000) <= SHORT_S) return undefined
  const little =
    total === undefined ? LITTLE.ofUnknown : Math.min(LITTLE.most, total * LITTLE.share)
  return remaining < little ? (remaining * 1000) / reset_ms : undefined
}

/**
 * Reads `"default";r=50;t=30` with the policy `"default";q=100;w=60`. Reads also the older
 * `limit=100, remaining=50, reset=30` with the policy `100;w=60`.
 */
function fromFields(headers: Headers, now_ms: number): Limit[] {
  const policies = items(headers['ratelimit-policy']).flatMap(policyOf)
  const fields = items(headers['ratelimit'])
  const used = fields.some(({ parameters }) => parameters.has('remaining'))
    ? [{ name: '', parameters: new Map(fields.flatMap(({ parameters }) => [...parameters])) }]
    : fields
  const limits = used.map(({ name, parameters }): Limit => {
    const policy = policies.find((one) => one.name === name) ?? alone(policies)
    const has = (...names: string[]) => names.flatMap((one) => parameters.get(one) ?? [])[0]
    return {
      total: whole(has('limit')) ?? policy?.total,
      window_s: policy?.window_s,
      remaining: whole(has('r', 'remaining')),
      reset_ms: waitOf(has('t', 'reset'), now_ms),
    }
  })
  return [...limits, ...policies]
}

const alone = <T>(values: readonly T[]) => (values.length === 1 ? values[0] : undefined)

function policyOf({ name, parameters }: Item): (Limit & { name: string })[] {
  // A limit that counts another unit than requests is ignored.
  if ((parameters.get('qu') ?? 'requests') !== 'requests') return []
  // The older form has the number first: 100;w=60.
  const total = whole(parameters.get('q')) ?? whole(name)
  const window_s = whole(parameters.get('w'))
  return total === undefined || window_s === undefined || window_s === 0
    ? []
    : [{ name, total, window_s }]
}

/**
 * Reads limits from the names of headers. Headers whose names differ only in the last word describe the same limit.
 */
function fromNames(headers: Headers, now_ms: number): Limit[] {
  const limits = new Map<string, Limit>()
  const policies: Limit[] = []
  for (const [header, value] of Object.entries(headers)) {
    const named = nameOf(header)
    const [text] = textsOf(value)
    if (named === undefined || text === undefined) continue
    const limit = limits.get(named.key) ?? { window_s: named.window_s }
    limits.set(named.key, limit)
    if (named.what === 'limit') policies.push(...items(value).flatMap(policyOf))
    if (named.what === 'limit') limit.total = whole(items(value)[0]?.name)
    else if (named.what === 'remaining') limit.remaining = whole(text.split(/[;,.]/)[0]?.trim())
    else limit.reset_ms = waitOf(text, now_ms) ?? limit.reset_ms
  }
  return [...limits.values(), ...policies]
}

/** Returns the limit that a header belongs to and the property that it states, or undefined for any other header. */
function nameOf(header: string) {
  const [, prefix, before, what, after] = NAME.exec(header) ?? []
  if (what === undefined) return undefined
  const scope = (before ?? after ?? '').replace(/^per-/, '')
  const isOurs = scope === '' || REQUESTS.test(scope) || Object.hasOwn(WINDOWS_S, scope)
  return isOurs ? { key: `${prefix} ${scope}`, what, window_s: WINDOWS_S[scope] } : undefined
}

interface Item {
  /** The text before the first `;`, without quotes. Empty if that text is a parameter. */
  name: string
  parameters: Map<string, string>
}

/** The items of a list, each with its parameters. */
function items(header: Headers[string]): Item[] {
  return textsOf(header)
    .flatMap((text) => text.split(','))
    .map((item) => {
      const parts = item.split(';').map((part) => part.trim().split('='))
      const [first = []] = parts
      const named = first.length === 1
      const pairs = (named ? parts.slice(1) : parts).map(
        ([key = '', value = '']): [string, string] => [key.trim(), unquoted(value.trim())],
      )
      return { name: named ? unquoted(first[0] ?? '') : '', parameters: new Map(pairs) }
    })
}

const unquoted = (text: string) => text.replace(/^"(.*)"$/, '$1')
const textsOf = (header: Headers[string]) => [header ?? []].flat().map((text) => text.trim())
const whole = (text: string | undefined) =>
  text !== undefined && WHOLE.test(text) ? Number(text) : undefined
const waitOf = (text: string | undefined, now_ms: number) =>
  text === undefined ? undefined : waitText_ms(text, now_ms)
