/** Goal: a web page that points its name at this machine can't read the metrics. */
import { once } from 'node:events'
import { request } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { serveMetrics } from '../../../workers/telemetry/metrics-server.ts'

const PAGES = {
  ours: () => Promise.resolve('tieout_up 1'),
  readiness: () => Promise.resolve(undefined),
  temporal: undefined,
}

async function statusFor(address: string, host: string): Promise<number | undefined> {
  const asked = request(`http://${address}/metrics`, { headers: { host } }).end()
  const [response] = await once(asked, 'response')
  response.resume()
  return response.statusCode
}

test('metrics on a loopback address answer to its names only', async () => {
  const { address, close } = await serveMetrics(
    { host: '127.0.0.1', port: 0, isAsked: true },
    PAGES,
  )
  onTestFinished(close)
  for (const host of [address, 'localhost:9464', 'LOCALHOST', '[::1]:9464']) {
    expect(await statusFor(address, host)).toBe(200)
  }
  for (const host of ['evil.example:9464', 'localhost.evil.example', '127.0.0.1.evil.example']) {
    expect(await statusFor(address, host)).toBe(403)
  }
})

test('metrics on another address answer to any name, since Prometheus has its own for it', async () => {
  const { address, close } = await serveMetrics({ host: '0.0.0.0', port: 0, isAsked: true }, PAGES)
  onTestFinished(close)
  expect(await statusFor(address, 'worker-1:9464')).toBe(200)
})
