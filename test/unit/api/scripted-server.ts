/** A service that follows a script byte by byte, and counts its requests. */
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import type { RateOptions } from '../../../api/rate/learned-rate.ts'
import { Rate } from '../../../api/rate/rate.ts'
import { createSource, type Source } from '../../../api/http/source.ts'
import { Failure } from '../../../domain/failure.ts'
import { Secret, type SourceSettings } from '../../../domain/settings.ts'
import type { PageAsk } from '../../../api/http/address.ts'
import { HASH_KEY, recordText } from './records.ts'

export interface ReceivedRequest {
  /** Path and query. */
  target: string
  url: URL
  headers: string
}

/** The answer to one request: bytes that are sent at once, or a function that acts on the socket. */
export type Act = string | Buffer | ((socket: Socket, asked: ReceivedRequest) => void)

export interface Scripted {
  url: string
  asked: ReceivedRequest[]
  source: Source
  /** Reads one page of settlements and tells what came of it. */
  outcome(ask?: Partial<PageAsk>): Promise<Outcome>
}

export interface Outcome {
  code: string
  text: string
  retry_after_ms?: number | undefined
  requests: number
}

export const SECRETS = {
  user: 'reader',
  password: 'a-password-of-some-length',
  applicationKey: 'an-application-key-of-some-length',
}

/** One listed settlement. */
export const RECORD = recordText('settlements', 'status', '"COMPLETE"')
export const LAST_PAGE = `{"results":[${RECORD}]}`

/** The bytes of an answer; its length is announced unless a header says otherwise. */
export function answer(
  body: string | Buffer,
  more: { status?: string; headers?: Record<string, string> } = {},
): Buffer {
  const headers: Record<string, string> = {
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(body)),
    ...more.headers,
  }
  const lines = Object.entries(headers)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}: ${value}\r\n`)
  const head = `HTTP/1.1 ${more.status ?? '200 OK'}\r\n${lines.join('')}\r\n`
  return Buffer.concat([Buffer.from(head), Buffer.from(body)])
}

export const page = (...records: string[]) => answer(`{"results":[${records.join(',')}]}`)
export const refusal = (status: string, body: string, headers: Record<string, string> = {}) =>
  answer(body, { status, headers })

/** The acts are done for one request each, the last one for all that follow. */
export async function scripted(
  acts: readonly Act[],
  { rate, ...more }: Partial<SourceSettings> & { rate?: Partial<RateOptions> } = {},
): Promise<Scripted> {
  const asked: ReceivedRequest[] = []
  const { port } = await listen((socket) => {
    let received = ''
    socket.on('data', (bytes) => {
      received += bytes.toString('latin1')
      for (let end = received.indexOf('\r\n\r\n'); end >= 0; end = received.indexOf('\r\n\r\n')) {
        const [line = '', ...headers] = received.slice(0, end).split('\r\n')
        received = received.slice(end + 4)
        const target = line.split(' ')[1] ?? ''
        asked.push({
          target,
          url: new URL(target, 'http://127.0.0.1'),
          headers: headers.join('\n'),
        })
        act(socket, acts[Math.min(asked.length, acts.length) - 1], asked.at(-1))
      }
    })
  })
  const url = `http://127.0.0.1:${port}`
  const source = open({ baseUrl: url, ...more }, rate)
  return { url, asked, source, outcome: (ask) => outcomeOf(source, url, ask) }
}

function act(socket: Socket, what: Act | undefined, asked: ReceivedRequest | undefined): void {
  if (what === undefined || asked === undefined) throw new Error('the script has ended')
  if (typeof what === 'function') what(socket, asked)
  else socket.write(what)
}

/** An address that must get no request. */
export async function elsewhere(): Promise<{ port: number; connections: () => number }> {
  let connections = 0
  const { port } = await listen((socket) => {
    connections += 1
    socket.destroy()
  })
  return { port, connections: () => connections }
}

/** Listens on a free port of 127.0.0.1 until the test ends. */
export async function listen(onSocket: (socket: Socket) => void): Promise<{ port: number }> {
  const sockets = new Set<Socket>()
  const server: Server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    // The outcome shows the end of the socket.
    socket.on('error', () => {})
    onSocket(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  return { port: (server.address() as AddressInfo).port }
}

/** A source that gives up after the first setback, unless the settings say otherwise. */
export function open(more: Partial<SourceSettings>, rate?: Partial<RateOptions>): Source {
  const source = createSource(
    {
      baseUrl: '',
      user: SECRETS.user,
      password: new Secret(SECRETS.password),
      applicationKey: new Secret(SECRETS.applicationKey),
      paths: { terminals: 'terminals', settlements: 'settlements', transactions: 'transactions' },
      query: {},
      headers: {},
      pageSize: 50,
      timeout_ms: 5_000,
      retryBudget_ms: 0,
      ...more,
    },
    { hashKey: HASH_KEY, rate: new Rate(rate) },
  )
  onTestFinished(() => source.close())
  return source
}

/** Reads one page of settlements. The host stands as HOST in the text; a page is `page`, with what it holds. */
export async function outcomeOf(
  source: Source,
  url: string,
  ask: Partial<PageAsk> = {},
): Promise<Outcome> {
  const before = source.counters.requests
  const requests = () => source.counters.requests - before
  try {
    const read = await source.page('settlements', { offset: 0, limit: 50, ...ask })
    const text = `${read.records.length} of ${read.asked}${read.hasNext ? ', more' : ''}`
    return { code: 'page', text, requests: requests() }
  } catch (failure) {
    if (!(failure instanceof Failure)) throw failure
    const text = failure.message.replaceAll(new URL(url).host, 'HOST')
    const { code, retry_after_ms } = failure
    return { code, text, retry_after_ms, requests: requests() }
  }
}
