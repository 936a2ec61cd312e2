/**
 * Goal: docs/operations.md says truly what a night costs in actions of Temporal Cloud. Method: the recorded histories
 * are counted by the rules of Cloud, and the page's example is computed from the constants in the code.
 */
import { expect, test } from 'vitest'
import { z } from 'zod'
import { projectFiles, readProject } from './project-files.ts'

const PAGE = readProject('docs/operations.md')
const HISTORIES = 'test/system/workflows/histories'

/** An event of each of these types is an action. A child workflow costs another one in its own history, for its start. */
const BILLED = {
  WORKFLOW_EXECUTION_STARTED: 'start',
  START_CHILD_WORKFLOW_EXECUTION_INITIATED: 'child workflow',
  ACTIVITY_TASK_SCHEDULED: 'activity',
  TIMER_STARTED: 'timer',
  WORKFLOW_EXECUTION_SIGNALED: 'signal',
  WORKFLOW_EXECUTION_UPDATE_ACCEPTED: 'update',
} as const
/** These types cost nothing: they follow from an action, or are work of the server. */
const FREE = /^(WORKFLOW_TASK_\w+|\w+_(STARTED|COMPLETED))$/

type Action = (typeof BILLED)[keyof typeof BILLED]

const Recorded = z.object({
  history: z.object({
    events: z.array(
      z.looseObject({
        eventType: z.string(),
        activityTaskStartedEventAttributes: z.object({ attempt: z.number() }).optional(),
      }),
    ),
  }),
})

function actionsOf(name: string): Map<Action | 'retry', number> {
  const { history } = Recorded.parse(JSON.parse(readProject(`${HISTORIES}/${name}.json`)))
  const counts = new Map<Action | 'retry', number>()
  const add = (action: Action | 'retry', number: number) =>
    counts.set(action, (counts.get(action) ?? 0) + number)
  for (const { eventType, activityTaskStartedEventAttributes: started } of history.events) {
    const type = eventType.replace(/^EVENT_TYPE_/, '')
    if (type in BILLED) add(BILLED[type as keyof typeof BILLED], 1)
    else expect(type).toMatch(FREE)
    if (started !== undefined && started.attempt > 1) add('retry', started.attempt - 1)
  }
  return counts
}

const sumOf = (counts: ReadonlyMap<string, number>) =>
  [...counts.values()].reduce((sum, number) => sum + number, 0)
const actionsIn = (name: string) => sumOf(actionsOf(name))

/** A number that stands behind these words in a file of the code. */
function constant(path: string, before: RegExp): number {
  const found = new RegExp(`${before.source}(\\d[\\d_]*)`).exec(readProject(path))?.[1]
  if (found === undefined) throw new Error(`${path} has no ${before.source}`)
  return Number(found.replaceAll('_', ''))
}

const BEAT_S = constant('activities/runtime/beating.ts', /HEARTBEAT_EVERY_MS = /) / 1_000
const SEGMENT_S = constant('activities/sweep/sweep-list.ts', /SEGMENT_MS = /) / 1_000
const RENEW_S = constant('activities/runtime/rate-lease.ts', /alone: /) / 1_000

/** The rows of the table whose first heading is this, as `first cell: second cell`. */
function rowsOf(heading: string): Record<string, number> {
  const from = PAGE.indexOf(`| ${heading} |`)
  const [table = ''] = PAGE.slice(from).split('\n\n')
  return Object.fromEntries(
    table
      .split('\n')
      .slice(2)
      .map((row) => row.split('|').map((cell) => cell.trim().replaceAll('`', '')))
      .map(([, name = '', number]) => [name, Number(number)]),
  )
}

test('the page names each recorded history with its number of actions', () => {
  const names = projectFiles(HISTORIES)
    .map(({ path }) => /(\w+)\.json$/.exec(path)?.[1] ?? '')
    .filter((name) => name !== '' && name !== 'sweepPaused')
  expect(names.length).toBeGreaterThan(9)
  expect(rowsOf('recorded history')).toEqual(
    Object.fromEntries(names.map((name) => [name, actionsIn(name)])),
  )
  const kinds = Object.fromEntries(actionsOf('backfill'))
  expect(kinds).toEqual({ start: 1, activity: 6, update: 3, 'child workflow': 3 })
})

test('the page has the intervals of the code', () => {
  const worker = readProject('workers/worker.ts')
  expect(worker).toContain(`maxHeartbeatThrottleInterval: '${BEAT_S}s'`)
  expect(PAGE).toContain(`sends a heartbeat every ${BEAT_S} seconds`)
  expect(PAGE).toMatch(new RegExp(`renews its part of the request rate every ${RENEW_S} seconds`))
  expect(PAGE).toContain(`for each segment of at most ${SEGMENT_S} seconds`)
  expect(constant('workflows/backfill.ts', /CHUNKS_PER_EXECUTION = /)).toBe(25)
  expect(constant('workflows/limiter.ts', /RENEWALS = /)).toBeLessThan(2_000)
})

/** The seconds of each segment of a list that takes so long. */
const segmentsOf = (seconds: number): number[] =>
  Array.from({ length: Math.ceil(seconds / SEGMENT_S) }, (_, at) =>
    Math.min(SEGMENT_S, seconds - at * SEGMENT_S),
  )

test('the example of a night adds up', () => {
  const perSecond = 10
  const pages = { terminals: 1, settlements: 49, transactions: 1_901, again: 49 }
  const segments = Object.values(pages).flatMap((number) => segmentsOf(number / perSecond))
  const every = (step_s: number, lengths: number[]) =>
    lengths.reduce((sum, seconds) => sum + Math.floor(seconds / step_s), 0)
  const parts = {
    schedule: 2,
    nightly: actionsIn('nightly'),
    [`sweep with ${segments.length} segments`]: 1 + segments.length,
    'reconcile and publish': actionsIn('reconcile') + actionsIn('publish'),
    "the limiter's start and timer": 2,
    'renewals of the rate': segments.length + every(RENEW_S, segments),
    'returns of the rate': segments.length,
    'heartbeats of the sweep': every(BEAT_S, segments),
    'heartbeats of reconcile and publish': every(BEAT_S, [60, 20]),
  }
  const maintenance = 2 + actionsIn('maintainLake') + actionsIn('maintainLakeAlone')
  expect(rowsOf('part of the night')).toEqual({
    ...parts,
    'the night together': sumOf(new Map(Object.entries(parts))),
    'maintenance by its schedule, without heartbeats': maintenance,
  })
})

test('the cost of a backfill is that of its history without its two chunks and its three updates', () => {
  const [chunks, updates] = [2, 3]
  const fixed = actionsIn('backfill') - chunks - 2 * updates
  const perChunk = 1 + actionsIn('backfillChunk')
  expect(PAGE.replaceAll(/\s+/g, ' ')).toContain(
    `without a pause costs ${fixed} actions, ${perChunk} for each chunk,`,
  )
  expect(PAGE).toContain(`in 12 chunks are ${fixed + 12 * perChunk} actions`)
})
