/** Goal: a collector that is slow never makes work wait. Method: a collector that answers when the test says so. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, expect, test, vi } from 'vitest'
import { Tracer } from '../../../workers/telemetry/tracer.ts'

afterEach(() => {
  vi.useRealTimers()
})

const span = (name: string) => ({
  ...{ name, trace: 'run', span: name, start_ms: 1, end_ms: 2, attributes: {} },
})

test('spans that were taken during a request are sent together by the next one', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const requests: { names: (string | undefined)[]; response: ServerResponse }[] = []
  const receive = async (request: IncomingMessage, response: ServerResponse) => {
    const names = [...(await text(request)).matchAll(/"name":"(\w+)"/g)].map(([, name]) => name)
    requests.push({ names: names.filter((name) => name !== 'tieout'), response })
  }
  const collector = createServer((request, response) => void receive(request, response))
  collector.listen(0, '127.0.0.1')
  await once(collector, 'listening')
  const { port } = collector.address() as AddressInfo
  const tracer = new Tracer({ url: `http://127.0.0.1:${port}`, headers: {}, service: 'tieout' })
  for (const name of ['first', 'second', 'third']) {
    tracer.take(span(name))
    vi.advanceTimersByTime(2_000)
  }
  await expect.poll(() => requests).toHaveLength(1)
  const closed = tracer.close()
  requests[0]?.response.end('{}')
  await expect.poll(() => requests).toHaveLength(2)
  requests[1]?.response.end('{}')
  await closed
  expect(requests.map(({ names }) => names)).toEqual([['first'], ['second', 'third']])
  collector.close()
})
