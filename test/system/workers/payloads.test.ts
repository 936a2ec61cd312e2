/**
 * Goal: another user of this machine, who can reach the embedded Temporal server, decides nothing.
 * Method: a worker runs as usual; a client without its key starts, signals and reads.
 */
import { Client, Connection, type WorkflowHandle } from '@temporalio/client'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { BooksAct } from '../../../domain/books.ts'
import { TASK_QUEUE } from '../../../workers/temporal/task-queue.ts'
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
import { tieoutHere } from '../../support/command-here.ts'
import { encryptingClient } from '../../support/encrypting-client.ts'

const WORLD = ['--terminals', '1', '--transactions', '200', '--from', '2026-10-01', '--days', '20']
const REASON = 'every line was checked by hand'

let place: Place
let worker: Started
let connection: Connection
let stranger: Client
let server = 0

beforeAll(async () => {
  place = newPlaceWithLake(await simulate(WORLD, newPlace()))
  worker = startTieout(['worker'], place)
  const said = await worker.says('worker ready')
  const address = /worker ready: Temporal (\S+),/.exec(said)?.[1] ?? ''
  connection = await Connection.connect({ address })
  stranger = new Client({ connection })
  server = processesIn(place.cwd).find(({ command }) => command.includes('start-dev'))?.pid ?? 0
})
afterAll(() => connection.close())

const closing = (workflowId: string, act: BooksAct) => ({
  ...{ taskQueue: TASK_QUEUE, workflowId, args: [act] },
})
const CLOSE: BooksAct = {
  ...{ account: 'default', actor: 'the CFO', kind: 'close', period: '2026-10', reason: 'x' },
}

/** The state of each period that was ever closed. */
async function states(): Promise<string[]> {
  const { stdout } = await tieoutHere(['periods', 'list', '--json'], place)
  const periods: { state: string }[] = JSON.parse(stdout)
  return periods.map(({ state }) => state)
}

test('an act without the key of the lake fails at once, and closes nothing', async () => {
  const handle = await stranger.workflow.start('keepBooks', closing('books/forged', CLOSE))
  await expect(handle.result()).rejects.toThrow()
  expect((await handle.describe()).status.name).toBe('FAILED')
  expect(JSON.stringify(await handle.fetchHistory())).toContain('payload_refused')
  await worker.says(
    "error payload_refused: a payload in Temporal is not encrypted with this lake's key",
  )
  expect(await states()).toEqual([])
})

test('a replayed order is recognised, and a later decision stands', async () => {
  const args = ['--by', 'Ada', '--reason', REASON]
  const act = async (command: string) =>
    expect(
      await tieoutHere(['periods', ...command.split(' '), '2026-10', ...args], place),
    ).toMatchObject({ code: 0 })
  await act('close --accept-open nothing')
  const [closed] = await listed('books/default/close/')
  expect(await states()).toEqual(['closed'])
  await act('reopen')
  const history = await closed?.fetchHistory()
  const input = history?.events?.[0]?.workflowExecutionStartedEventAttributes?.input ?? null
  await connection.workflowService.startWorkflowExecution({
    namespace: 'default',
    workflowId: closed?.workflowId ?? '',
    workflowType: { name: 'keepBooks' },
    taskQueue: { name: TASK_QUEUE },
    requestId: 'replayed',
    input,
  })
  const mine = encryptingClient(connection, place).workflow.getHandle(closed?.workflowId ?? '')
  expect(await mine.result()).toMatchObject({ seq: '1', wasSo: true })
  expect(await states()).toEqual(['open'])
})

async function listed(prefix: string): Promise<WorkflowHandle[]> {
  const found: WorkflowHandle[] = []
  for await (const { workflowId } of stranger.workflow.list()) {
    if (workflowId.startsWith(prefix)) found.push(stranger.workflow.getHandle(workflowId))
  }
  return found
}

test('no history shows a name, a reason or a path', async () => {
  const histories: string[] = []
  for (const handle of await listed('')) {
    histories.push(
      JSON.stringify(await handle.fetchHistory(), (_key, value: unknown) =>
        value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value,
      ),
    )
  }
  expect(histories.length).toBeGreaterThan(2)
  for (const secret of ['Ada', REASON, place.cwd]) {
    expect(histories.filter((history) => history.includes(secret))).toEqual([])
  }
})

