/** Serves the metrics of a worker: ours, and behind them those of the Temporal SDK, on one page. */
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { request } from 'undici'
import { Failure } from '../../domain/failure.ts'
import type { MetricsAddress } from '../../domain/settings.ts'

export interface MetricsServer {
  /** Where it listens, such as `127.0.0.1:9464`. */
  address: string
  close(): Promise<void>
}

export interface Pages {
  /** The text of our own metrics. */
  ours: () => Promise<string>
  /** Where the SDK serves its own; undefined where it sends them elsewhere. */
  temporal: string | undefined
}

const ANSWERS_MS = 2_000

/** Listens. Throws config_invalid where the address is taken or none of this machine. */
export async function serveMetrics(
  { host, port }: MetricsAddress,
  pages: Pages,
): Promise<MetricsServer> {
  const server = createServer((asked, response) => {
    const path = (asked.url ?? '').split('?')[0]
    if (asked.method !== 'GET' || (path !== '/metrics' && path !== '/health')) {
      response.writeHead(404).end()
      return
    }
    void answer(response, () => (path === '/health' ? Promise.resolve('ok\n') : pageOf(pages)))
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

async function answer(response: ServerResponse, text: () => Promise<string>): Promise<void> {
  try {
    const body = await text()
    response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' })
    response.end(body)
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
 * Serves the metrics of a worker where it is told to, and says where. An address that nobody asked for may be taken, by
 * another worker of this machine: then there are none, which is said. Throws config_invalid for one that was asked for.
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
    say(`warning: ${error.message}, so there are none; next: ${error.remedy}`)
    return undefined
  }
}
