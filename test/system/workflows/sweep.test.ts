import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Pace, SweepResult } from '../../../domain/run.ts'
import { temporalCli } from '../../../workers/temporal/temporal-cli.ts'
import type { sweep } from '../../../workflows/sweep.ts'
import { tempFolder } from '../../support/temp-lake.ts'
import { startTemporal, useTemporal } from '../../support/temporal.ts'
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

/** A server that suggests a new execution after each segment, as the usual one does after hours. */
async function startSuggesting() {
  const real = await temporalCli(() => {})
  const program = join(tempFolder(), 'temporal.sh')
  const suggest = 'limit.historyCount.suggestContinueAsNew=1'
  writeFileSync(program, `#!/bin/sh\nexec '${real}' "$@" --dynamic-config-value ${suggest}\n`)
  chmodSync(program, 0o755)
  vi.stubEnv('TIEOUT_TEMPORAL_CLI', program)
  onTestFinished(() => {
    vi.unstubAllEnvs()
  })
  const suggesting = await startTemporal()
  onTestFinished(() => suggesting.stop())
  return suggesting
}

test('a pace that a person sets during a segment holds when the sweep goes on in a new execution', async () => {
  const { client, withWorker } = await startSuggesting()
  const paces: unknown[] = []
  const { activities } = actedActivities({ newsAtLast: 0 })
  const { sweepList } = activities
  activities.sweepList = async (request) => {
    paces.push(request.pace)
    if (paces.length === 3) {
      await client.workflow.getHandle('sweep/steered').signal('steer', { pace: slow })
    }
    return sweepList(request)
  }
  const paceOf = (mostPerSecond: number): Pace => ({ weight: 0.25, mostPerSecond })
  const [fast, slow] = [paceOf(5), paceOf(1)]
  await withWorker(activities, (taskQueue) =>
    client.workflow.execute<typeof sweep>('sweep', {
      taskQueue,
      workflowId: 'sweep/steered',
      args: [{ runId: 'r1', account: 'acme', pace: fast }],
    }),
  )
  // The third segment is the first of two that read the transactions.
  expect(paces).toEqual([fast, fast, fast, slow, slow])
}, 60_000)