test("the server knows none of the worker's variables", () => {
  const variables = readFileSync(`/proc/${server}/environ`, 'utf8').split('\0')
  expect(variables.filter((line) => /TIEOUT|TEMPORAL/.test(line))).toEqual([])
})

test('its HTTP port answers no web page', async () => {
  const answers: { port: number; status: number }[] = []
  for (const port of portsOf(server)) {
    const status = await posted(port)
    if (status !== undefined) answers.push({ port, status })
  }
  expect(answers.map(({ status }) => status)).toContain(403)
  expect(answers.filter(({ status }) => status < 400)).toEqual([])
})

/** The ports on which a process listens, by the inodes of its sockets. */
function portsOf(pid: number): number[] {
  const sockets = new Set(
    readFileSync(`/proc/${pid}/net/tcp`, 'utf8')
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter(([, , , state, , , , , , inode]) => state === '0A' && isOurs(pid, inode ?? ''))
      .map(([, local]) => Number.parseInt(local?.split(':')[1] ?? '', 16)),
  )
  return [...sockets]
}

const isOurs = (pid: number, inode: string) =>
  readdirSync(`/proc/${pid}/fd`).some(
    (fd) => statSync(join(`/proc/${pid}/fd`, fd), { throwIfNoEntry: false })?.ino === Number(inode),
  )

/** The status of a POST as a page of a browser sends it; undefined where no server speaks HTTP/1. */
const posted = (port: number): Promise<number | undefined> =>
  new Promise((resolve) => {
    const asked = request(
      {
        ...{ host: '127.0.0.1', port, method: 'POST', timeout: 5_000 },
        path: '/api/v1/namespaces/default/workflows/books',
        headers: { 'content-type': 'text/plain', origin: 'https://example.org' },
      },
      (answer) => {
        answer.resume()
        resolve(answer.statusCode)
      },
    )
    asked.on('error', () => resolve(undefined))
    asked.on('timeout', () => asked.destroy())
    asked.end('{"workflowType":{"name":"keepBooks"},"taskQueue":{"name":"tieout"}}')
  })

test('a run whose activities a stranger answers with copies publishes nothing', async () => {
  const run = tieout(['run'], place)
  const stopped = run.then(() => true)
  let answers = 0
  while (!(await Promise.race([stopped, sleep(10, false)]))) answers += await answerAll()
  const { code, stderr } = await run
  expect(answers).toBeGreaterThan(0)
  expect({ code, isRefused: stderr.includes('payload_refused') }).toEqual({
    code: 2,
    isRefused: true,
  })
  expect(existsSync(join(place.cwd, 'out', 'default'))).toBe(false)
})

/** Answers each activity that waits or runs with a copy: an earlier answer in its workflow, else the workflow's order. */
async function answerAll(): Promise<number> {
  let answers = 0
  for await (const { workflowId } of stranger.workflow.list({
    query: 'ExecutionStatus = "Running"',
  })) {
    const handle = stranger.workflow.getHandle(workflowId)
    const { raw } = await handle.describe()
    const { events } = await handle.fetchHistory()
    const earlier = events?.find((event) => event.activityTaskCompletedEventAttributes)
    const result =
      earlier?.activityTaskCompletedEventAttributes?.result ??
      events?.[0]?.workflowExecutionStartedEventAttributes?.input ??
      null
    for (const { activityId = null } of raw.pendingActivities ?? []) {
      await connection.workflowService
        .respondActivityTaskCompletedById({ namespace: 'default', workflowId, activityId, result })
        .then(() => (answers += 1))
        // The worker was faster.
        .catch(() => {})
    }
  }
  return answers
}

test('the server ends with a worker that is killed', async () => {
  worker.kill('SIGKILL')
  await worker.ended
  await expect
    .poll(() => processesIn(place.cwd).filter(({ pid }) => pid === server), { timeout: 60_000 })
    .toEqual([])
})
