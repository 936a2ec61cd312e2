/**
 * The destinations of traces and of the SDK's metrics, from OpenTelemetry's variables. Without them
 * nothing is sent.
 */

export interface Collector {
  url: string
  headers: Record<string, string>
  /** The name of this service at the collector. */
  service: string
}

type Env = Readonly<Record<string, string | undefined>>

/** The collector of the Temporal SDK's metrics, over gRPC or HTTP. */
export function metricsCollector(env: Env): (Collector & { http: boolean }) | undefined {
  const http = isHttp(env, 'METRICS')
  const url = endpoint(env, 'METRICS', http)
  return url === undefined ? undefined : { url, http, ...common(env) }
}

/** The collector of traces. Traces go over HTTP only: with gRPC they have no collector. */
export function tracesCollector(env: Env): Collector | undefined {
  if (!isHttp(env, 'TRACES')) return undefined
  const url = endpoint(env, 'TRACES', true)
  return url === undefined ? undefined : { url, ...common(env) }
}

type Signal = 'METRICS' | 'TRACES'

/** OpenTelemetry's default is `http/protobuf`. An unknown value counts as absent. */
function isHttp(env: Env, signal: Signal): boolean {
  const own = env[`OTEL_EXPORTER_OTLP_${signal}_PROTOCOL`] || undefined
  const protocol = own ?? env['OTEL_EXPORTER_OTLP_PROTOCOL'] ?? ''
  return protocol.trim().toLowerCase() !== 'grpc'
}

function endpoint(env: Env, signal: Signal, http: boolean): string | undefined {
  const own = env[`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`] || undefined
  const all = env['OTEL_EXPORTER_OTLP_ENDPOINT'] || undefined
  if (own !== undefined || all === undefined) return own
  return http ? `${all.replace(/\/$/, '')}/v1/${signal.toLowerCase()}` : all
}

function common(env: Env): Pick<Collector, 'headers' | 'service'> {
  const pairs = (env['OTEL_EXPORTER_OTLP_HEADERS'] ?? '').split(',').filter((pair) => pair !== '')
  return {
    headers: Object.fromEntries(pairs.map((pair) => named(pair))),
    service: env['OTEL_SERVICE_NAME'] || 'tieout',
  }
}

/** Parses `name=value`; the value may be percent-encoded. */
function named(pair: string): [string, string] {
  const [name = '', ...value] = pair.split('=')
  const text = value.join('=').trim()
  try {
    return [name.trim(), decodeURIComponent(text)]
  } catch {
    return [name.trim(), text]
  }
}
