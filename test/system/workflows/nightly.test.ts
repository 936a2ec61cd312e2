import { WorkflowFailedError } from '@temporalio/client'
import { defineSearchAttributeKey } from '@temporalio/common'
import { expect, test } from 'vitest'
import type { nightly } from '../../../workflows/nightly.ts'
import { useTemporal } from '../../support/temporal.ts'
import { actedActivities, REQUEST, type Play } from './acted.ts'

const temporal = useTemporal()
let runs = 0
/** A schedule sets it. */
const SCHEDULED = defineSearchAttributeKey('TemporalScheduledStartTime', 'DATETIME')

/** Runs `nightly` with acted activities; answers with what they were asked, in order. */
async function night(play: Play, request = REQUEST, scheduledAt?: Date) {
  const { asked, posted, activities } = actedActivities(play)
  runs += 1
  const outcome = await temporal().withWorker(activities, (taskQueue) =>
    temporal()
      .client.workflow.execute<typeof nightly>('nightly', {
        taskQueue,
        workflowId: `nightly/acme/${runs}`,
        args: [request],
        ...(scheduledAt === undefined
          ? {}
          : { typedSearchAttributes: [{ key: SCHEDULED, value: scheduledAt }] }),
      })
      .catch((error: unknown) => error),
  )
  return { asked, posted, outcome }
}

test('a night reads settlements, then transactions, then settlements again; then it makes the books, then the pack', async () => {
  const { asked, outcome } = await night({ newsAtLast: 0 })
  expect(asked).toEqual([
    'checkSource',
    'prepareRun',
    'terminals 1',
    'settlements 1',
    'transactions 1',
    'transactions 1',
    'settlements 2',
    'reconcile 2026-10-01',
    'publish',
  ])
  expect(outcome).toMatchObject({ account: 'acme', window: REQUEST.window, asOf: REQUEST.asOf })
  expect(outcome).toMatchObject({ knownAt: '7', openErrors: 1, certificate: 'CONTIGUOUS' })
})

test('a settlement found by the second reading is judged only after its transactions are read again', async () => {
  const { asked } = await night({ newsAtLast: 1 })
  expect(asked.slice(asked.indexOf('settlements 2'))).toEqual([
    'settlements 2',
    'transactions 2',
    'transactions 2',
    'reconcile 2026-10-01',
    'publish',
  ])
})

test('a scheduled night leaves it to the sweep to try the service', async () => {
  const play = { newsAtLast: 0, failing: 'checkSource' } as const
  const { asked, outcome } = await night(play, REQUEST, new Date('2026-10-30T04:15:00Z'))
  expect(asked.slice(0, 2)).toEqual(['prepareRun', 'terminals 1'])
  expect(outcome).toMatchObject({ certificate: 'CONTIGUOUS' })
})

test('a run without a sweep sends no request to the service', async () => {
  const { asked } = await night({ newsAtLast: 0 }, { ...REQUEST, sweep: false })
  expect(asked).toEqual(['prepareRun', 'reconcile 2026-10-01', 'publish'])
})

test.each(['checkSource', 'sweepList', 'reconcile'] as const)(
  'no pack is published if %s fails for good',
  async (failing) => {
    const { asked, outcome } = await night({ newsAtLast: 0, failing })
    expect(outcome).toBeInstanceOf(WorkflowFailedError)
    expect(asked).not.toContain('publish')
    expect(asked.at(-1)).toBe('postOutcome source_refused')
    expect(asked.filter((name) => name === asked.at(-2))).toHaveLength(1)
  },
)

test('a run that fails posts the outcome once, after everything else', async () => {
  const { asked } = await night({ newsAtLast: 0, failing: 'reconcile' })
  expect(asked.at(-1)).toBe('postOutcome source_refused')
  expect(asked.filter((name) => name.startsWith('postOutcome'))).toHaveLength(1)
})

test('a failure before the range is known is posted with the range that was requested', async () => {
  const { posted } = await night({ newsAtLast: 0, failing: 'checkSource' })
  expect(posted).toMatchObject([{ account: 'acme', window: REQUEST.window }])
})

test('a run that is late posts that, and goes on', async () => {
  const { asked } = await night({ newsAtLast: 0, lateAfter_ms: 1, slow: 'reconcile' })
  expect(asked).toContain('postOutcome late')
  expect(asked.at(-1)).toBe('publish')
})

test('a receiver that fails changes no run', async () => {
  const { outcome } = await night({ newsAtLast: 0, lateAfter_ms: 1, failing: 'postOutcome' })
  expect(outcome).toMatchObject({ account: 'acme', certificate: 'CONTIGUOUS' })
})
