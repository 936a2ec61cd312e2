import { Connection, type Client } from '@temporalio/client'
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { BackfillOrder, BackfillProgress, BackfillResult } from '../../../domain/backfill.ts'
import type { Envelope } from '../../../domain/envelope.ts'
import type { LeaseBook } from '../../../domain/rate.ts'
import type { RunResult } from '../../../domain/run.ts'
import { PRIORITY, TASK_QUEUE } from '../../../workers/temporal/task-queue.ts'
import type { nightly } from '../../../workflows/nightly.ts'
import { encryptingClient } from '../../support/encrypting-client.ts'
import {
  newPlace,
  newPlaceWithLake,
  processesIn,
  simulate,
  startTieout,
  tieout,
  type Place,
  type Started,
} from '../../support/built.ts'

const NOW = '2026-10-30T04:15:00Z'
/** Some seventy pages of transactions at eight requests a second. */
const WORLD = [
  ...['--terminals', '2', '--transactions', '3000', '--from', '2026-09-10', '--days', '55'],
  ...['--now', NOW, '--limit-cap', '50', '--rate-per-second', '8'],
]
const RANGE = ['--from', '2026-09-15', '--to', '2026-10-30', '--as-of', NOW]
const BACKFILL = ['backfill', ...RANGE, '--by', 'Ada', '--reason', 'a terminal was added']
const ID = 'backfill/default/2026-09-15..2026-10-30'
/** The files that are equal however often the range is read. */
const TABLES = ['settlements', 'attributions', 'exceptions', 'pending', 'unsettled', 'rollforward']

interface Working extends Pick<Started, 'kill' | 'ended'> {
  client: Client
  close(): Promise<void>
}

async function work(place: Place): Promise<Working> {
  const worker = startTieout(['worker'], place)
  const said = await worker.says('worker ready')
  const address = /worker ready: Temporal (\S+),/.exec(said)?.[1] ?? ''
  const connection = await Connection.connect({ address })
  return { ...worker, client: encryptingClient(connection, place), close: () => connection.close() }
}

/** Kills worker and Temporal server as a power failure would, and starts them anew. */
async function killed(place: Place, working: Working): Promise<Working> {
  await working.close()
  const server = processesIn(place.cwd).find(({ command }) => command.includes('start-dev'))
  working.kill('SIGKILL')
  process.kill(server?.pid ?? 0, 'SIGKILL')
  await working.ended
  return work(place)
}

const progressOf = ({ client }: Working) =>
  client.workflow.getHandle(ID).query<BackfillProgress>('progress')

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo().catch(() => false))) await sleep(100)
}

async function json<T>(args: readonly string[], place: Place): Promise<T> {
  const { code, stdout, stderr } = await tieout([...args, '--json'], place)
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout) as T
}

interface Detached {
  workflowId: string
}

/** The order with which a backfill began. */
async function orderedBy({ client }: Working, { workflowId }: Detached): Promise<BackfillOrder> {
  const { events } = await client.workflow.getHandle(workflowId).fetchHistory()
  const input = events?.[0]?.workflowExecutionStartedEventAttributes?.input?.payloads ?? []
  const context = { type: 'workflow' as const, namespace: 'default', workflowId }
  const [codec] = client.options.loadedDataConverter.payloadCodecs
  const [started] = (await codec?.decode(input, context)) ?? []
  const { values }: Envelope = JSON.parse(Buffer.from(started?.data ?? []).toString('utf8'))
  return values[0] as BackfillOrder
}

/** The newest pack of each chunk, as the text of its tables. */
function packsIn(place: Place): Record<string, string> {
  const account = join(place.cwd, 'out', 'default')
  const ranges = readdirSync(account).filter((name) => /^2026-(09-15|10-01)_/.test(name))
  return Object.fromEntries(
    ranges.flatMap((range) => {
      const newest = readdirSync(join(account, range)).sort().at(-1) ?? ''
      return TABLES.map((name) => [
        `${range}/${name}`,
        readFileSync(join(account, range, newest, `${name}.csv`), 'utf8'),
      ])
    }),
  )
}

/** Bytes of the largest payload of all workflows that ran. */
async function largestPayload(client: Client): Promise<number> {
  let largest = 0
  for await (const { workflowId } of client.workflow.list({ query: '' })) {
    const history = historyToJSON(await client.workflow.getHandle(workflowId).fetchHistory())
    for (const [, data = ''] of history.matchAll(/"data":\s*"([^"]*)"/g)) {
      largest = Math.max(largest, Buffer.byteLength(data, 'base64'))
    }
  }
  return largest
}

