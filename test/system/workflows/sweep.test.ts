import { expect, test } from 'vitest'
import type { SweepResult } from '../../../domain/run.ts'
import type { sweep } from '../../../workflows/sweep.ts'
import { useTemporal } from '../../support/temporal.ts'
import { actedActivities } from './acted.ts'

const temporal = useTemporal()

test('a sweep that goes on in a new execution reads only the remaining lists, and counts all', async () => {
  const { asked, activities } = actedActivities({ newsAtLast: 0 })
  const read = (list: SweepResult['list']): SweepResult => ({
    ...{ list, pass: 1, done: true, records: 7, newVersions: 7, quarantined: 0, requests: 2 },
  })
  const swept = await temporal().withWorker(activities, (taskQueue) =>
    temporal().client.workflow.execute<typeof sweep>('sweep', {
      taskQueue,
      workflowId: 'sweep/left',
      args: [{ runId: 'r1', account: 'acme', read: [read('terminals'), read('settlements')] }],
    }),
  )
  expect(asked).toEqual(['transactions 1', 'transactions 1', 'settlements 2'])
  expect(swept).toEqual({ records: 24, newVersions: 19, requests: 6 })
})
