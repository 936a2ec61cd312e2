/**
 * The checks before every answer: credentials, the application key, the rate, and an occasional
 * failure.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { type Answer, errorAnswer } from './answer.ts'
import type { SimulatorOptions } from '../world/options.ts'
import { hash32 } from '../world/random.ts'

/** Returns undefined to let the request pass; otherwise the answer. */
export type Gate = (headers: IncomingHttpHeaders) => Answer | undefined

/** Opens a gate that counts its requests; two gates don't share their rate. */
export function openGate(options: SimulatorOptions, clock_ms: () => number): Gate {
  const throttled = throttle(options, clock_ms)
  let passed = 0
  return (headers) => {
    const refused = authenticate(options, headers) ?? throttled() ?? acceptable(headers)
    if (refused !== undefined) return refused
    passed += 1
    const fails = hash32(options.seed, passed, 950) / 0x1_0000_0000 < options.errorRate
    return fails ? errorAnswer(500, { message: 'Something went wrong.' }) : undefined
  }
}

function authenticate(
  { credentials }: SimulatorOptions,
  headers: IncomingHttpHeaders,
): Answer | undefined {
  const { user, password, applicationKey } = credentials
  const expected = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
  if (headers.authorization !== expected) {
    const refused = errorAnswer(401, { message: 'The credentials are missing or not valid.' })
    return { ...refused, headers: { 'www-authenticate': 'Basic realm="service"' } }
  }
  if (headers['x-svc-application-key'] === applicationKey) return undefined
  return errorAnswer(401, { message: 'The application key is missing or not valid.' })
}

function acceptable(headers: IncomingHttpHeaders): Answer | undefined {
  if (/application\/(json|\*)|\*\/\*/.test(headers.accept ?? '')) return undefined
  return errorAnswer(406, { message: 'Send the header Accept: application/json.' })
}

/** A token bucket of one second's requests; the rate may change while the service runs. */
function throttle(options: SimulatorOptions, clock_ms: () => number): () => Answer | undefined {
  let [left, last_ms] = [Math.max(1, options.ratePerSecond ?? 1), clock_ms()]
  return () => {
    const rate = options.ratePerSecond
    if (rate === undefined) return undefined
    const now_ms = clock_ms()
    left = Math.min(Math.max(1, rate), left + ((now_ms - last_ms) / 1000) * rate)
    last_ms = now_ms
    if (left < 1) {
      const wait_s = Math.max(1, Math.ceil((1 - left) / rate))
      const refused = errorAnswer(429, { message: 'Too many requests.' })
      return { ...refused, headers: { 'retry-after': String(wait_s) } }
    }
    left -= 1
    return undefined
  }
}
