import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { generateWorld } from '../../../simulator/world/world.ts'
import { simulatorOptions } from '../../../simulator/world/options.ts'
import { startPipeline, type More, type Night, type Pipeline } from '../../support/pipeline.ts'
import { refusingService, type SentRequest, type Rules } from '../../support/refusing-service.ts'

const WORLD = { terminals: 3, transactions: 900, from: '2026-09-20', days: 40 }
const NOW = '2026-10-28T04:15:00Z'
const IDS = generateWorld(simulatorOptions(WORLD)).terminals.map(({ id }) => id)
const [FIRST = '', SECOND = '', THIRD = ''] = IDS

async function under(rules: Rules, more: More = {}) {
  const asked: SentRequest[] = []
  const through = (url: string) => refusingService(url, rules, asked)
  return { asked, pipeline: await startPipeline(WORLD, NOW, { ...more, through }) }
}

async function rows(pipeline: Pipeline, sql: string): Promise<unknown[][]> {
  return pipeline.shared.connected(async (_lake, connection) => {
    const reader = await connection.runAndReadAll(sql)
    return reader.getRowsJson()
  })
}

const TERMINALS_OF = (list: string) =>
  `select distinct terminal_id from lake.seen.${list}_version order by all`
const fileOf = ({ pack }: Night, name: string) => readFileSync(join(pack, name), 'utf8')
const settlementsOf = (night: Night) =>
  fileOf(night, 'settlements.csv')
    .trimEnd()
    .split('\r\n')
    .slice(1)
    .map((line) => line.split(','))

test('a refused terminal is reported, and the others are reconciled as usual', async () => {
  const isRefused = ({ path, terminalId }: SentRequest) =>
    terminalId === SECOND && path !== 'terminals'
  const rules: Rules = { refuses: (asked) => (isRefused(asked) ? 400 : undefined) }
  const { pipeline } = await under(rules, { terminals: IDS })
  const night = await pipeline.night('one')
  expect(night.exceptions['TERMINAL_INACCESSIBLE']).toBe(1)
  expect(fileOf(night, 'exceptions.csv')).toMatch(
    new RegExp(
      // The date comes from the service's clock, which is at the end of its world.
      `TERMINAL_INACCESSIBLE,warning,,terminal,${SECOND},${SECOND},.*settlements with 400 since ${NOW}`,
    ),
  )
  expect(new Set(settlementsOf(night).map((cells) => cells[2]))).toEqual(new Set([FIRST, THIRD]))
  expect(await rows(pipeline, TERMINALS_OF('transaction'))).toEqual([[FIRST], [THIRD]])
  expect(night.headline.tied).toBeGreaterThan(10)
  // A refused list has no sweep, and each sweep names its terminal.
  expect(
    await rows(
      pipeline,
      `select distinct list, terminal_id, certificate <> 'BEST_EFFORT' from lake.ops.sweep
       order by all`,
    ),
  ).toEqual([
    ['settlements', FIRST, true],
    ['settlements', THIRD, true],
    ['terminals', null, true],
    ['transactions', FIRST, true],
    ['transactions', THIRD, true],
  ])

  // The next night the service gives it: nothing is inaccessible any more, and its settlements are there.
  rules.refuses = () => undefined
  const next = await pipeline.night('two')
  expect(next.exceptions['TERMINAL_INACCESSIBLE']).toBeUndefined()
  expect(new Set(settlementsOf(next).map((cells) => cells[2]))).toEqual(new Set(IDS))
  expect(
    await rows(pipeline, 'select list, refused from lake.seen.refusal order by landing_seq'),
  ).toEqual([
    ['settlements', true],
    ['transactions', true],
    ['settlements', false],
    ['transactions', false],
  ])
}, 120_000)

test('the settlements of a terminal whose transactions are refused have NO_DATA, and are no breaks', async () => {
  const { pipeline } = await under(
    {
      refuses: ({ path, terminalId }) =>
        path === 'transactions' && terminalId === SECOND ? 400 : undefined,
    },
    { terminals: IDS },
  )
  const night = await pipeline.night('one')
  const verdicts = settlementsOf(night)
    .filter((cells) => cells[2] === SECOND && cells[6] === 'COMPLETE')
    .map((cells) => cells[10])
  expect(verdicts.length).toBeGreaterThan(5)
  expect(new Set(verdicts)).toEqual(new Set(['NO_DATA']))
}, 120_000)

