/**
 * Goal: a backfill reads once, judges each chunk once, and obeys its operator. Method: the real workflow with
 * scripted activities.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { WorkflowFailedError } from '@temporalio/client'
import { ApplicationFailure } from '@temporalio/common'
import proto from '@temporalio/proto'
import { expect, test } from 'vitest'
import type { BackfillEvent, BackfillOrder, BackfillProgress } from '../../../domain/backfill.ts'
import type { SweepResult } from '../../../domain/run.ts'
import { PRIORITY } from '../../../workers/temporal/task-queue.ts'
import type { backfill } from '../../../workflows/backfill.ts'
import type { nightly } from '../../../workflows/nightly.ts'
import { useTemporal } from '../../support/temporal.ts'
import { actedActivities, BACKFILL_ORDER, REQUEST, type Play } from './acted.ts'

const temporal = useTemporal()
let backfills = 0

type Handle = Awaited<ReturnType<typeof start>>

async function start(taskQueue: string, order: BackfillOrder) {
  backfills += 1
  return temporal().client.workflow.start<typeof backfill>('backfill', {
    taskQueue,
    workflowId: `backfill/acme/${backfills}`,
    args: [order],
    priority: PRIORITY.backfill,
  })
}

/** Runs a backfill with acted activities while `steer` has it in hand; answers with what they were asked, and what came of it. */
async function backfilled(
  play: Partial<Play>,
  steer: (handle: Handle, asked: readonly string[]) => Promise<unknown> = () => Promise.resolve(),
  order: BackfillOrder = BACKFILL_ORDER,
) {
  const { asked, activities } = actedActivities({ newsAtLast: 0, ...play })
  const outcome = await temporal().withWorker(activities, async (taskQueue) => {
    const handle = await start(taskQueue, order)
    await steer(handle, asked)
    return handle.result().catch((error: unknown) => error)
  })
  return { asked, outcome }
}

/** An activity that waits: `reached` when it has begun, until `goOn`. */
function gate(at: string) {
  const [reached, open] = [signal(), signal()]
  const meanwhile = async (what: string) => {
    if (what !== at) return
    reached.give()
    await open.given
  }
  return { meanwhile, reached: reached.given, goOn: open.give }
}

function signal() {
  let give = () => {}
  const given = new Promise<void>((resolve) => {
    give = resolve
  })
  return { given, give }
}

const progressOf = (handle: Handle) => handle.query<BackfillProgress, []>('progress')

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await sleep(30)
}

const READING = [
  'terminals 1',
  'settlements 1',
  'transactions 1',
  'transactions 1',
  'settlements 2',
]

test('a range is read once and judged month by month, oldest first', async () => {
  const { asked, outcome } = await backfilled({})
  expect(asked).toEqual([
    ...['checkSource', 'BEGUN', ...READING],
    ...['reconcile 2026-09-15', 'publish', 'reconcile 2026-10-01', 'publish', 'DONE'],
  ])
  expect(outcome).toMatchObject({ window: BACKFILL_ORDER.window, chunks: 2, newVersions: 15 })
  expect(outcome).toMatchObject({ headline: { settlements: 6, tied: 4, breaks: 2 } })
})

test('a paused backfill sends no more requests, until it is resumed', async () => {
  const { meanwhile, reached, goOn } = gate('settlements 1')
  const { asked } = await backfilled({ meanwhile }, async (handle, asked) => {
    await reached
    await handle.executeUpdate('pause', { args: ['Ada'] })
    goOn()
    const { childId = '', hold } = await progressOf(handle)
    expect(hold).toMatchObject({ by: 'Ada' })
    const child = temporal().client.workflow.getHandle(childId)
    await until(async () => (await child.query<SweepResult[]>('read')).length === 2)
    await sleep(300)
    expect(asked).not.toContain('transactions 1')
    await handle.executeUpdate('resume', { args: ['Ada'] })
  })
  expect(asked.filter((what) => /^[A-Z]+$/.test(what))).toEqual([
    'BEGUN',
    'PAUSED',
    'RESUMED',
    'DONE',
  ])
  expect(asked.filter((what) => READING.includes(what))).toEqual(READING)
})

test('a new rate takes effect from the next segment on, and status shows it', async () => {
  const { meanwhile, reached, goOn } = gate('settlements 1')
  const paces: unknown[] = []
  const { activities } = actedActivities({ newsAtLast: 0, meanwhile })
  const { sweepList } = activities
  activities.sweepList = async (request) => {
    paces.push(request.pace)
    return sweepList(request)
  }
  await temporal().withWorker(activities, async (taskQueue) => {
    const handle = await start(taskQueue, { ...BACKFILL_ORDER, perSecond: 30 })
    await reached
    await handle.executeUpdate('slow', { args: [5, 'Ada'] })
    expect(await progressOf(handle)).toMatchObject({ perSecond: 5 })
    goOn()
    await handle.result()
  })
  const [before, after] = [30, 5].map((mostPerSecond) => ({ weight: 0.25, mostPerSecond }))
  expect(paces).toEqual([before, before, after, after, after])
})

