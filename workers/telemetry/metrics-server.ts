/** The server of a worker's metrics: ours, followed by those of the Temporal SDK, on one page. */
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { request } from 'undici'
import { isLoopback } from '../../api/http/address.ts'
import { Failure } from '../../domain/failure.ts'
import type { MetricsAddress } from '../../domain/settings.ts'

export interface MetricsServer {
  /** Its address, such as `127.0.0.1:9464`. */
  address: string
  close(): Promise<void>
}

export interface Pages {
  /** The text of our metrics. */
  ours: () => Promise<string>
  /** The code of the failure that keeps the worker from working; undefined if there is none. */
  readiness: () => Promise<string | undefined>
  /** The address of the SDK's metrics; undefined if it sends them elsewhere. */
  temporal: string | undefined
}

const ANSWERS_MS = 2_000

/**
 * Starts to listen. A loopback address answers only requests to a loopback name, because a web page may point its own
 * name at the port. Throws config_invalid if the address is taken or does not belong to this machine.
 */
export async function serveMetrics(
  { host, port }: MetricsAddress,
  pages: Pages,
): Promise<MetricsServer> {
  const answers: Readonly<Record<string, () => Promise<Answer>>> = {
    '/health': () => Promise.resolve({ status: 200, text: 'ok\n' }),
    '/ready': async () => {
      const code = await pages.readiness()
      return { status: code === undefined ? 200 : 503, text: `${code ?? 'ready'}\n` }
    },
    '/metrics': async () => ({ status: 200, text: await pageOf(pages) }),
  }
  const isLocal = isLoopback({ hostname: host.includes(':') ? `[${host}]` : host })
  const server = createServer((request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? ''
    const answerOf = request.method === 'GET' ? answers[path] : undefined
    const hostname = (request.headers.host ?? '').toLowerCase().replace(/:\d+$/, '')
    const isForeign = isLocal && !isLoopback({ hostname })
    if (isForeign) response.writeHead(403).end()
    else if (answerOf === undefined) response.writeHead(404).end()
    else void answer(response, answerOf)
  })
  await listening(server, host, port)
  const bound = server.address() as AddressInfo
  return {
    address: `${host}:${bound.port}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

interface Answer {
  status: number
  text: string
}

async function answer(response: ServerResponse, answerOf: () => Promise<Answer>): Promise<void> {
  try {
    const { status, text } = await answerOf()
    response.writeHead(status, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' })
    response.end(text)
  } catch {
    response.writeHead(500).end()
  }
}

function listening(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause) => {
      reject(
        new Failure('config_invalid', `metrics can't be served on ${host}:${port}`, {
          cause,
          remedy: 'set TIEOUT_METRICS to a free address of this machine, or to off',
        }),
      )
    })
    server.listen(port, host, resolve)
  })
}

async function pageOf({ ours, temporal }: Pages): Promise<string> {
  const [own, theirs] = await Promise.all([
    ours(),
    temporal === undefined ? '' : textAt(temporal).catch(() => ''),
  ])
  return `${own.trimEnd()}\n${theirs}`
}

async function textAt(address: string): Promise<string> {
  const { body } = await request(`http://${address}/metrics`, {
    headersTimeout: ANSWERS_MS,
    bodyTimeout: ANSWERS_MS,
  })
  return body.text()
}

/**
 * Serves the metrics of a worker at its configured address and prints that address. If a default
 * address is taken, the worker warns and serves none. Throws config_invalid for a configured one.
 */
export async function metricsOf(
  address: MetricsAddress | undefined,
  pages: Pages,
  say: (line: string) => void,
): Promise<MetricsServer | undefined> {
  if (address === undefined) return undefined
  try {
    const served = await serveMetrics(address, pages)
    say(`metrics at http://${served.address}/metrics`)
    return served
  } catch (error) {
    if (address.isAsked || !(error instanceof Failure)) throw error
    say(`warning: ${error.message}, so this worker serves no metrics; next: ${error.remedy}`)
    return undefined
  }
}
