import { expect, onTestFinished, test } from 'vitest'
import { surveySource, type SourceSurvey } from '../../../api/sweep/probe-service.ts'
import { Secret } from '../../../domain/settings.ts'
import { simulatorOptions, type PartialOptions } from '../../../simulator/world/options.ts'
import { startSimulator, type Simulator } from '../../../simulator/service/server.ts'
import { refusingService, type Rules } from '../../support/refusing-service.ts'
import { simulatedSource } from '../../support/simulated-source.ts'

const WORLD = { terminals: 3, transactions: 900, from: '2026-09-20', days: 40 }

async function surveyed(
  world: PartialOptions,
  rules?: Rules,
): Promise<SourceSurvey & { simulator: Simulator }> {
  const options = simulatorOptions({ ...WORLD, ...world })
  const simulator = await startSimulator(options)
  onTestFinished(() => simulator.stop())
  const url = rules === undefined ? simulator.url : await refusingService(simulator.url, rules)
  const found = await surveySource(simulatedSource(url, options, 1000), {
    hashKey: new Secret('key'),
    terminals: [],
    signal: new AbortController().signal,
  })
  return { ...found, simulator }
}

test('a survey is a few GETs, and reports order, cap, version and refusals', async () => {
  const order = {
    terminals: 'id-asc',
    settlements: 'created-desc',
    transactions: 'created-asc',
  } as const
  const { lists, simulator, ...found } = await surveyed({
    ...{ order, limitCap: 200, limitMode: 'clamp', apiVersion: '2023-05-16' },
    rejectUnknownParameters: true,
  })
  expect(found.requests).toBeLessThan(30)
  expect(simulator.stats()).toMatchObject({ requests: found.requests, writes: 0, throttled: 0 })
  expect(lists.transactions).toMatchObject({
    ...{ status: 200, defaultLimit: 50, largestPage: 200, askedFor: 1000, hasMore: true },
    terminalId: 'heeded',
  })
  expect(lists.transactions.sortedBy).toContain('created, rising')
  expect(lists.settlements.sortedBy).toContain('created, falling')
  expect(lists.terminals).toMatchObject({ largestPage: 3, hasMore: false, defaultLimit: null })
  expect(found).toMatchObject({
    ...{ version: '2023-05-16', singleTerminal: 200, unknownParameter: 400, unknownTerminal: 400 },
    ...{ rateHeaders: [], announcedPerSecond: null },
  })
})

test('a survey reports a refused limit, a list in no order and an ignored parameter', async () => {
  const shuffled = {
    terminals: 'shuffled',
    settlements: 'shuffled',
    transactions: 'shuffled',
  } as const
  const found = await surveyed(
    {
      terminals: 12,
      order: shuffled,
      limitCap: 250,
      limitMode: 'reject',
      apiVersion: '2026-08-21',
    },
    { unheeded: ['transactions'] },
  )
  const { transactions } = found.lists
  expect(transactions).toMatchObject({ refusedLimits: [1000], askedFor: 250, largestPage: 250 })
  expect(transactions.sortedBy).toEqual([])
  expect(transactions.terminalId).toBe('not heeded')
  expect(found).toMatchObject({ version: '2026-08-21', unknownParameter: 200 })
  expect(found.requests).toBeLessThan(30)
})

test('a survey reads the list of one terminal if the lists of all terminals are refused', async () => {
  const found = await surveyed(
    {},
    {
      refuses: ({ path, terminalId }) =>
        path === 'transactions' && terminalId === null ? 400 : undefined,
    },
  )
  expect(found.lists.transactions).toMatchObject({
    status: 400,
    terminalId: 'heeded',
    defaultLimit: null,
  })
  expect(found.lists.transactions.largestPage).toBeGreaterThan(10)
})

test('a survey waits for a service that throttles, and sends few requests', async () => {
  const { requests, throttled, rateHeaders } = await surveyed({ ratePerSecond: 2 })
  expect(requests).toBeLessThan(30)
  expect(throttled).toBeGreaterThan(0)
  expect(rateHeaders).toEqual(['retry-after'])
}, 60_000)
