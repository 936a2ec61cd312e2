/**
 * Goal: a service behind a proxy is read, and its certificate is checked through the proxy. Method: a proxy that opens
 * tunnels, and a front with TLS before the simulator. Only the proxy knows the name of the service.
 */
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { connect, type AddressInfo, type Server } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { newPlace, simulate, tieout } from '../../support/built.ts'
import { certificateFor } from '../../support/certificate.ts'
import { requireProgram } from '../../support/outside-program.ts'

const NOW = '2026-10-30T04:15:00Z'
const WORLD = ['--terminals', '2', '--transactions', '60', '--days', '10', '--from', '2026-10-20']
const HOST = 'payments.invalid'

async function listening(server: Server & { closeAllConnections?: () => void }): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections?.()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

/** Opens each tunnel to the same port, whatever host is asked for. */
async function tunnelProxy(port: number) {
  const tunnels: string[] = []
  const server = createServer()
  server.on('connect', (asked, socket) => {
    tunnels.push(asked.url ?? '')
    const target = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      target.pipe(socket).pipe(target)
    })
    for (const end of [target, socket]) end.on('error', () => end.destroy())
  })
  return { url: `http://127.0.0.1:${await listening(server)}`, tunnels }
}

/** Passes a request on. The service then names itself in its answers as the front does. */
function pass(asked: IncomingMessage, answer: ServerResponse, to: string): void {
  const { method, url = '', headers } = asked
  const { host: _front, ...others } = headers
  const sent = request(`${to}${url}`, { method, headers: others }, (got) => {
    const chunks: Buffer[] = []
    got.on('data', (chunk: Buffer) => chunks.push(chunk))
    got.on('end', () => {
      const body = Buffer.concat(chunks).toString().replaceAll(to, `https://${HOST}`)
      const { 'content-length': _length, ...rest } = got.headers
      answer.writeHead(got.statusCode ?? 0, rest).end(body)
    })
  })
  asked.pipe(sent)
}

test('a service is read through a proxy, if its certificate is trusted', async (context) => {
  requireProgram(context, 'openssl')
  const service = await simulate([...WORLD, '--now', NOW], newPlace())
  const { origin, pathname } = new URL(service['TIEOUT_BASE_URL'] ?? '')
  const { key, cert, file } = certificateFor(HOST)
  const front = createSecureServer({ key, cert }, (asked, answer) => pass(asked, answer, origin))
  const { url, tunnels } = await tunnelProxy(await listening(front))
  const env = { ...service, TIEOUT_BASE_URL: `https://${HOST}${pathname}`, HTTPS_PROXY: url }
  const range = ['--from', '2026-10-21', '--to', '2026-10-29', '--as-of', NOW]

  const untrusted = await tieout(['run', ...range], newPlace({ ...env, NO_PROXY: '' }))
  expect(untrusted.code).toBe(3)
  expect(untrusted.stderr).toContain('could not prove its identity')

  const trusted = newPlace({ ...env, NO_PROXY: '', NODE_EXTRA_CA_CERTS: file })
  const swept = await tieout(['run', ...range, '--json'], trusted)
  expect(swept, swept.stderr).toMatchObject({ code: 0 })
  expect(JSON.parse(swept.stdout).headline.settlements).toBeGreaterThan(0)
  expect(new Set(tunnels)).toEqual(new Set([`${HOST}:443`]))
})