test('a range of many chunks goes on in new executions, and each chunk is judged once', async () => {
  const window = { from: '2026-08-01', to: '2026-08-29' }
  let first = ''
  const { asked, outcome } = await backfilled(
    {},
    async (handle) => {
      first = handle.firstExecutionRunId
    },
    { ...BACKFILL_ORDER, window, chunkDays: 1 },
  )
  const judged = asked.filter((what) => what.startsWith('reconcile '))
  expect(judged).toHaveLength(28)
  expect(judged).toEqual([...new Set(judged)].sort())
  expect(outcome).toMatchObject({ chunks: 28, headline: { settlements: 84 } })
  const { runId } = await temporal()
    .client.workflow.getHandle(`backfill/acme/${backfills}`)
    .describe()
  expect(runId).not.toBe(first)
})

test.each(['sweepList', 'reconcile', 'publish'] as const)(
  'a backfill waits with the reason if %s fails for good, and goes on from there when it is resumed',
  async (failing) => {
    const play: Play = { newsAtLast: 0, failing }
    const { asked, activities } = actedActivities(play)
    await temporal().withWorker(activities, async (taskQueue) => {
      const handle = await start(taskQueue, BACKFILL_ORDER)
      await until(async () => (await progressOf(handle)).hold?.failure !== undefined)
      const { hold } = await progressOf(handle)
      expect(hold?.failure).toEqual({ code: 'source_refused', what: 'it fails' })
      delete play.failing
      await handle.executeUpdate('resume', { args: [''] })
      expect(await handle.result()).toMatchObject({ chunks: 2 })
    })
    expect(asked.filter((what) => /^[A-Z]+$/.test(what))).toEqual([
      'BEGUN',
      'FAILED',
      'RESUMED',
      'DONE',
    ])
    expect(asked.filter((what) => what.startsWith('postOutcome'))).toEqual([
      'postOutcome source_refused of a backfill',
    ])
    // Steps before the failure are not done again.
    expect(asked.filter((what) => what === 'reconcile 2026-10-01')).toHaveLength(1)
    expect(asked.filter((what) => what === 'settlements 2')).toHaveLength(1)
  },
)

test('a backfill waits also if the lake can not record the failure, and shows the failure once it is posted', async () => {
  const { meanwhile, reached, goOn } = gate('postOutcome source_refused of a backfill')
  const play: Play = { newsAtLast: 0, failing: 'reconcile', meanwhile }
  const { asked, activities } = actedActivities(play)
  const { recordBackfill } = activities
  activities.recordBackfill = async (about) => {
    if (about.event === 'FAILED') throw ApplicationFailure.nonRetryable('full', 'lake_unreachable')
    return recordBackfill(about)
  }
  await temporal().withWorker(activities, async (taskQueue) => {
    const handle = await start(taskQueue, BACKFILL_ORDER)
    await reached
    expect((await progressOf(handle)).hold).toBeUndefined()
    goOn()
    await until(async () => (await progressOf(handle)).hold?.failure !== undefined)
    delete play.failing
    await handle.executeUpdate('resume', { args: [''] })
    expect(await handle.result()).toMatchObject({ chunks: 2 })
  })
  expect(asked.filter((what) => /^[A-Z]+$/.test(what))).toEqual(['BEGUN', 'RESUMED', 'DONE'])
})

test('a backfill is cancelled also if the lake can not record that', async () => {
  const { meanwhile, reached, goOn } = gate('reconcile 2026-09-15')
  const { activities } = actedActivities({ newsAtLast: 0, meanwhile })
  const { recordBackfill } = activities
  activities.recordBackfill = async (about) => {
    if (about.event === 'CANCELLED') {
      throw ApplicationFailure.nonRetryable('full', 'lake_unreachable')
    }
    return recordBackfill(about)
  }
  const outcome = await temporal().withWorker(activities, async (taskQueue) => {
    const handle = await start(taskQueue, BACKFILL_ORDER)
    await reached
    await handle.cancel()
    goOn()
    return handle.result().catch((error: unknown) => error)
  })
  expect(outcome).toMatchObject({ cause: { name: 'CancelledFailure' } })
})

test('a chunk that failed is judged anew in a run of its own', async () => {
  const play: Play = { newsAtLast: 0, failing: 'publish' }
  const { activities } = actedActivities(play)
  const runs: string[] = []
  const { reconcile } = activities
  activities.reconcile = async (run) => {
    runs.push(run.runId)
    return reconcile(run)
  }
  await temporal().withWorker(activities, async (taskQueue) => {
    const handle = await start(taskQueue, BACKFILL_ORDER)
    await until(async () => (await progressOf(handle)).hold?.failure !== undefined)
    delete play.failing
    await handle.executeUpdate('resume', { args: [''] })
    await handle.result()
  })
  const [first = '', again, next] = runs
  expect(first).toMatch(/-20260915$/)
  expect(again).toBe(`${first}-2`)
  expect(next).toBe(first.replace('20260915', '20261001'))
})

