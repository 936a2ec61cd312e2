import { afterEach, describe, expect, test } from 'vitest'
import {
  type ListName,
  type ListOrder,
  type PartialOptions,
  simulatorOptions,
} from '../../../simulator/world/options.ts'
import { type Simulator, startSimulator } from '../../../simulator/service/server.ts'
import { secondsOf } from '../../../simulator/world/time.ts'
import { generateWorld, worldEnd } from '../../../simulator/world/world.ts'
import { ask, MESSAGE, type Row, walk } from './client.ts'

const SMALL = { seed: 5, terminals: 7, transactions: 1203, days: 20 }
const world = generateWorld(simulatorOptions(SMALL))
const LISTS: ListName[] = ['terminals', 'settlements', 'transactions']
const ORDERS: ListOrder[] = ['created-asc', 'created-desc', 'modified-desc', 'id-asc', 'shuffled']

let simulator: Simulator
const start = async (switches: PartialOptions = {}, now?: string) => {
  const place = now === undefined ? { world } : { world, now }
  simulator = await startSimulator(simulatorOptions({ ...SMALL, ...switches }), place)
  return simulator
}
afterEach(() => simulator.stop())

const existing = (list: ListName, now: number) => {
  if (list === 'terminals') return world.terminals.length
  if (list === 'settlements')
    return world.settlements.filter(({ created }) => created <= now).length
  return world.tx.created.filter((created) => created <= now).length
}

const ids = (list: ListName, rows: Row[]) =>
  rows.map((row) => String(row[`${list.slice(0, -1)}Id`]))
const sortedIds = (all: string[]) => all.toSorted((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1))

describe.each(ORDERS)('the order %s', (order) => {
  test.each([1000, 64])('pages of at most %i show every record exactly once', async (limitCap) => {
    const same = { terminals: order, settlements: order, transactions: order }
    await start({ order: same, limitCap }, '2025-10-09T12:00:00Z')
    for (const list of LISTS) {
      const { rows, sizes } = await walk(simulator, list)
      expect(new Set(ids(list, rows)).size).toBe(rows.length)
      expect(rows).toHaveLength(existing(list, secondsOf('2025-10-09T12:00:00Z')))
      expect(sizes.slice(0, -1).every((size) => size === limitCap)).toBe(true)
      const plain = await walk(simulator, list)
      expect(ids(list, plain.rows)).toEqual(ids(list, rows))
    }
  })
})

test('each order matches its name', async () => {
  const readAll = async (order: ListOrder) => {
    await start({ order: { transactions: order } }, '2025-10-09T12:00:00Z')
    const { rows } = await walk(simulator, 'transactions')
    await simulator.stop()
    return rows
  }
  const ascending = await readAll('created-asc')
  const byId = await readAll('id-asc')
  const modified = await readAll('modified-desc')
  const shuffled = await readAll('shuffled')
  const created = ascending.map((row) => row.created.padEnd(20, 'Z'))
  expect(created).toEqual(created.toSorted())
  expect(ids('transactions', await readAll('created-desc'))).toEqual(
    ids('transactions', ascending).toReversed(),
  )
  expect(ids('transactions', byId)).toEqual(sortedIds(ids('transactions', ascending)))
  expect(ids('transactions', byId)).not.toEqual(ids('transactions', ascending))
  const moved = modified.map((row) => row.lastModified)
  expect(moved).toEqual(moved.toSorted().toReversed())
  expect(ids('transactions', shuffled)).not.toEqual(ids('transactions', ascending))
  expect(sortedIds(ids('transactions', shuffled))).toEqual(ids('transactions', byId))
  await start()
})

