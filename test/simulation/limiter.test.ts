import { WithStartWorkflowOperation } from '@temporalio/client'
import { expect, test } from 'vitest'
import type { Lease, LeaseBook, LeaseRequest, RateView } from '../../domain/rate.ts'
import { useTemporal } from '../support/temporal.ts'

const temporal = useTemporal()
const NOTHING: RateView = { version: 0, perSecond: 20, known: null }
const LEARNED: RateView = { version: 3, perSecond: 38, known: 38 }

test('three workers share the rate: each uses the limit that another found, and a share that one gives back', async () => {
  const { client, withWorker } = temporal()
  await withWorker({}, async (taskQueue) => {
    const workflowId = 'limiter/three'
    const handle = client.workflow.getHandle(workflowId)
    const renew = (holder: string, view = NOTHING, blocked_ms = 0) =>
      client.workflow.executeUpdateWithStart<() => Promise<void>, Lease, [LeaseRequest]>('renew', {
        args: [{ holder, weight: 1, view, blocked_ms }],
        startWorkflowOperation: new WithStartWorkflowOperation('limiter', {
          workflowId,
          taskQueue,
          args: [],
          workflowIdConflictPolicy: 'USE_EXISTING',
        }),
      })
    expect((await renew('a')).share).toBe(1)
    // All of it is still out: a newcomer waits until the first one has come back.
    expect((await renew('b')).share).toBe(0)
    expect((await renew('a', LEARNED, 1500)).share).toBe(1 / 2)
    const second = await renew('b')
    expect(second).toMatchObject({ share: 1 / 2, view: LEARNED })
    expect(second.blocked_ms).toBeGreaterThan(0)
    expect((await renew('c')).share).toBe(0)
    await renew('a', LEARNED)
    await renew('b', LEARNED)
    expect((await renew('c')).share).toBeCloseTo(1 / 3)
    await handle.signal('release', 'a')
    await renew('b')
    expect((await renew('c')).share).toBe(1 / 2)
    const book = await handle.query<LeaseBook>('book')
    expect(Object.keys(book.holders).sort()).toEqual(['b', 'c'])
    await handle.terminate()
  })
})

test('after five hundred renewals the workflow continues in a new execution and forgets nothing', async () => {
  const { client, withWorker } = temporal()
  await withWorker({}, async (taskQueue) => {
    const handle = await client.workflow.start('limiter', { workflowId: 'limiter/long', taskQueue })
    const renew = (holder: string) =>
      client.workflow.getHandle('limiter/long').executeUpdate<Lease, [LeaseRequest]>('renew', {
        args: [{ holder, weight: 1, view: LEARNED, blocked_ms: 0 }],
      })
    // A workflow takes ten updates at a time at most; three workers never send as many.
    const worker = async () => {
      for (let round = 0; round < 175; round += 1) await renew('a')
    }
    await Promise.all([worker(), worker(), worker()])
    expect((await renew('b')).view).toEqual(LEARNED)
    const { runId } = await client.workflow.getHandle('limiter/long').describe()
    expect(runId).not.toBe(handle.firstExecutionRunId)
    await client.workflow.getHandle('limiter/long').terminate()
  })
})