test('a backfill that is done is neither paused nor slowed while the lake records its end', async () => {
  const { meanwhile, reached, goOn } = gate('DONE')
  const { asked } = await backfilled({ meanwhile }, async (handle) => {
    await reached
    await handle.executeUpdate('pause', { args: ['Ada'] })
    await handle.executeUpdate('slow', { args: [5, 'Ada'] })
    expect((await progressOf(handle)).hold).toBeUndefined()
    goOn()
  })
  expect(asked.filter((what) => /^[A-Z]+$/.test(what))).toEqual(['BEGUN', 'DONE'])
})

test('a source that refuses the first request ends the backfill before anything is recorded', async () => {
  const { asked, outcome } = await backfilled({ failing: 'checkSource' })
  expect(outcome).toBeInstanceOf(WorkflowFailedError)
  expect(asked).toEqual(['checkSource', 'postOutcome source_refused of a backfill'])
})

test('a backfill that is late posts that once, also across executions, and a lost message changes nothing', async () => {
  const window = { from: '2026-08-01', to: '2026-08-29' }
  const order = { ...BACKFILL_ORDER, window, chunkDays: 1 }
  const { meanwhile, reached, goOn } = gate('reconcile 2026-08-01')
  const { asked, outcome } = await backfilled(
    { lateAfter_ms: 1, failing: 'postOutcome', meanwhile },
    async (_handle, asked) => {
      await reached
      await until(() => asked.includes('postOutcome late of a backfill'))
      goOn()
    },
    order,
  )
  expect(outcome).toMatchObject({ chunks: 28 })
  expect(asked.filter((what) => what.startsWith('postOutcome'))).toHaveLength(1)
})

test.each([
  ['Bo', 'Bo'],
  ['', undefined],
])(
  'a backfill cancelled by "%s" records so in the lake, and judges nothing more',
  async (by, actor) => {
    const { meanwhile, reached, goOn } = gate('reconcile 2026-09-15')
    const { asked, activities } = actedActivities({ newsAtLast: 0, meanwhile })
    const recorded: BackfillEvent[] = []
    const { recordBackfill } = activities
    activities.recordBackfill = async (event) => {
      recorded.push(event)
      return recordBackfill(event)
    }
    const outcome = await temporal().withWorker(activities, async (taskQueue) => {
      const handle = await start(taskQueue, BACKFILL_ORDER)
      await reached
      await handle.executeUpdate('cancelledBy', { args: [by] })
      await handle.cancel()
      goOn()
      return handle.result().catch((error: unknown) => error)
    })
    expect(outcome).toBeInstanceOf(WorkflowFailedError)
    expect(recorded.map((event) => [event.event, event.actor])).toEqual([
      ['BEGUN', 'Ada'],
      ['CANCELLED', actor],
    ])
    expect(asked).not.toContain('reconcile 2026-10-01')
  },
)

/** The number of activities in the queue by priority. A workflow knows of its activity before its queue does. */
async function waitingActivities(taskQueue: string) {
  const { client } = temporal()
  const { statsByPriorityKey } = await client.workflowService.describeTaskQueue({
    namespace: client.options.namespace,
    taskQueue: { name: taskQueue },
    taskQueueType: proto.temporal.api.enums.v1.TaskQueueType.TASK_QUEUE_TYPE_ACTIVITY,
    reportStats: true,
  })
  return (priority: number) => Number(statsByPriorityKey?.[priority]?.approximateBacklogCount ?? 0)
}

test('a later night goes before all waiting backfills if the worker can do only one activity', async () => {
  const order: string[] = []
  const { meanwhile, reached, goOn } = gate('checkSource')
  const { activities } = actedActivities({ newsAtLast: 0, meanwhile })
  const { checkSource } = activities
  activities.checkSource = (about) => {
    order.push(about.account)
    return checkSource(about)
  }
  const { client, withWorker } = temporal()
  await withWorker(
    activities,
    async (taskQueue) => {
      const untilWaiting = (nightlies: number, backfills: number) =>
        until(async () => {
          const waiting = await waitingActivities(taskQueue)
          const { nightly, backfill } = PRIORITY
          return (
            waiting(nightly.priorityKey) === nightlies &&
            waiting(backfill.priorityKey) === backfills
          )
        })
      const first = await start(taskQueue, { ...BACKFILL_ORDER, account: 'first' })
      await reached
      const others = await Promise.all(
        [1, 2, 3].map(() => start(taskQueue, { ...BACKFILL_ORDER, account: 'past' })),
      )
      await untilWaiting(0, 3)
      const night = await client.workflow.start<typeof nightly>('nightly', {
        taskQueue,
        workflowId: 'nightly/later',
        args: [{ ...REQUEST, account: 'night' }],
        priority: PRIORITY.nightly,
      })
      await untilWaiting(1, 3)
      // They are counted as they are written down, and lined up a moment later.
      await sleep(500)
      goOn()
      await Promise.all([first, ...others, night].map((handle) => handle.result()))
    },
    { maxConcurrentActivityTaskExecutions: 1 },
  )
  expect(order).toEqual(['first', 'night', 'past', 'past', 'past'])
})
