/** A server before an object store in a test: it may answer a request by itself, or cut the store's answer. */
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Relay {
  /** Its address, which stands for the store's. */
  url: string
  /** Method and path of each request so far. */
  seen: string[]
  stop: () => void
}

/** `lost` passes the request on and gives no answer; a number is the status of an answer without the store. */
export type Fault = (asked: {
  method: string
  path: string
  authorization: string
}) => Answered | Promise<Answered>

type Answered = 'lost' | { status: number; body?: string } | undefined

export async function relayTo(store: string, fault: Fault): Promise<Relay> {
  const seen: string[] = []
  const serve = async (asked: IncomingMessage, answer: ServerResponse) => {
    const { method = '', url: path = '', headers } = asked
    seen.push(`${method} ${path.replace(/\?.*/, '')}`)
    const found = await fault({ method, path, authorization: headers.authorization ?? '' })
    if (typeof found !== 'object') pass(asked, answer, { to: store, isLost: found === 'lost' })
    else asked.resume().on('end', () => answer.writeHead(found.status).end(found.body))
  }
  const server = createServer((asked, answer) => void serve(asked, answer))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const stop = () => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${port}`, seen, stop }
}

function pass(
  asked: IncomingMessage,
  answer: ServerResponse,
  { to, isLost }: { to: string; isLost: boolean },
): void {
  const { method, url = '', headers } = asked
  const sent = request(`${to}${url}`, { method, headers }, (got) => {
    if (isLost) {
      got.resume().on('end', () => answer.destroy())
      return
    }
    answer.writeHead(got.statusCode ?? 0, got.headers)
    got.pipe(answer)
  })
  asked.pipe(sent)
}
