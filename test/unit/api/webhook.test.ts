import { createHmac } from 'node:crypto'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { checkWebhook, postMessage } from '../../../api/http/webhook.ts'
import { FAILURES } from '../../../domain/failure.ts'
import { Secret, type Webhook } from '../../../domain/settings.ts'
import {
  outcomeMessage,
  undelivered,
  WEBHOOK_RULES,
  type WebhookMessage,
} from '../../../domain/webhook.ts'
import { certificateFor } from '../../support/certificate.ts'
import { requireProgram } from '../../support/outside-program.ts'

const PATH = '/services/T00/B00/Sesame-4c1d'

interface Heard {
  method: string | undefined
  url: string | undefined
  type: string | undefined
  body: string
  signature: string | undefined
}

/** A server on a port of its own; `answer` hears of each request once its body was read. */
async function listen(answer: RequestListener): Promise<{ url: string; heard: Heard[] }> {
  const heard: Heard[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (piece: string) => (body += piece))
    request.on('end', () => {
      const { method, url, headers } = request
      const signature = headers['x-tieout-signature']?.toString()
      heard.push({ method, url, type: headers['content-type'], body, signature })
      answer(request, response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}${PATH}`, heard }
}

const answering = (status: number, headers: Record<string, string> = {}) =>
  listen((_request, response) => response.writeHead(status, headers).end('ok'))

const LATE = outcomeMessage({ account: 'acme', runId: 'r1' })

const hook = (url: Secret | string, more: Partial<Webhook> = {}): Webhook => ({
  ...{ ...WEBHOOK_RULES, url: typeof url === 'string' ? new Secret(url) : url },
  ...more,
})

const postLine = (
  url: Secret,
  text: string,
  options: Parameters<typeof postMessage>[2] = {},
): Promise<string | undefined> => postMessage(hook(url), { ...LATE, text }, options)

test('a line is posted once, as JSON with a text, and text that looks like a mention is escaped', async () => {
  const { url, heard } = await answering(200)
  expect(await postLine(new Secret(url), 'acme: 3 < 4 & <!channel>')).toBeUndefined()
  expect(heard).toMatchObject([{ method: 'POST', url: PATH, type: 'application/json' }])
  expect(JSON.parse(heard[0]?.body ?? '')).toEqual({
    ...{ text: 'acme: 3 &lt; 4 &amp; &lt;!channel&gt;', version: 1, event: 'late' },
    ...{ severity: 'warning', account: 'acme', runId: 'r1', command: 'tieout status' },
  })
  expect(heard[0]?.signature).toBeUndefined()
})

test('a receiver that shares the key can check who sent the message, and when', async () => {
  const { url, heard } = await answering(200)
  await postMessage(hook(url, { key: new Secret('shared') }), LATE)
  const [, t = '', v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(heard[0]?.signature ?? '') ?? []
  const body = heard[0]?.body ?? ''
  expect(v1).toBe(createHmac('sha256', 'shared').update(`${t}.${body}`).digest('hex'))
  expect(Math.abs(Number(t) - Date.now() / 1000)).toBeLessThan(600)
})

test('an outcome that the rules leave out is not posted', async () => {
  const { url, heard } = await answering(200)
  expect(await postMessage(hook(url, { events: ['failed'] }), LATE)).toBeUndefined()
  expect(await postMessage(hook(url, { leastSeverity: 'error' }), LATE)).toBeUndefined()
  expect(heard).toEqual([])
})

test('the link names the run, and no value of it leaves its place in the address', async () => {
  const { url, heard } = await answering(200)
  const link = 'https://tieout.example.com/packs/{runId}?a={account}'
  await postMessage(hook(url, { link }), { ...LATE, account: 'a&b/c' })
  const body = JSON.parse(heard[0]?.body ?? '') as WebhookMessage
  expect(body.link).toBe('https://tieout.example.com/packs/r1?a=a%26b%2Fc')
})

const WINDOW = { from: '2026-10-01', to: '2026-11-01' }

test.each([
  ['control_total_failed', 'withheld'],
  ['invariant_broken', 'withheld'],
  ['certificate_too_low', 'withheld'],
  ['source_refused', 'failed'],
  ['something new', 'failed'],
])('a run that ends with %s is %s', (code, event) => {
  const failure = { code, what: 'a sentence' }
  const message = outcomeMessage({ account: 'acme', runId: 'r1', window: WINDOW, failure })
  expect(message).toMatchObject({ event, severity: 'error', ...WINDOW })
  expect(message.text).toContain(`acme 2026-10-01 to 2026-11-01; ${event}: `)
})

test.each([
  ['source_unauthorized', {}, 'tieout doctor --account acme'],
  ['worker_missing', {}, 'tieout worker'],
  ['invariant_broken', {}, 'tieout status --account acme'],
  ['bug', {}, 'tieout status --account acme'],
  ['source_refused', { isBackfill: true }, 'tieout backfill status --account acme'],
] as const)(
  'after %s %j the message names a command to type, and the remedy beside it',
  (code, more, command) => {
    const failure = { code, what: 'a sentence' }
    const message = outcomeMessage({ account: 'acme', runId: 'r1', ...more, failure })
    expect(message).toMatchObject({ command, next: FAILURES[code].remedy })
  },
)

test('a run that is withheld after it was stored has its counts and amounts', () => {
  const headline = { settlements: 3, tied: 2, explained: 0, breaks: 1, pending: 0, noData: 0 }
  const exceptions = { AMOUNT_MISMATCH: 1 }
  const found = { knownAt: '7', headline, exceptions, openErrors: 1, openWarnings: 0 }
  const unexplained = { currency: 'USD', short: '0.00', over: '1.50', gross: '1.50' }
  const failure = { code: 'certificate_too_low', what: 'a sentence' }
  const outcome = { account: 'acme', runId: 'r1', failure }
  expect(outcomeMessage(outcome, { found, unexplained })).toMatchObject({
    ...{ event: 'withheld', settlements: { total: 3, tied: 2, breaks: 1 }, unexplained },
    openExceptions: { errors: 1, warnings: 0, byCode: exceptions },
    text: expect.stringContaining('short 0.00, over 1.50, gross 1.50 USD; next: '),
  })
})

test('a message about a backfill says so, and names the command that shows it', () => {
  const about = { account: 'acme', runId: 'r1', window: WINDOW, isBackfill: true } as const
  expect(outcomeMessage(about)).toMatchObject({
    ...{ event: 'late', severity: 'warning', isBackfill: true, command: 'tieout backfill status' },
    text: 'backfill of acme 2026-10-01 to 2026-11-01; late: the backfill still runs',
  })
  const failure = { code: 'source_unauthorized', what: 'the service refuses' }
  expect(outcomeMessage({ ...about, failure })).toMatchObject({
    ...{ event: 'failed', severity: 'error', isBackfill: true, ...WINDOW },
    text: expect.stringMatching(/^backfill of acme 2026-10-01 to 2026-11-01; failed: /),
  })
})

test.each([400, 404, 410, 500, 503])(
  'an answer of %i is reported, and nothing is sent again',
  async (status) => {
    const { url, heard } = await answering(status)
    expect(await postLine(new Secret(url), 'x')).toBe(`it answered ${status}`)
    expect(heard).toHaveLength(1)
  },
)

test.each([301, 302, 307, 308])('a redirection by %i is not followed', async (status) => {
  const elsewhere = await answering(200)
  const { url } = await answering(status, { location: elsewhere.url })
  expect(await postLine(new Secret(url), 'x')).toBe(`it answered ${status}`)
  expect(elsewhere.heard).toEqual([])
})

test('a server that takes the line and never answers is abandoned after the patience', async () => {
  const { url, heard } = await listen(() => {})
  expect(await postLine(new Secret(url), 'x', { patience_ms: 300 })).toBe(
    'it did not answer within 0.3 s',
  )
  expect(heard).toHaveLength(1)
  expect(undelivered('it did not answer within 0.3 s')).toBe(
    'the webhook did not answer within 0.3 s',
  )
  expect(undelivered('HTTPS_PROXY is not an address')).toBe(
    'the webhook was not called: HTTPS_PROXY is not an address',
  )
})

test('an answer whose body never ends is an answer', async () => {
  const { url } = await listen((_request, response) => {
    response.writeHead(200).write('o')
  })
  expect(await postLine(new Secret(url), 'x')).toBeUndefined()
})

test('an address without a listening program is reported without the address', async () => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  const url = new Secret(`http://127.0.0.1:${port}${PATH}`)
  expect(await postLine(url, 'x')).toBe("it can't be reached")
})

test('an interrupted run interrupts the posting', async () => {
  const { url } = await listen(() => {})
  const interrupt = new AbortController()
  const posting = postLine(new Secret(url), 'x', { cancelled: interrupt.signal })
  interrupt.abort(new Error('interrupted'))
  await expect(posting).rejects.toThrow('interrupted')
})

const REFUSED: [string, string][] = [
  ['hooks.example.com/Sesame-4c1d', 'is not an address'],
  ['http://hooks.example.com/Sesame-4c1d', 'is neither https nor http on a loopback address'],
  ['http://127.0.0.1.example.com/Sesame-4c1d', 'is neither https nor http on a loopback address'],
  ['file:///Sesame-4c1d', 'is neither https nor http on a loopback address'],
  ['https://me:Sesame-4c1d@hooks.example.com/', 'holds a user or a password'],
  ['https://169.254.1.1/Sesame-4c1d', 'is a link-local address, at which clouds keep secrets'],
]

test.each(REFUSED)('%s is refused before anything starts, and not repeated', (url, what) => {
  expect(() => checkWebhook(url)).toThrow(
    expect.objectContaining({ code: 'config_invalid', message: `TIEOUT_WEBHOOK_URL ${what}` }),
  )
})

test.each(['https://hooks.example.com/a', 'http://localhost:9/a', 'http://[::1]:9/a'])(
  '%s is accepted',
  (url) => {
    expect(() => checkWebhook(url)).not.toThrow()
  },
)

test('a server without a trusted certificate gets nothing, whatever the environment says of TLS', async (context) => {
  requireProgram(context, 'openssl')
  const { key, cert } = certificateFor('localhost')
  let requests = 0
  const server = createSecureServer({ key, cert }, (_request, response) => {
    requests += 1
    response.end('ok')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const before = process.env['NODE_TLS_REJECT_UNAUTHORIZED']
  process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0'
  onTestFinished(() => {
    if (before === undefined) delete process.env['NODE_TLS_REJECT_UNAUTHORIZED']
    else process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = before
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const url = new Secret(`https://localhost:${port}${PATH}`)
  expect(await postLine(url, 'a line')).toBe("it can't be reached")
  expect(requests).toBe(0)
})
