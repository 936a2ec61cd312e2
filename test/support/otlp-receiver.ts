/** A collector of OpenTelemetry that stores the requests that it gets. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Value {
  stringValue?: string
  intValue?: string
  boolValue?: boolean
}

export interface ReceivedSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: { key: string; value: Value }[]
  status?: { code: number; message: string }
}

interface Sent {
  resourceSpans: { scopeSpans: { spans: ReceivedSpan[] }[] }[]
}

export interface Receiver {
  url: string
  spans: ReceivedSpan[]
  /** All that was sent, as text; and the value of one header of each request. */
  bodies: string[]
  keys: (string | undefined)[]
  close(): void
}

/** Starts it on the loopback address. */
export async function startReceiver(): Promise<Receiver> {
  const [spans, bodies, keys]: [ReceivedSpan[], string[], (string | undefined)[]] = [[], [], []]
  const server = createServer((asked, response) => {
    let body = ''
    asked.setEncoding('utf8').on('data', (piece: string) => (body += piece))
    asked.on('end', () => {
      bodies.push(body)
      keys.push(asked.headers['x-collector-key']?.toString())
      const sent: Sent = JSON.parse(body)
      spans.push(...sent.resourceSpans.flatMap((one) => one.scopeSpans.flatMap((of) => of.spans)))
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  return { url, spans, bodies, keys, close: () => void server.close() }
}
