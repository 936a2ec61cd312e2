import { expect, test } from 'vitest'
import type { RunResult } from '../../../domain/run.ts'
import { linesOf } from '../../../cli/schedule/schedule.ts'
import { summaryOf } from '../../../cli/run/summary.ts'

const ZONE = 'America/New_York'

const SCHEDULE = {
  ...{ scheduleId: 'nightly-acme', timezone: ZONE, paused: false },
  nextRun: '2026-11-22T09:15:48.058Z',
  recentRuns: [
    {
      scheduledFor: '2026-11-21T09:15:00.000Z',
      startedAt: '2026-11-21T09:15:48.058Z',
      workflowId: 'nightly-acme-1',
    },
  ],
}

test('the schedule of an account shows each time on the clocks of its zone as well', () => {
  expect(linesOf(SCHEDULE)).toEqual([
    'nightly-acme, time zone America/New_York',
    'next run 2026-11-22T09:15:48.058Z (2026-11-22 04:15 America/New_York)',
    'run of 2026-11-21T09:15:00.000Z (2026-11-21 04:15 America/New_York) started at 2026-11-21T09:15:48.058Z (2026-11-21 04:15 America/New_York), workflow nightly-acme-1',
  ])
})

test('a paused schedule and one in UTC have no local times', () => {
  expect(linesOf({ ...SCHEDULE, paused: true, nextRun: null, recentRuns: [] })).toEqual([
    'nightly-acme, time zone America/New_York, paused',
    'next run none',
  ])
  expect(linesOf({ ...SCHEDULE, timezone: 'UTC', recentRuns: [] })[1]).toBe(
    'next run 2026-11-22T09:15:48.058Z',
  )
})

const RESULT: RunResult = {
  ...{ runId: 'night', account: 'acme', window: { from: '2026-10-01', to: '2026-11-01' } },
  ...{ asOf: '2026-11-20T04:15:00Z', isAsOfSweep: true, knownAt: '12', pack: 'out/acme/night' },
  ...{ certificate: 'CONTIGUOUS', exceptions: {}, openErrors: 0, openWarnings: 0 },
  headline: { settlements: 0, tied: 0, explained: 0, breaks: 0, pending: 0, noData: 0 },
}

test('a run shows the instant of its judgement on the clocks of the account as well', () => {
  const first = (zone: string) => summaryOf(RESULT, zone)[0]
  expect(first('UTC')).toBe(
    '2026-10-01 to 2026-11-01, as of 2026-11-20T04:15:00Z (the end of the newest sweep), known at 12, sweeps CONTIGUOUS',
  )
  expect(first(ZONE)).toContain(
    ', as of 2026-11-20T04:15:00Z (2026-11-19 23:15 America/New_York) (the end of the newest sweep), ',
  )
})