test('a run limited to a terminal requests no other, and nothing of another lands', async () => {
  const { pipeline, asked } = await under({}, { terminals: [THIRD] })
  const night = await pipeline.night('one')
  expect(new Set(settlementsOf(night).map((cells) => cells[2]))).toEqual(new Set([THIRD]))
  for (const list of ['transaction', 'settlement', 'terminal']) {
    expect(await rows(pipeline, TERMINALS_OF(list))).toEqual([[THIRD]])
  }
  const lists = asked.filter(({ path }) => path !== 'terminals')
  expect(new Set(lists.map(({ terminalId }) => terminalId))).toEqual(new Set([THIRD]))
}, 120_000)

test('a list that ignores the terminal is read whole, only the account’s terminals land, and one that joins or leaves is neither missed nor disappeared', async () => {
  const terminals = [FIRST, THIRD]
  const through = (url: string) => refusingService(url, { unheeded: ['transactions'] })
  const pipeline = await startPipeline({ ...WORLD, limitCap: 50 }, NOW, { through, terminals })
  const first = await pipeline.night('one')
  expect(await rows(pipeline, TERMINALS_OF('transaction'))).toEqual([[FIRST], [THIRD]])
  expect(first.headline.tied).toBeGreaterThan(10)
  terminals.length = 0
  const nights = [first, await pipeline.night('two')]
  terminals.push(THIRD)
  nights.push(await pipeline.night('three'))
  for (const { exceptions } of nights) {
    for (const code of ['TRANSACTION_DISAPPEARED', 'MISSED_BY_SWEEP', 'UNKNOWN_TERMINAL']) {
      expect(exceptions[code]).toBeUndefined()
    }
  }
  expect(await rows(pipeline, 'from lake.seen.presence')).toEqual([])
  // The second night reads from its beginning the part that the first night left out, and the third does not read it
  // again.
  expect(
    await rows(
      pipeline,
      `select run_id, covers_from is null from lake.ops.sweep
       where list = 'transactions' order by landing_seq`,
    ),
  ).toEqual([
    ['one', true],
    ['two', true],
    ['three', false],
  ])
}, 120_000)

test('a service that refuses the lists of all terminals is read terminal by terminal, with the same books', async () => {
  const plain = await startPipeline(WORLD, NOW)
  const { pipeline, asked } = await under({
    refuses: ({ path, terminalId }) =>
      path !== 'terminals' && !path.startsWith('terminals/') && terminalId === null
        ? 400
        : undefined,
  })
  const [whole, each] = [await plain.night('one'), await pipeline.night('one')]
  for (const name of ['settlements.csv', 'attributions.csv', 'accounting/journal.csv']) {
    expect(fileOf(each, name).replaceAll(/,[^,\r]*,[^,\r]*\r/g, '\r')).toBe(
      fileOf(whole, name).replaceAll(/,[^,\r]*,[^,\r]*\r/g, '\r'),
    )
  }
  expect(each.headline).toEqual(whole.headline)
  // The whole list is requested once per reading, with each page size that might be the reason.
  expect(
    asked.filter(({ terminalId, path }) => terminalId === null && path !== 'terminals').length,
  ).toBeLessThan(24)
}, 120_000)

test('each terminal is requested by its id, once other lists name it, if the list of terminals is refused', async () => {
  const { pipeline, asked } = await under({
    refuses: ({ path }) => (path === 'terminals' ? 405 : undefined),
  })
  const night = await pipeline.night('one')
  expect(await rows(pipeline, TERMINALS_OF('terminal'))).toEqual(IDS.map((id) => [id]))
  expect(night.exceptions['UNKNOWN_TERMINAL']).toBeUndefined()
  expect(asked.filter(({ path }) => path === `terminals/${FIRST}`)).toHaveLength(1)
}, 120_000)

test('a service that refuses every terminal fails the run as before', async () => {
  const { pipeline } = await under(
    { refuses: ({ path }) => (path === 'settlements' ? 400 : undefined) },
    { terminals: [FIRST, SECOND] },
  )
  await expect(pipeline.night('one')).rejects.toMatchObject({ code: 'source_refused' })
}, 120_000)