test('a backfill lets a night go first, survives kills of worker and server in each stage, and a second one changes nothing', async () => {
  const service = await simulate(WORLD, newPlace())
  const place = newPlaceWithLake(service)
  const pages = async () => {
    const answer = await fetch(new URL('/_simulator/stats', service['TIEOUT_BASE_URL']))
    return ((await answer.json()) as { byList: { transactions: number } }).byList.transactions
  }
  const steered = await tieout(['backfill', 'pause'], place)
  expect([steered.code, steered.stderr]).toEqual([
    6,
    expect.stringContaining('; next: npx --no-install tieout worker'),
  ])

  let working = await work(place)
  expect((await tieout([...BACKFILL, '--detach'], place)).code).toBe(0)
  await until(async () => (await pages()) > 12)
  working = await killed(place, working)
  await until(async () => (await progressOf(working)).stage === 'reading')
  const before = await pages()
  await until(async () => (await pages()) > before)

  // A night comes while it reads.
  const { client } = working
  const night = await client.workflow.start<typeof nightly>('nightly', {
    taskQueue: TASK_QUEUE,
    workflowId: 'nightly-default',
    args: [{ account: 'default', sweep: true, asOf: NOW, businessDate: '2026-10-30' }],
    priority: PRIORITY.nightly,
  })
  const shares: number[][] = []
  const watched = (async () => {
    for await (const { workflowId } of client.workflow.list({
      query: "WorkflowType = 'limiter'",
    })) {
      for (let look = 0; look < 40 && shares.length === 0; look += 1) {
        const { holders } = await client.workflow.getHandle(workflowId).query<LeaseBook>('book')
        const [slow, fast] = Object.values(holders).sort((a, b) => a.weight - b.weight)
        if (slow !== undefined && fast !== undefined && fast.share > slow.share) {
          shares.push([slow.share, fast.share])
        }
        await sleep(250)
      }
    }
  })()
  const overtaker: RunResult = await night.result()
  await watched
  expect((await progressOf(working)).stage).not.toBe('done')
  expect(shares[0]?.map((share) => Number(share.toFixed(2)))).toEqual([0.2, 0.8])
  expect(overtaker.headline.noData).toBe(0)

  const paused = await json<BackfillProgress>(['backfill', 'pause', '--by', 'Bo'], place)
  expect(paused.hold).toMatchObject({ by: 'Bo' })
  expect((await json<BackfillProgress>(['backfill', 'resume'], place)).hold).toBeUndefined()
  await until(async () => (await progressOf(working)).stage === 'judging')
  working = await killed(place, working)
  const result: BackfillResult = await working.client.workflow.getHandle(ID).result()
  expect(result).toMatchObject({ chunks: 2, account: 'default' })
  const packs = packsIn(place)
  expect(Object.keys(packs)).toHaveLength(2 * TABLES.length)
  // The night's range ends as late as the newest chunk's.
  expect(readlinkSync(join(place.cwd, 'out', 'default', 'latest'))).toContain('_2026-10-30')

  const second = await json<BackfillResult>(BACKFILL, place)
  expect(second).toMatchObject({ newVersions: 0, headline: result.headline })
  expect(second.pack).not.toBe(result.pack)
  expect(packsIn(place)).toEqual(packs)
  const { recorded } = await json<{ recorded: object[] }>(['backfill', 'status'], place)
  const told = { state: 'DONE', actor: 'Ada', reason: 'a terminal was added', from: '2026-09-15' }
  expect(recorded).toMatchObject([told, told])

  // A plan uses the learned rate, and the person who cancels is recorded.
  const third = ['backfill', '--from', '2026-09-20', '--to', '2026-10-30', '--as-of', NOW]
  const { reading } = await orderedBy(working, await json<Detached>([...third, '--detach'], place))
  expect(reading.paceOf).toBe('learned')
  expect(reading.perSecond).toBeGreaterThan(4)
  expect(reading.perSecond).toBeLessThan(12)
  await json(['backfill', 'cancel', '--by', 'Cy'], place)
  const after = await tieout(['backfill', 'status'], place)
  expect(after.stdout).toMatch(/2026-09-20\.\.2026-10-30: cancelled \S+ by Cy, /)

  const largest = await largestPayload(working.client)
  expect(largest).toBeGreaterThan(100)
  expect(largest).toBeLessThan(4096)
  await working.close()
}, 900_000)
