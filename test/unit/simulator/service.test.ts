/** Goal: the simulated service answers as the documented one does. Method: a small world, asked over HTTP. */
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { CANARIES } from '../../../simulator/world/canaries.ts'
import {
  type ApiVersion,
  type PartialOptions,
  simulatorOptions,
} from '../../../simulator/world/options.ts'
import { type Simulator, startSimulator } from '../../../simulator/service/server.ts'
import { generateWorld } from '../../../simulator/world/world.ts'
import { ask, CREDENTIALS, MESSAGE, type Row, walk } from './client.ts'

const SMALL = { seed: 11, terminals: 16, transactions: 3000, days: 40, from: '2026-03-01' }
const world = generateWorld(simulatorOptions({ ...SMALL, lateCaptureRate: 0.01 }))

const running: Simulator[] = []
const start = async (switches: PartialOptions = {}, now?: string) => {
  const place = now === undefined ? { world } : { world, now }
  const simulator = await startSimulator(simulatorOptions({ ...SMALL, ...switches }), place)
  running.push(simulator)
  return simulator
}
afterEach(async () => {
  for (const simulator of running.splice(0)) await simulator.stop()
})

const settlementOf = (row: number) => world.settlements[world.tx.settlement[row] ?? -1]
const field = (row: Row | undefined, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>((value, name) => new Map(Object.entries(value ?? {})).get(name), row)
const iso = (seconds: number | undefined) => new Date((seconds ?? 0) * 1000).toISOString()
const byId = (rows: Row[], id: string) => rows.find((row) => row.transactionId === id)

describe('access', () => {
  test.each([
    ['no credentials', { authorization: '' }],
    [
      'a wrong password',
      { authorization: `Basic ${Buffer.from('simulator:x').toString('base64')}` },
    ],
    ['no application key', { 'x-svc-application-key': '' }],
    ['another application key', { 'x-svc-application-key': 'simulator-application-kez' }],
  ])('a request with %s gets nothing but an error', async (_, wrong) => {
    const { url } = await start()
    const reply = await ask(`${url}/terminals`, { ...CREDENTIALS, ...wrong })
    expect(reply.status).toBe(401)
    expect(reply.body).toEqual({ errors: [{ message: MESSAGE }] })
  })

  test('credentials are those of the options', async () => {
    const credentials = { user: 'a', password: 'b:c', applicationKey: 'd' }
    const { url } = await start({ credentials })
    expect((await ask(`${url}/terminals`)).status).toBe(401)
    const authorization = `Basic ${Buffer.from('a:b:c').toString('base64')}`
    const right = { ...CREDENTIALS, authorization, 'x-svc-application-key': 'd' }
    expect((await ask(`${url}/terminals`, right)).status).toBe(200)
  })

  test('a client that does not accept JSON is refused', async () => {
    const { url } = await start()
    expect((await ask(`${url}/terminals`, { ...CREDENTIALS, accept: 'text/html' })).status).toBe(
      406,
    )
  })

  test('an unknown path gets 404 and a method that writes gets 405, both with an errors body', async () => {
    const simulator = await start()
    for (const path of ['nothing', 'transactions/4100000000', 'terminals/1/2']) {
      const reply = await ask(`${simulator.url}/${path}`)
      expect([reply.status, Object.keys(reply.body)]).toEqual([404, ['errors']])
    }
    expect((await ask(simulator.url.replace('/v1', '/terminals'))).status).toBe(404)
    const put = await ask(`${simulator.url}/transactions/4100000000`, CREDENTIALS, {
      method: 'PUT',
    })
    expect([put.status, Object.keys(put.body)]).toEqual([405, ['errors']])
    expect(simulator.stats()).toMatchObject({ requests: 5, writes: 1 })
  })

  test('the base path is that of the options', async () => {
    const { url } = await start({ basePath: '/pay/api' })
    expect(url).toMatch(/\/pay\/api$/)
    const { body } = await ask(`${url}/transactions?limit=1`)
    expect(body.next).toBe(`${url}/transactions?offset=1&limit=1`)
    expect(body.results[0]?.['uri']).toBe(`${url}/transactions/${body.results[0]?.transactionId}`)
  })

  test('requests beyond the rate get 429 with Retry-After in whole seconds', async () => {
    const simulator = await start({ ratePerSecond: 1 })
    const replies = await Promise.all(
      Array.from({ length: 12 }, () => ask(`${simulator.url}/terminals?limit=1`)),
    )
    const refused = replies.filter(({ status }) => status === 429)
    expect(refused.length).toBeGreaterThan(0)
    expect(refused.every(({ headers }) => headers.get('retry-after') === '1')).toBe(true)
    expect(refused[0]?.body.errors).toHaveLength(1)
    expect(simulator.stats()).toMatchObject({ requests: 12, throttled: refused.length })
  })

  test('the error rate is the share of requests that fail', async () => {
    const { url } = await start({ errorRate: 0.3 })
    const replies: number[] = []
    for (let request = 0; request < 100; request += 1) {
      replies.push((await ask(`${url}/terminals?limit=1`)).status)
    }
    const failed = replies.filter((status) => status === 500).length
    expect(new Set(replies)).toEqual(new Set([200, 500]))
    expect(failed).toBeGreaterThan(15)
    expect(failed).toBeLessThan(45)
  })
})

describe('records', () => {
  test('a transaction has the fields of the interface and no others', async () => {
    const { rows } = await walk(await start(), 'transactions')
    const names = new Set(rows.flatMap((row) => Object.keys(row)))
    const known =
      'transactionId uri terminalId action achType amountBase amountTax amountShipping amountTip amountSurcharge amountTotal surcharge invoiceNumber purchaseOrderNumber method service signatureStatus status created lastModified response settlement vault billing shipping'
    expect([...names].toSorted()).toEqual(known.split(' ').toSorted())
    const values = (path: string) => new Set(rows.map((row) => field(row, path)))
    expect(values('action')).toEqual(new Set(['CHARGE', 'REFUND', 'VERIFY']))
    expect(values('status')).toEqual(new Set(['HOLD', 'CAPTURE', 'VOID']))
    expect(values('achType')).toEqual(new Set([undefined, 'PPD', 'CCD', 'WEB']))
    expect(values('method')).toEqual(new Set([undefined, 'KEYED', 'BANKLINK']))
    expect(values('service')).toEqual(new Set(['API']))
    expect(values('signatureStatus')).toEqual(new Set([undefined, 'SIGNED']))
    expect(values('response.approved')).toEqual(new Set([true, false]))
    expect(values('settlement.settled')).toEqual(new Set([true, false]))
    expect(values('vault.type')).toEqual(new Set(['CARD', 'ACH']))
    expect(values('response.processor.cvv.status')).toEqual(new Set([undefined, 'NOT_REQUESTED']))
    expect(values('response.processor.avs.status')).toEqual(new Set([undefined, 'REQUESTED']))
    for (const row of rows) {
      expect(field(row, 'vault.lastFour')).toMatch(/^\d{4}$/)
      expect(field(row, 'response.approved')).toBe(field(row, 'response.code') === '00')
      expect(row['method'] === 'BANKLINK').toBe(row['achType'] === 'WEB')
    }
  })

  test.each([
    ['2018-06-01', false, false],
    ['2023-05-16', true, false],
    ['2026-08-21', true, true],
  ] satisfies [ApiVersion, boolean, boolean][])(
    'version %s shows surcharges: %s, acceptance: %s',
    async (apiVersion, surcharge, acceptance) => {
      const simulator = await start({ apiVersion })
      const { rows: terminals } = await walk(simulator, 'terminals')
      const { rows: transactions } = await walk(simulator, 'transactions')
      expect(terminals.every((row) => typeof row['companyDba'] === 'string')).toBe(true)
      expect(terminals.some((row) => 'surcharge' in row)).toBe(surcharge)
      expect(transactions.some((row) => 'surcharge' in row)).toBe(surcharge)
      expect(transactions.some((row) => 'amountSurcharge' in row)).toBe(true)
      const accepted = terminals.filter((row) => 'acceptance' in row)
      expect(accepted.length > 0).toBe(acceptance)
      expect(accepted.every((row) => row['type'] === 'ACH')).toBe(true)
    },
  )

  test('surcharge percentage is shown only if surcharge is enabled', async () => {
    const { rows } = await walk(await start(), 'terminals')
    const enabled = new Set(rows.map((row) => field(row, 'surcharge.enabled')))
    expect(enabled).toEqual(new Set([true, false]))
    for (const row of rows) {
      const shown = field(row, 'surcharge.percentage') !== undefined
      expect(shown).toBe(field(row, 'surcharge.enabled'))
    }
  })

  test('acceptance is an array at some terminals and a single value at others', async () => {
    const { rows } = await walk(await start(), 'terminals')
    const kinds = rows.map(({ acceptance }) =>
      Array.isArray(acceptance) ? 'array' : typeof acceptance,
    )
    expect(new Set(kinds)).toEqual(new Set(['array', 'string', 'undefined']))
  })

  test('a terminal read by its id equals its record in the list', async () => {
    const simulator = await start()
    const { rows } = await walk(simulator, 'terminals')
    for (const row of [rows[0], rows.at(-1)]) {
      const { body } = await ask(`${simulator.url}/terminals/${row?.terminalId}`)
      expect(body).toEqual(row)
    }
  })

  test('every canary is in the transactions, and in no other list', async () => {
    const simulator = await start()
    const read = async (list: string) => (await ask(`${simulator.url}/${list}?limit=1000`)).text
    let transactions = ''
    for (let offset = 0; offset < SMALL.transactions; offset += 1000) {
      transactions += (await ask(`${simulator.url}/transactions?limit=1000&offset=${offset}`)).text
    }
    const others = (await read('terminals')) + (await read('settlements'))
    for (const canary of CANARIES) {
      expect(transactions).toContain(canary)
      expect(others).not.toContain(canary)
    }
    expect(CANARIES).toContain('4111111111111111')
  })
})

describe('time', () => {
  const late = [...world.tx.capturedAt.keys()].filter((row) => {
    const captured = world.tx.capturedAt[row] ?? 0
    const settled = settlementOf(row)?.created ?? world.end + 1
    const counted = world.tx.member[row] === 1
    return (
      captured > (world.tx.created[row] ?? 0) &&
      counted &&
      settled <= world.end &&
      captured < settled
    )
  })

  test('a settlement is PENDING from its creation and COMPLETE later', async () => {
    const [settlement] = world.settlements.filter(
      ({ created }) => created > world.start + 9 * 86_400,
    )
    const simulator = await start({}, iso((settlement?.created ?? 0) - 1))
    const read = async () => {
      const { rows } = await walk(simulator, 'settlements')
      return rows.find(({ settlementId }) => settlementId === settlement?.id)?.status
    }
    expect(await read()).toBeUndefined()
    simulator.advanceTo(iso(settlement?.created))
    expect(await read()).toBe('PENDING')
    simulator.advanceTo(iso((settlement?.completeAt ?? 0) - 1))
    expect(await read()).toBe('PENDING')
    simulator.advanceTo(iso(settlement?.completeAt))
    expect(await read()).toBe('COMPLETE')
  })

  test('a late capture is on HOLD until its capture, and settles with the settlement of its capture', async () => {
    expect(late.length).toBeGreaterThan(5)
    const [row = 0] = late
    const [created = 0, captured = 0] = [world.tx.created[row], world.tx.capturedAt[row]]
    const settlement = settlementOf(row)
    expect(settlement?.cutoff).toBeGreaterThanOrEqual(captured)
    expect(captured - created).toBeGreaterThanOrEqual(86_400)
    const simulator = await start({}, iso(captured - 1))
    const truth = simulator.truth()
    const read = async () => {
      const { rows } = await walk(simulator, 'transactions')
      return rows.find(
        (one) =>
          field(one, 'created') === iso(created).replace('.000', '') &&
          one.terminalId === world.terminals[world.tx.terminal[row] ?? 0]?.id,
      )
    }
    const held = await read()
    expect(
      truth.settlements.every(({ members }) => !members.includes(held?.transactionId ?? '')),
    ).toBe(true)
    expect([held?.status, held?.lastModified]).toEqual(['HOLD', held?.created])
    simulator.advanceTo(iso(captured))
    const taken = await read()
    expect([taken?.status, field(taken, 'settlement.settled')]).toEqual(['CAPTURE', false])
    expect(taken?.lastModified).toBe(iso(captured).replace('.000', ''))
    simulator.advanceTo(iso(settlement?.created))
    expect(field(await read(), 'settlement.settled')).toBe(true)
  })

  test.each([
    ['created', 'created'],
    ['complete', 'completeAt'],
  ] as const)('the settled flag turns when the settlement is %s', async (settledFlips, instant) => {
    const place = world.settlements.findIndex(({ created }) => created > world.start + 9 * 86_400)
    const settlement = world.settlements[place]
    const flips = settlement?.[instant] ?? 0
    const simulator = await start({ settledFlips }, iso(flips - 1))
    const flags = async () => {
      const { rows } = await walk(simulator, 'transactions')
      simulator.advanceTo(iso(Math.max(flips, (settlement?.created ?? 0) + 1)))
      const members = simulator.truth().settlements[place]?.members ?? []
      expect(members.length).toBeGreaterThan(0)
      return new Set(members.map((id) => field(byId(rows, id), 'settlement.settled')))
    }
    expect(await flags()).toEqual(new Set([false]))
    expect(await flags()).toEqual(new Set([true]))
  })

  test.each(['capture', 'settlement', 'never'] as const)(
    'lastModified moves: %s',
    async (lastModifiedMoves) => {
      const simulator = await start({ lastModifiedMoves })
      const { rows } = await walk(simulator, 'transactions')
      const moved = rows.filter(
        (row) => !row.lastModified.startsWith(row.created) && row.status === 'CAPTURE',
      )
      const voided = rows.filter((row) => row.status === 'VOID')
      const settled = moved.filter((row) => field(row, 'settlement.settled') === true)
      expect(voided.length).toBeGreaterThan(5)
      if (lastModifiedMoves === 'never') expect(moved).toEqual([])
      if (lastModifiedMoves === 'capture') {
        expect(settled).toHaveLength(late.length)
        expect(moved.length).toBeLessThan(rows.length / 20)
      }
      if (lastModifiedMoves === 'settlement')
        expect(settled.length).toBeGreaterThan(rows.length / 2)
      for (const row of rows) {
        const read = (name: string) =>
          Date.parse((name === 'created' ? row.created : row.lastModified).padEnd(20, 'Z'))
        expect(read('lastModified')).toBeGreaterThanOrEqual(read('created'))
        expect(read('lastModified')).toBeLessThanOrEqual(Date.parse(simulator.now()))
      }
    },
  )
})

const advance = (handles: string, now: string) =>
  ask(`${handles}/advance`, {}, { method: 'POST', body: JSON.stringify({ now }) })

describe('control', () => {
  let simulator: Simulator
  let handles: string
  beforeEach(async () => {
    simulator = await start({}, '2026-03-20T00:00:00Z')
    handles = simulator.url.replace('/v1', '/_simulator')
  })
  afterAll(() => {
    expect(running).toEqual([])
  })

  test('the clock is moved from outside, and never back', async () => {
    expect((await advance(handles, '2026-03-21T00:00:00Z')).body).toEqual({
      now: '2026-03-21T00:00:00Z',
    })
    expect(simulator.now()).toBe('2026-03-21T00:00:00Z')
    const back = await advance(handles, '2026-03-20T00:00:00Z')
    expect([back.status, Object.keys(back.body)]).toEqual([400, ['errors']])
    expect((await advance(handles, 'tomorrow')).status).toBe(400)
    expect(simulator.now()).toBe('2026-03-21T00:00:00Z')
  })

  test('a client can read the truth and the counts', async () => {
    await ask(`${simulator.url}/settlements`)
    await ask(`${simulator.url}/transactions`)
    await ask(`${simulator.url}/transactions`)
    const { body: stats } = await ask(`${handles}/stats`)
    expect(stats).toMatchObject({
      requests: 3,
      byList: { terminals: 0, settlements: 1, transactions: 2 },
    })
    const { text } = await ask(`${handles}/truth`)
    expect(JSON.parse(text)).toEqual(simulator.truth())
  })
})
