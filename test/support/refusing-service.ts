/**
 * A proxy of the simulator that refuses what a service may refuse: lists of all terminals, or of one. Its clock may run
 * ahead.
 */
import { createServer } from 'node:http'
import { onTestFinished } from 'vitest'

export interface SentRequest {
  /** Below the base path, such as `settlements` or `terminals/1001`. */
  path: string
  terminalId: string | null
  offset: number
}

export interface Rules {
  /** Status of the refusal, or undefined to answer. */
  refuses?: (asked: SentRequest) => number | undefined
  /** Lists in which the service doesn't heed the parameter terminalId. */
  unheeded?: readonly string[]
  /** The days by which the clock in its answers runs ahead. */
  daysAhead?: number
}

/** Serves the simulator under these rules, which may be changed meanwhile; `asked` hears of every request. */
export async function refusingService(
  simulator: string,
  rules: Rules,
  asked: SentRequest[] = [],
): Promise<string> {
  const { origin, pathname } = new URL(simulator)
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', origin)
    const path = url.pathname.slice(pathname.length + 1)
    const terminalId = url.searchParams.get('terminalId')
    const ask = { path, terminalId, offset: Number(url.searchParams.get('offset')) }
    asked.push(ask)
    const status = rules.refuses?.(ask)
    if (status !== undefined) {
      const errors = [{ message: 'It does not exist or is not accessible.', type: 'invalid' }]
      const refusal = JSON.stringify({ errors })
      // The date comes from the clock of the service behind the proxy.
      void (async () => {
        const date = (await fetch(simulator)).headers.get('date') ?? ''
        response.writeHead(status, { 'content-type': 'application/json', date }).end(refusal)
      })().catch(() => response.destroy())
      return
    }
    const isUnheeded = rules.unheeded?.includes(path) === true
    if (isUnheeded) url.searchParams.delete('terminalId')
    const { authorization = '' } = request.headers
    const key = String(request.headers['x-svc-application-key'])
    const headers = { accept: 'application/json', authorization, 'x-svc-application-key': key }
    void (async () => {
      const answer = await fetch(url, { headers })
      const own = `http://${request.headers.host ?? ''}`
      const text = (await answer.text()).replaceAll(origin, own)
      // The service repeats the requested terminal, even if it ignores it.
      const body =
        isUnheeded && terminalId !== null
          ? text.replace(/("next":"[^"]*)"/, `$1&terminalId=${terminalId}"`)
          : text
      response.writeHead(answer.status, {
        'content-type': 'application/json',
        date: ahead(answer.headers.get('date') ?? '', rules.daysAhead),
      })
      response.end(body)
    })().catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('a server has an address')
  return `http://127.0.0.1:${address.port}${pathname}`
}

const ahead = (date: string, days = 0): string =>
  days === 0 ? date : new Date(Date.parse(date) + days * 86_400_000).toUTCString()
