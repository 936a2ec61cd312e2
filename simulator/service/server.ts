/** The simulated service over HTTP, with a clock that moves on request. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { assert } from '../../domain/failure.ts'
import { type Answer, answer } from './answer.ts'
import { type Clock, startClock } from './clock.ts'
import { control, CONTROL_PATH } from './control.ts'
import { openGate } from './gate.ts'
import type { ListName, SimulatorOptions } from '../world/options.ts'
import { secondsOf } from '../world/time.ts'
import { generateWorld } from '../world/world.ts'
import { type World } from '../world/generated-world.ts'

export interface Statistics {
  /** Requests below the base path, with any answer. */
  requests: number
  byList: Record<ListName, number>
  /** Requests answered with 429. */
  throttled: number
  /** Requests with other methods than GET. */
  writes: number
}

export interface Simulator extends Pick<Clock, 'now' | 'advanceTo' | 'truth'> {
  /** Base address, with its path. */
  url: string
  world: World
  stats(): Statistics
  stop(): Promise<void>
}

export interface SimulatorPlace {
  /** 0 or absent: any free port. */
  port?: number
  /** The first instant of the clock; by default the end of the world. */
  now?: string
  /** An existing world; the switches of `options` apply to it. */
  world?: World
}

/** Makes a world unless one is given, and serves it on the loopback address. */
export async function startSimulator(
  options: SimulatorOptions,
  place: SimulatorPlace = {},
): Promise<Simulator> {
  const world = place.world ?? generateWorld(options)
  const clock = startClock({
    world,
    options,
    now: place.now === undefined ? world.end : secondsOf(place.now),
  })
  const stats: Statistics = {
    requests: 0,
    byList: { terminals: 0, settlements: 0, transactions: 0 },
    throttled: 0,
    writes: 0,
  }
  const handle = handler({ options, clock, stats })
  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy())
  })
  const port = await listen(server, place.port ?? 0)
  return {
    url: `http://127.0.0.1:${port}${options.basePath}`,
    world,
    now: () => clock.now(),
    advanceTo: (instant) => clock.advanceTo(instant),
    truth: () => clock.truth(),
    stats: () => structuredClone(stats),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function listen(server: Server, wanted: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(wanted, '127.0.0.1', resolve)
  })
  const address = server.address()
  assert(typeof address === 'object' && address !== null, 'a listening server has an address')
  return address.port
}

interface Service {
  options: SimulatorOptions
  clock: Clock
  stats: Statistics
}

function handler({ options, clock, stats }: Service) {
  const gate = openGate(options, () => performance.now())
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', 'http://service')
    if (url.pathname.startsWith(CONTROL_PATH)) {
      await send(response, await control(clock, stats, { request, path: url.pathname }))
      return
    }
    const { method = '', headers } = request
    const path = url.pathname.startsWith(`${options.basePath}/`)
      ? url.pathname.slice(options.basePath.length)
      : ''
    count(stats, method, path)
    request.resume()
    if (options.latency_ms > 0) await sleep(options.latency_ms)
    const origin = `http://${headers.host ?? '127.0.0.1'}${options.basePath}`
    const question = { method, path, query: url.searchParams, origin }
    const given = gate(headers) ?? answer(clock.moment(), clock.lists(), question)
    if (given.status === 429) stats.throttled += 1
    // The date header shows the simulated clock as well.
    response.setHeader('date', new Date(clock.now()).toUTCString())
    await send(response, given)
  }
}

function count(stats: Statistics, method: string, path: string): void {
  stats.requests += 1
  if (method !== 'GET') stats.writes += 1
  const list = path.split('/')[1] ?? ''
  if (isList(stats, list)) stats.byList[list] += 1
}

const isList = ({ byList }: Statistics, name: string): name is ListName =>
  Object.hasOwn(byList, name)

async function send(response: ServerResponse, given: Answer | Readable): Promise<void> {
  const type = { 'content-type': 'application/json; charset=utf-8' }
  if (given instanceof Readable) {
    response.writeHead(200, type)
    await pipeline(given, response)
    return
  }
  const bytes = Buffer.from(given.body)
  response.writeHead(given.status, { ...type, 'content-length': bytes.length, ...given.headers })
  response.end(bytes)
}
