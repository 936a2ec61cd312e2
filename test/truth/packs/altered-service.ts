/**
 * The simulated service with a history that the simulator alone does not have. From one night to the next records
 * appear late, amounts change and settled flags turn back. A COMPLETE settlement becomes PENDING again, and records
 * vanish.
 */
import { createServer } from 'node:http'
import { answer } from '../../../simulator/service/answer.ts'
import { startClock } from '../../../simulator/service/clock.ts'
import type { ListReader } from '../../../simulator/service/lists.ts'
import { simulatorOptions } from '../../../simulator/world/options.ts'
import { at, itemAt } from '../../../simulator/world/random.ts'
import { DAY_S, secondsOf } from '../../../simulator/world/time.ts'
import { generateWorld } from '../../../simulator/world/world.ts'
import { type World } from '../../../simulator/world/generated-world.ts'
import type { PackWorld } from './worlds.ts'

export interface PackService {
  /** Variables that lead a command to the service. */
  env: Record<string, string>
  /** Begins a night, counted from 0. */
  begin(night: number): void
  stop(): Promise<void>
}

export async function startPackService(pack: PackWorld): Promise<PackService> {
  const options = simulatorOptions(pack.options)
  const world = generateWorld(options)
  const clock = startClock({ world, options, now: secondsOf(itemAt(pack.nights, 0)) })
  let night = 0
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://service')
    const given = answer(clock.moment(), shown(clock.lists()), {
      method: request.method ?? '',
      path: url.pathname.slice(options.basePath.length),
      query: url.searchParams,
      origin: `http://${request.headers.host ?? ''}${options.basePath}`,
    })
    response.writeHead(given.status, {
      'content-type': 'application/json',
      date: new Date(clock.now()).toUTCString(),
      ...given.headers,
    })
    response.end(pack.isAltered ? alteredPage(given.body, night) : given.body)
  })
  const shown =
    (read: ListReader): ListReader =>
    (list, terminal) => {
      const places = read(list, terminal)
      if (!pack.isAltered || list === 'terminals') return places
      const created = list === 'transactions' ? transactionTimes(world) : settlementTimes(world)
      const firstNight_s = secondsOf(itemAt(pack.nights, 0))
      return places.filter((place) => isShown(place, firstNight_s - created(place), night))
    }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the service has a port')
  return {
    env: {
      TIEOUT_BASE_URL: `http://127.0.0.1:${address.port}${options.basePath}`,
      TIEOUT_API_USER: options.credentials.user,
      TIEOUT_API_PASSWORD: options.credentials.password,
      TIEOUT_APPLICATION_KEY: options.credentials.applicationKey,
    },
    begin(next) {
      night = next
      clock.advanceTo(itemAt(pack.nights, next))
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const transactionTimes = (world: World) => (row: number) => at(world.tx.created, row)
const settlementTimes = (world: World) => (place: number) =>
  itemAt(world.settlements, place).created

/** Records of the ten days before the first night: some appear only on the third night, some are gone on the fourth. */
function isShown(place: number, age_s: number, night: number): boolean {
  if (age_s < DAY_S || age_s > 10 * DAY_S) return true
  if (place % 71 === 7) return night >= 2
  return !(place % 83 === 11 && night >= 3)
}

const RECORD = /\{"(transaction|settlement)Id":(\d+),.*?(?=,\{"(?:transaction|settlement)Id":|\])/gs

/** The page with the changes that its records have undergone by this night. */
const alteredPage = (body: string, night: number): string =>
  body.replaceAll(RECORD, (record, kind: string, id: string) =>
    kind === 'transaction'
      ? alteredTransaction(record, Number(BigInt(id) % 997n), night)
      : alteredSettlement(record, Number(BigInt(id) % 997n), night),
  )

function alteredTransaction(record: string, draw: number, night: number): string {
  if (draw % 53 === 5 && night >= 1) return raised(record, 'amountTotal')
  const isReversed = draw % 47 === 3 && (night === 2 || (night === 3 && draw % 2 === 0))
  return isReversed ? record.replace('"settled":true', '"settled":false') : record
}

function alteredSettlement(record: string, draw: number, night: number): string {
  if (draw % 23 === 5 && night >= 2) return raised(record, 'amountNet')
  return draw % 29 === 3 && night >= 3 ? record.replace('COMPLETE', 'PENDING') : record
}

/** Raises an amount by one hundred. */
const raised = (record: string, field: string): string =>
  record.replace(
    new RegExp(`("${field}":"?)(\\d+)`),
    (_, before: string, whole: string) => `${before}${Number(whole) + 100}`,
  )