test('a page has 50 records unless a limit is given, and next is absent on the last page', async () => {
  await start()
  const first = await ask(`${simulator.url}/transactions`)
  expect(first.body.results).toHaveLength(50)
  expect(first.body.next).toBe(`${simulator.url}/transactions?offset=50&limit=50`)
  const last = await ask(`${simulator.url}/transactions?offset=1200`)
  expect(last.body.results).toHaveLength(3)
  expect(last.body).not.toHaveProperty('next')
  const exact = await ask(`${simulator.url}/transactions?offset=1153&limit=50`)
  expect(exact.body.results).toHaveLength(50)
  expect(exact.body).not.toHaveProperty('next')
  const beyond = await ask(`${simulator.url}/transactions?offset=5000`)
  expect(beyond.body).toEqual({ results: [] })
})

test('terminalId restricts a list to that terminal, also one whose id is above 2^53', async () => {
  await start()
  const huge = simulator.world.terminals.at(-1)?.id ?? ''
  expect(BigInt(huge)).toBeGreaterThan(2n ** 53n)
  for (const list of LISTS) {
    const { rows } = await walk(simulator, list)
    for (const { id } of simulator.world.terminals) {
      const own = await walk(simulator, list, `limit=100&terminalId=${id}`)
      expect(own.rows).toEqual(rows.filter((row) => row.terminalId === id))
    }
    expect(rows.some((row) => row.terminalId === huge)).toBe(true)
  }
})

test('an unknown terminal is a validation error without a parameter, in lists and by its id', async () => {
  await start()
  const error = { message: MESSAGE, type: 'invalid' }
  for (const path of ['settlements?terminalId=1', 'transactions?terminalId=x', 'terminals/1']) {
    const { status, body } = await ask(`${simulator.url}/${path}`)
    expect([status, body]).toEqual([400, { errors: [error] }])
  }
})

test('a limit above the cap is lowered, or refused if the service is set to refuse', async () => {
  await start({ limitCap: 200 })
  const lowered = await ask(`${simulator.url}/transactions?limit=5000`)
  expect(lowered.body.results).toHaveLength(200)
  expect(lowered.body.next).toContain('offset=200&limit=200')
  await simulator.stop()
  await start({ limitCap: 200, limitMode: 'reject' })
  const refused = await ask(`${simulator.url}/transactions?limit=201`)
  expect(refused.status).toBe(400)
  expect(refused.body.errors?.[0]).toMatchObject({ parameter: 'limit', type: 'invalid' })
  expect((await ask(`${simulator.url}/transactions?limit=200`)).status).toBe(200)
})

test.each(['limit=0', 'limit=-1', 'limit=ten', 'offset=-1', 'offset=1.5'])(
  '%s is refused',
  async (query) => {
    await start()
    const { status, body } = await ask(`${simulator.url}/settlements?${query}`)
    expect(status).toBe(400)
    expect(body.errors?.[0]?.parameter).toBe(query.split('=')[0])
  },
)

test('an unknown parameter is ignored, or refused if the service is set to refuse', async () => {
  await start()
  expect((await ask(`${simulator.url}/transactions?since=2025-10-01`)).status).toBe(200)
  await simulator.stop()
  await start({ rejectUnknownParameters: true })
  const refused = await ask(`${simulator.url}/transactions?since=2025-10-01&limit=2`)
  expect(refused.status).toBe(400)
  expect(refused.body.errors?.[0]?.parameter).toBe('since')
  const known = `offset=2&limit=2&terminalId=${simulator.world.terminals[0]?.id}`
  expect((await ask(`${simulator.url}/transactions?${known}`)).status).toBe(200)
})

test('a list stays unchanged until the clock moves, and then only grows', async () => {
  const end = worldEnd(simulatorOptions(SMALL))
  await start({ order: { transactions: 'shuffled' } }, '2025-10-01T00:00:00Z')
  const before = await walk(simulator, 'transactions')
  expect((await walk(simulator, 'transactions')).rows).toEqual(before.rows)
  simulator.advanceTo(end)
  const after = await walk(simulator, 'transactions')
  expect(after.rows).toHaveLength(SMALL.transactions)
  expect(ids('transactions', after.rows)).toEqual(
    expect.arrayContaining(ids('transactions', before.rows)),
  )
  expect(before.rows.length).toBeLessThan(after.rows.length)
})
