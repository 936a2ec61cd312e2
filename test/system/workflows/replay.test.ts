import { DeterminismViolationError } from '@temporalio/workflow'
import { Worker } from '@temporalio/worker'
import { readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { installRuntime } from '../../../workers/telemetry/logging.ts'
import { traceSinks } from '../../../workers/telemetry/traces.ts'
import { historyFile, RECORDED, recordHistories } from './histories/record.ts'
import { projectFiles } from '../../house/project-files.ts'
import { workflowBundle } from '../../support/built.ts'

beforeAll(async () => {
  process.env['TIEOUT_LOG_LEVEL'] ??= 'silent'
  installRuntime()
  const wanted = process.env['RECORD_HISTORIES']
  if (wanted !== undefined) await recordHistories(wanted === '1' ? names : wanted.split(','))
})

const names = Object.keys(RECORDED)
const recordedWorkflows = new Set(Object.values(RECORDED).map(({ workflow }) => workflow))

interface Recorded {
  workflowId: string
  history: { events: object[] }
}

const replay = ({ workflowId, history }: Recorded) =>
  Worker.runReplayHistory(
    { workflowBundle: workflowBundle(), sinks: traceSinks(undefined) },
    history,
    workflowId,
  )

const recorded = (name: string, change: (text: string) => string = (text) => text): Recorded =>
  JSON.parse(change(readFileSync(historyFile(name), 'utf8')))

test('every workflow has a history', () => {
  const workflows = projectFiles('workflows').find(({ path }) => path === 'workflows/index.ts')
  const exported = [...(workflows?.text.matchAll(/export \{ (\w+) \}/g) ?? [])].map(
    ([, name]) => name,
  )
  expect(exported.sort()).toEqual([...recordedWorkflows].sort())
})

test.each(names)(
  'a run of %s that began with an earlier version goes on with this one',
  async (name) => {
    const history = recorded(name)
    expect(history.history.events.length).toBeGreaterThan(5)
    await expect(replay(history)).resolves.toBeUndefined()
  },
)

test.each([
  ['nightly', '"name": "prepareRun"', '"name": "prepareNight"'],
  ['sweep', '"name": "sweepList"', '"name": "sweepPage"'],
  ['reconcile', '"name": "reconcile"', '"name": "reckon"'],
  ['publish', '"name": "publish"', '"name": "print"'],
])('a history of %s with other activities is rejected', async (name, from, to) => {
  const text = readFileSync(historyFile(name), 'utf8')
  expect(text).toContain(from)
  // Only the requested activity differs: the workflow is still found by its name.
  const tampered = recorded(name)
  const events = tampered.history.events.map((event) =>
    'activityTaskScheduledEventAttributes' in event
      ? JSON.parse(JSON.stringify(event).replace(from.replace(': ', ':'), to.replace(': ', ':')))
      : event,
  )
  await expect(replay({ ...tampered, history: { events } })).rejects.toThrow(
    DeterminismViolationError,
  )
})

/** Everything that a history carries for Temporal to keep: arguments, results, heartbeats, queries and summaries. */
function payloadsIn(text: string): { bytes: number; data: string }[] {
  return [...text.matchAll(/"data": "([^"]*)"/g)].map(([, data = '']) => ({
    bytes: Buffer.byteLength(data, 'base64'),
    data: Buffer.from(data, 'base64').toString('utf8'),
  }))
}

test('no payload of any workflow is larger than two kilobytes', () => {
  const payloads = names.flatMap((name) => payloadsIn(readFileSync(historyFile(name), 'utf8')))
  expect(payloads.length).toBeGreaterThan(100)
  const [largest] = payloads.toSorted((a, b) => b.bytes - a.bytes)
  expect(largest?.bytes).toBeGreaterThan(200)
  expect(largest?.bytes, largest?.data).toBeLessThan(2048)
})

test('a history has no trace of the machine on which it was recorded', () => {
  for (const name of names) {
    const text = readFileSync(historyFile(name), 'utf8')
    const decoded = text.replaceAll(/"data": "([^"]*)"/g, (_all, data: string) =>
      Buffer.from(data, 'base64').toString('utf8'),
    )
    expect(`${text}${decoded}`).not.toMatch(/\/(home|tmp|root|work|usr)\/|\d+@/)
  }
})
