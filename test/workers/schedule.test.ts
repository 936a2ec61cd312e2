import { Client, Connection } from '@temporalio/client'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dateIn } from '../../domain/business-day.ts'
import type { RunResult } from '../../domain/run.ts'
import { newPlace, simulate, startTieout, tieout, type Place } from '../support/built.ts'

const ZONE = 'America/New_York'
const WORLD = ['--terminals', '2', '--transactions', '300', '--from', '2026-09-20', '--days', '40']

interface State {
  scheduleId: string
  timezone: string
  paused: boolean
  nextRun: string | null
  recentRuns: { scheduledFor: string; startedAt: string; workflowId: string }[]
}

let place: Place
let connection: Connection
beforeAll(async () => {
  const service = await simulate(WORLD, newPlace())
  place = newPlace({ ...service, TIEOUT_ACCOUNT: 'acme', TIEOUT_TIMEZONE: ZONE })
  // Late in the evening the date in New York is not the date in UTC.
  writeFileSync(join(place.cwd, 'tieout.yaml'), 'schedule: {at: "23:30"}\n')
  const said = await startTieout(['worker'], place).says('worker ready')
  const address = /worker ready: Temporal (\S+),/.exec(said)?.[1] ?? ''
  connection = await Connection.connect({ address })
})
afterAll(() => connection.close())

async function schedule(command: string, env: Record<string, string> = {}): Promise<State> {
  const asked = { cwd: place.cwd, env: { ...place.env, ...env } }
  const { code, stdout, stderr } = await tieout(['schedule', command, '--json'], asked)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout)
}

const client = () => new Client({ connection })
const resultOf = (workflowId: string): Promise<RunResult> =>
  client().workflow.getHandle(workflowId).result()

/** The wall clock of New York, such as `23:30`. */
const localTime = (instant: string | null) =>
  new Date(instant ?? '').toLocaleTimeString('en-GB', { timeZone: ZONE, timeStyle: 'short' })

test('the schedule is made, shown, paused and resumed as asked, at its local time', async () => {
  const missing = await tieout(['schedule', 'show'], place)
  expect(missing.code).toBe(2)
  expect(missing.stderr).toMatch(
    /^error usage: there is no schedule .*; next: tieout schedule apply\n$/,
  )

  const applied = await schedule('apply')
  expect(applied).toMatchObject({ scheduleId: 'nightly-acme', timezone: ZONE, paused: false })
  expect(['23:30', '23:31']).toContain(localTime(applied.nextRun))

  expect(await schedule('pause')).toMatchObject({ paused: true, nextRun: null })
  // Bringing it up to date wakes nothing that a person put to sleep.
  expect(await schedule('apply')).toMatchObject({ paused: true, timezone: ZONE })
  expect(await schedule('resume')).toMatchObject({ paused: false, nextRun: applied.nextRun })
  expect(await schedule('show')).toMatchObject({ paused: false, timezone: ZONE })
})

test('applying it again brings time zone and time up to date', async () => {
  const berlin = await schedule('apply', { TIEOUT_TIMEZONE: 'Europe/Berlin' })
  expect(berlin.timezone).toBe('Europe/Berlin')
  expect((await schedule('apply')).timezone).toBe(ZONE)
})

test('a triggered run is real: it covers the business days before the date for which it was begun', async () => {
  const { recentRuns } = await schedule('trigger')
  const [run] = recentRuns.slice(-1)
  const result = await resultOf(run?.workflowId ?? '')
  expect(result.account).toBe('acme')
  expect(result.window.to).toBe(dateIn(ZONE, Date.parse(run?.scheduledFor ?? '')))
  expect(result.pack).toContain(join(place.cwd, 'out', 'acme'))
})

test('a night that is caught up later is still that night, in the business time zone', async () => {
  await client()
    .schedule.getHandle('nightly-acme')
    .backfill({
      start: new Date('2026-10-16T03:00:00Z'),
      end: new Date('2026-10-16T04:00:00Z'),
      overlap: 'ALLOW_ALL',
    })
  const result = await resultOf('nightly-acme-2026-10-16T03:30:00Z')
  // Half past eleven on the fifteenth in New York, and half past three on the sixteenth in UTC.
  expect(result.window).toEqual({ from: '2026-09-10', to: '2026-10-15' })
  expect(result.headline.settlements).toBeGreaterThan(0)
})
