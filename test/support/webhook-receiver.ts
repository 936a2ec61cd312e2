/** A receiver of webhook messages on a port of its own. */
import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll } from 'vitest'

export interface Posted {
  body: string
  /** The header with time and HMAC; empty without a key. */
  signature: string
}

/** Listens until the tests of the file have ended, and confirms each message. */
export async function receiveMessages(): Promise<{ url: string; posted: Posted[] }> {
  const posted: Posted[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (piece: string) => (body += piece))
    request.on('end', () => {
      posted.push({ body, signature: String(request.headers['x-tieout-signature'] ?? '') })
      response.end('ok')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/hook`, posted }
}

/** True if the message was signed with this key, as a receiver checks it. */
export function isSignedWith(key: string, { body, signature }: Posted): boolean {
  const [, t = '', v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(signature) ?? []
  return v1 === createHmac('sha256', key).update(`${t}.${body}`).digest('hex')
}
