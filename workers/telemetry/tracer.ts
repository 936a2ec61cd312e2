/**
 * The sender of spans to an OpenTelemetry collector: OTLP over HTTP, as JSON. Failed spans are
 * dropped; work never waits.
 */
import { hash } from 'node:crypto'
import { request } from 'undici'
import type { Collector } from './collector.ts'

export interface Span {
  name: string
  /** A key that all spans of a trace share. */
  trace: string
  /** A key of this span alone. */
  span: string
  /** The key of the parent span. */
  parent?: string | undefined
  start_ms: number
  end_ms: number
  /** Our own ids, codes and counts; no record, person or secret. */
  attributes: Readonly<Record<string, unknown>>
  /** The stable code of its failure. */
  code?: string | undefined
}

const EVERY_MS = 2_000
const MOST_WAITING = 2_000
const SENDS_MS = 5_000
/** The values of OTLP. */
const INTERNAL = 1
const ERROR = 2

export class Tracer {
  readonly #collector: Collector
  readonly #timer: NodeJS.Timeout
  #waiting: Span[] = []
  #sending: Promise<void> | undefined

  constructor(collector: Collector) {
    this.#collector = collector
    this.#timer = setInterval(() => this.#send(), EVERY_MS)
    this.#timer.unref()
  }

  take(span: Span): void {
    if (this.#waiting.length < MOST_WAITING) this.#waiting.push(span)
  }

  /** Sends the remaining spans, and waits for a short time. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#sending
    this.#send()
    await this.#sending
  }

  /** Sends all spans in one request. No request begins before the last one ends, so that none has to wait for many. */
  #send(): void {
    const spans = this.#waiting
    if (spans.length === 0 || this.#sending !== undefined) return
    this.#waiting = []
    this.#sending = this.#post(spans)
      .catch(() => {})
      .finally(() => {
        this.#sending = undefined
      })
  }

  async #post(spans: readonly Span[]): Promise<void> {
    const { url, headers, service } = this.#collector
    const { body } = await request(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(asOtlp(spans, service)),
      signal: AbortSignal.timeout(SENDS_MS),
    })
    await body.dump()
  }
}

/**
 * Derives an id in bytes from a name, so that all workers derive the same and the parts of a run
 * join.
 */
const idOf = (name: string, bytes: number) => hash('sha256', name).slice(0, 2 * bytes)

const asOtlp = (spans: readonly Span[], service: string) => ({
  resourceSpans: [
    {
      resource: { attributes: asAttributes({ 'service.name': service }) },
      scopeSpans: [{ scope: { name: 'tieout' }, spans: spans.map(asSpan) }],
    },
  ],
})

const asSpan = ({ name, trace, span, parent, start_ms, end_ms, attributes, code }: Span) => ({
  traceId: idOf(trace, 16),
  spanId: idOf(span, 8),
  ...(parent === undefined ? {} : { parentSpanId: idOf(parent, 8) }),
  ...{ name, kind: INTERNAL },
  startTimeUnixNano: nanos(start_ms),
  endTimeUnixNano: nanos(end_ms),
  attributes: asAttributes(attributes),
  ...(code === undefined ? {} : { status: { code: ERROR, message: code } }),
})

const nanos = (at_ms: number) => `${Math.round(at_ms)}000000`

const asAttributes = (attributes: Readonly<Record<string, unknown>>) =>
  Object.entries(attributes).map(([key, value]) => ({ key, value: asValue(value) }))

function asValue(value: unknown): object {
  if (typeof value === 'boolean') return { boolValue: value }
  if (typeof value === 'number' && Number.isSafeInteger(value)) return { intValue: String(value) }
  return { stringValue: String(value) }
}
