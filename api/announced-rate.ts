/** What a service says of its limit in the headers of an answer. */
import type { Headers } from './exchange.ts'

export interface Announced {
  /** Requests that are left, and for how long. */
  remaining?: number
  reset_ms?: number
  /** Requests per second, where the answer names both number and span. */
  perSecond?: number
}

const WHOLE = /^[0-9]{1,12}$/
/** Instants count seconds since 1970; no span is as long. */
const EPOCH_S = 1_000_000_000

/**
 * Reads RateLimit and RateLimit-Policy (structured fields), RateLimit-Limit, -Remaining and -Reset with their
 * parameters, and the same with X- before them, whose reset may be an instant. Of several the tightest. Empty where
 * nothing can be understood.
 */
export function announcedRate(headers: Headers, now: Date): Announced {
  const all = [fromFields(headers), ...['', 'x-'].map((prefix) => fromNames(headers, prefix, now))]
  const least = (key: keyof Announced) => {
    const values = all.flatMap((one) => one[key] ?? [])
    return values.length === 0 ? undefined : Math.min(...values)
  }
  const [remaining, reset_ms, perSecond] = [
    least('remaining'),
    all.find(({ remaining }) => remaining === least('remaining'))?.reset_ms,
    least('perSecond'),
  ]
  return {
    ...(remaining === undefined ? {} : { remaining }),
    ...(reset_ms === undefined ? {} : { reset_ms }),
    ...(perSecond === undefined ? {} : { perSecond }),
  }
}

/** `"default";r=50;t=30` and `"default";q=100;w=60`. */
function fromFields(headers: Headers): Announced {
  const limits = items(headers['ratelimit']).map((parameters) => ({
    remaining: whole(parameters.get('r')),
    reset_ms: seconds(parameters.get('t')),
  }))
  const tightest = limits
    .filter(({ remaining }) => remaining !== undefined)
    .sort((a, b) => Number(a.remaining) - Number(b.remaining))[0]
  return {
    ...defined(tightest ?? {}),
    ...defined({ perSecond: policyRate(headers['ratelimit-policy']) }),
  }
}

function policyRate(policy: Headers[string]): number | undefined {
  const rates = items(policy).flatMap((parameters) => {
    // The older form has the number first: 100;w=60.
    const quota = whole(parameters.get('q')) ?? whole(parameters.get(''))
    const window = whole(parameters.get('w'))
    return quota === undefined || window === undefined || window === 0 ? [] : [quota / window]
  })
  return rates.length === 0 ? undefined : Math.min(...rates)
}

function fromNames(headers: Headers, prefix: string, now: Date): Announced {
  const name = (what: string) => [headers[`${prefix}ratelimit-${what}`] ?? []].flat()[0]?.trim()
  const reset = whole(name('reset'))
  const reset_ms =
    reset === undefined ? undefined : reset > EPOCH_S ? reset * 1000 - now.getTime() : reset * 1000
  return defined({
    remaining: whole(name('remaining')),
    reset_ms: reset_ms === undefined || reset_ms < 0 ? undefined : reset_ms,
    perSecond: policyRate(headers[`${prefix}ratelimit-limit`]),
  })
}

/** The parameters of each item of a list; what stands before the first `;` has the empty name. */
function items(header: Headers[string]): Map<string, string>[] {
  return [header ?? []].flat().flatMap((text) =>
    text.split(',').map(
      (item) =>
        new Map(
          item.split(';').map((part, place): [string, string] => {
            const [key = '', value] = part.trim().split('=')
            return place === 0 && value === undefined ? ['', key] : [key, value ?? '']
          }),
        ),
    ),
  )
}

const whole = (text: string | undefined) =>
  text !== undefined && WHOLE.test(text) ? Number(text) : undefined

function seconds(text: string | undefined): number | undefined {
  const value = whole(text)
  return value === undefined ? undefined : value * 1000
}

function defined(values: { [Key in keyof Announced]: number | undefined }): Announced {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
}
