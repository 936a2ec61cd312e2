/**
 * Goal: a copied, late or empty payload decides nothing. Method: workflows run without a worker for their activities. A
 * client without envelopes starts, answers and updates them with copies, as a stranger could.
 */
import { Client, Connection } from '@temporalio/client'
import proto from '@temporalio/proto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { BooksAct } from '../../../domain/books.ts'
import { enclosed, ORDER_VALID_MS, PURPOSE } from '../../../domain/envelope.ts'
import { renew } from '../../../workflows/limiter.ts'
import { useTemporal } from '../../support/temporal.ts'

const temporal = useTemporal()

let connection: Connection
let stranger: Client
beforeAll(async () => {
  connection = await Connection.connect({ address: temporal().address })
  stranger = new Client({ connection })
})
afterAll(() => connection.close())

const CLOSE: BooksAct = {
  ...{ account: 'acme', actor: 'Ada', kind: 'close', period: '2026-10', reason: 'x' },
}

/** The type of the failure with which a workflow, an update or an answer ends. */
async function failureType(work: Promise<unknown>): Promise<string> {
  try {
    return `ended with ${JSON.stringify(await work)}`
  } catch (error) {
    let cause = error as { type?: string; cause?: unknown }
    while (cause.type === undefined && cause.cause !== undefined)
      cause = cause.cause as typeof cause
    return cause.type ?? String(error)
  }
}

/** The service refuses to be polled without a limit of time. */
const patiently = <T>(work: (connection: Connection) => Promise<T>): Promise<T> =>
  connection.withDeadline(Date.now() + 60_000, () => work(connection))

/** Waits for the activity of a workflow, and answers in place of a worker. */
async function answer(taskQueue: string, result: 'its own order' | 'nothing'): Promise<void> {
  const task = await patiently(({ workflowService }) =>
    workflowService.pollActivityTaskQueue({
      namespace: 'default',
      taskQueue: { name: taskQueue },
      identity: 'stranger',
    }),
  )
  await connection.workflowService.respondActivityTaskCompleted({
    namespace: 'default',
    taskToken: task.taskToken,
    result: result === 'nothing' ? null : (task.input ?? null),
  })
}

test.each(['its own order', 'nothing'] as const)(
  'an activity that a stranger answers with %s fails the workflow',
  async (result) => {
    await temporal().withWorker({}, async (taskQueue) => {
      const handle = await temporal().client.workflow.start('keepBooks', {
        ...{ taskQueue, workflowId: `answered with ${result}`, args: [CLOSE] },
      })
      await answer(taskQueue, result)
      expect(await failureType(handle.result())).toBe('payload_refused')
    })
  },
)

test.each([
  ['an order without an envelope', [CLOSE]],
  ['no order', []],
  [
    'the order of an activity',
    enclosed(PURPOSE.activity('keepBooks', 'a run'), [CLOSE], nowIssued()),
  ],
  ['the order of another workflow', enclosed(PURPOSE.start('maintainLake'), [CLOSE], nowIssued())],
  [
    'an order that is too old',
    enclosed(PURPOSE.start('keepBooks'), [CLOSE], nowIssued(ORDER_VALID_MS + 60_000)),
  ],
])('a workflow refuses %s', async (name, args) => {
  await temporal().withWorker({}, async (taskQueue) => {
    const work = stranger.workflow.execute('keepBooks', { taskQueue, workflowId: name, args })
    expect(await failureType(work)).toBe('payload_refused')
  })
})

test('an update without an order, or with the same order again, is refused', async () => {
  await temporal().withWorker({}, async (taskQueue) => {
    const started = await temporal().client.workflow.start('limiter', {
      ...{ taskQueue, workflowId: 'limiter of the test', args: [] },
    })
    const asStranger = stranger.workflow.getHandle(started.workflowId)
    expect(await failureType(asStranger.executeUpdate(renew, { args: [] as never }))).toBe(
      'payload_refused',
    )
    const view = { version: 1, perSecond: 40, known: 40 }
    const request = { holder: 'a', weight: 1, view, blocked_ms: 0 }
    const args = enclosed(PURPOSE.update('renew'), [request], nowIssued()) as never
    await asStranger.executeUpdate(renew, { args })
    expect(await failureType(asStranger.executeUpdate(renew, { args }))).toBe('payload_refused')
    await started.terminate()
  })
})

test('a workflow that was reset schedules nothing again, however fresh its order is', async () => {
  await temporal().withWorker({}, async (taskQueue) => {
    const handle = await temporal().client.workflow.start('keepBooks', {
      ...{ taskQueue, workflowId: 'reset', args: [CLOSE] },
    })
    await answer(taskQueue, 'nothing')
    expect(await failureType(handle.result())).toBe('payload_refused')
    const { execution } = await handle.describe().then(({ raw }) => raw.workflowExecutionInfo ?? {})
    await connection.workflowService.resetWorkflowExecution({
      namespace: 'default',
      workflowExecution: execution ?? null,
      workflowTaskFinishEventId: 4 as never,
      requestId: 'reset by a stranger',
    })
    const again = stranger.workflow.getHandle('reset')
    expect(await failureType(again.result())).toBe('payload_refused')
    const { events } = await again.fetchHistory()
    expect(events?.some((event) => event.activityTaskScheduledEventAttributes)).toBe(false)
    expect((await again.describe()).runId).not.toBe(handle.firstExecutionRunId)
  })
})

test('a result that another run gave is refused', async () => {
  await temporal().withWorker({}, async (taskQueue) => {
    const handle = await temporal().client.workflow.start('keepBooks', {
      ...{ taskQueue: `${taskQueue} without workers`, workflowId: 'copied result', args: [CLOSE] },
    })
    const task = await patiently(({ workflowService }) =>
      workflowService.pollWorkflowTaskQueue({
        namespace: 'default',
        taskQueue: { name: `${taskQueue} without workers` },
      }),
    )
    const input = task.history?.events?.[0]?.workflowExecutionStartedEventAttributes?.input ?? null
    await connection.workflowService.respondWorkflowTaskCompleted({
      namespace: 'default',
      taskToken: task.taskToken,
      commands: [
        {
          commandType:
            proto.temporal.api.enums.v1.CommandType.COMMAND_TYPE_COMPLETE_WORKFLOW_EXECUTION,
          completeWorkflowExecutionCommandAttributes: { result: input },
        },
      ],
    })
    expect(await failureType(handle.result())).toBe('payload_refused')
  })
})

function nowIssued(ago_ms = 0) {
  return { issuedAt_ms: Date.now() - ago_ms, nonce: String(Math.random()) }
}
