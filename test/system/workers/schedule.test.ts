/**
 * Goal: every night runs once, for its own date. Method: a real schedule in Temporal, with nights missed and
 * repeated.
 */
import { Connection } from '@temporalio/client'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { addDays, dateIn } from '../../../domain/business-day.ts'
import type { RunResult } from '../../../domain/run.ts'
import { encryptingClient } from '../../support/encrypting-client.ts'
import {
  newPlace,
  newPlaceWithLake,
  processesIn,
  simulate,
  startTieout,
  type Place,
} from '../../support/built.ts'
import { tieoutHere } from '../../support/command-here.ts'

const ZONE = 'America/New_York'
const TODAY = dateIn(ZONE, Date.now())
const WORLD = [
  ...['--terminals', '2', '--transactions', '300'],
  ...['--from', addDays(TODAY, -60), '--days', '57'],
]

/** Nights of few records take less work with one thread. */
const LEAN = 'duckdb: {threads: 1}\n'

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
  place = newPlaceWithLake({ ...service, TIEOUT_ACCOUNT: 'acme', TIEOUT_TIMEZONE: ZONE })
  // Late in the evening the date in New York is not the date in UTC.
  writeFileSync(join(place.cwd, 'tieout.yaml'), `${LEAN}schedule: {at: "23:30"}\n`)
  const said = await startTieout(['worker'], place).says('worker ready')
  const address = /worker ready: Temporal (\S+),/.exec(said)?.[1] ?? ''
  connection = await Connection.connect({ address })
})
afterAll(() => connection.close())

async function schedule(command: string, env: Record<string, string> = {}): Promise<State> {
  const asked = { cwd: place.cwd, env: { ...place.env, ...env } }
  const { code, stdout, stderr } = await tieoutHere(['schedule', command, '--json'], asked)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout)
}

const client = () => encryptingClient(connection, place)
const resultOf = (workflowId: string): Promise<RunResult> =>
  client().workflow.getHandle(workflowId).result()

/** The wall clock of New York, such as `23:30`. */
const localTime = (instant: string | null) =>
  new Date(instant ?? '').toLocaleTimeString('en-GB', { timeZone: ZONE, timeStyle: 'short' })

test('the schedule is made, shown, paused and resumed on request, at its local time', async () => {
  const missing = await tieoutHere(['schedule', 'show'], place)
  expect(missing.code).toBe(2)
  expect(missing.stderr).toMatch(
    /^error usage: the account has no schedule .*; next: npx --no-install tieout schedule apply\n$/,
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

test('a second apply updates time zone and time', async () => {
  const berlin = await schedule('apply', { TIEOUT_TIMEZONE: 'Europe/Berlin' })
  expect(berlin.timezone).toBe('Europe/Berlin')
  expect((await schedule('apply')).timezone).toBe(ZONE)
})

test('a time that the clocks skip or show twice on some night is refused, with the night', async () => {
  writeFileSync(join(place.cwd, 'uneven.yaml'), 'schedule: {at: "02:30"}\n')
  const env = { ...place.env, TIEOUT_CONFIG: 'uneven.yaml' }
  const { code, stderr } = await tieoutHere(['schedule', 'apply'], { cwd: place.cwd, env })
  expect(code).toBe(2)
  expect(stderr).toMatch(
    /schedule\.at 02:30 is skipped in America\/New_York on \d{4}-03-\d\d, when the clocks change; next: /,
  )
  expect(['23:30', '23:31']).toContain(localTime((await schedule('show')).nextRun))
})

test('the lake is maintained some hours after the runs, by one schedule for all accounts', async () => {
  const { code, stdout } = await tieoutHere(['schedule', 'show'], place)
  expect(code).toBe(0)
  const next =
    /^next maintenance of the lake (\S+) \(\S+ 02:30 America\/New_York\)$/m.exec(stdout)?.[1] ?? ''
  expect(localTime(next)).toBe('02:30')
  const handle = client().schedule.getHandle('maintenance-nightly')
  await handle.trigger()
  const begun = () => handle.describe().then(({ info }) => info.recentActions.at(-1))
  await vi.waitFor(async () => expect(await begun()).toBeDefined(), 20_000)
  const { workflowId } = (await begun())?.action.workflow ?? { workflowId: '' }
  expect(await client().workflow.getHandle(workflowId).result()).toMatchObject({ filesRemoved: 0 })
})

test('a triggered run is real: it covers the business days before its date', async () => {
  const { recentRuns } = await schedule('trigger')
  const [run] = recentRuns.slice(-1)
  const result = await resultOf(run?.workflowId ?? '')
  expect(result.account).toBe('acme')
  expect(result.window.to).toBe(dateIn(ZONE, Date.parse(run?.scheduledFor ?? '')))
  expect(result.pack).toContain(join(place.cwd, 'out', 'acme'))
  // Every run can be found by its account on Temporal's pages.
  const { searchAttributes } = await client()
    .workflow.getHandle(run?.workflowId ?? '')
    .describe()
  expect(searchAttributes).toMatchObject({ TieoutAccount: ['acme'] })
})

/** Half past eleven in New York on a day, when it is the next day in UTC. */
const nightOf = (date: string): string =>
  ['03:30', '04:30']
    .map((time) => `${addDays(date, 1)}T${time}:00Z`)
    .find((instant) => localTime(instant) === '23:30') ?? ''

/** Lets Temporal begin the nights between two instants. */
const makeUp = (first: string, last: string): Promise<void> =>
  client()
    .schedule.getHandle('nightly-acme')
    .backfill({
      start: new Date(Date.parse(first) - 60_000),
      end: new Date(Date.parse(last) + 60_000),
      overlap: 'BUFFER_ALL',
    })

test('nights that were missed are all caught up later, each as its own night in the business time zone', async () => {
  const dates = [addDays(TODAY, -5), addDays(TODAY, -4)]
  const [first = '', second = ''] = dates.map(nightOf)
  await makeUp(first, second)
  const nights = await Promise.all(
    [first, second].map((night) => resultOnceBegun(`nightly-acme-${night}`)),
  )
  expect(nights.map(({ window }) => window)).toEqual(
    dates.map((to) => ({ from: addDays(to, -35), to })),
  )
  for (const { asOf, headline } of nights) {
    expect(asOf > second).toBe(true)
    expect(headline.settlements).toBeGreaterThan(0)
  }
})

test('a night of another year is refused, because its time is not encrypted', async () => {
  const night = nightOf('2019-03-01')
  await makeUp(night, night)
  await expect(resultOnceBegun(`nightly-acme-${night}`)).rejects.toThrow()
  const { answer } = await json(['status'])
  expect(answer.accounts[0].lastEnded.failure).toContain('error payload_refused: ')
})

test('the schedule catches up nights that are due together, for as long as the config file says', async () => {
  writeFileSync(
    join(place.cwd, 'tieout.yaml'),
    `${LEAN}schedule: {at: "23:30", catch_up_days: 3, jitter_seconds: 5}\n`,
  )
  await schedule('apply')
  const { policies, spec } = await client().schedule.getHandle('nightly-acme').describe()
  expect(policies).toMatchObject({ overlap: 'BUFFER_ALL', catchupWindow: 3 * 86_400_000 })
  expect([spec.jitter, spec.timezone]).toEqual([5_000, ZONE])
})

test('a schedule of an earlier payload key is written again, and stays paused', async () => {
  const other = { TIEOUT_PAYLOAD_KEY: 'another key of thirty-two characters' }
  await schedule('apply')
  await schedule('pause')
  expect(await json(['schedule', 'show'], other)).toMatchObject({ code: 2 })
  for (const env of [other, {}]) {
    expect(await json(['schedule', 'apply'], env)).toMatchObject({
      code: 0,
      answer: { scheduleId: 'nightly-acme', paused: true },
    })
  }
  await schedule('resume')
})

/** Answers with a command's JSON and its exit code. */
async function json(args: readonly string[], env: Record<string, string> = {}) {
  const { code, stdout } = await tieoutHere([...args, '--json'], {
    cwd: place.cwd,
    env: { ...place.env, ...env },
  })
  return { code, answer: JSON.parse(stdout) }
}

test('a re-run after a late file really runs again, and finds the records of the file', async () => {
  const range = ['reconcile', '--from', '2026-10-01', '--to', '2026-11-01']
  const before = await json(range)
  const late = {
    ...{ transactionId: 900_000_001, terminalId: 900_001, action: 'VERIFY', status: 'CAPTURE' },
    ...{ created: '2026-10-10T10:00:00Z', amountTotal: '5.00', response: { approved: true } },
  }
  writeFileSync(join(place.cwd, 'late.ndjson'), `${JSON.stringify(late)}\n`)
  const imported = await tieoutHere(['import', 'late.ndjson'], place)
  expect(imported).toMatchObject({ code: 0 })
  const after = await json(range)
  const verified = ({ answer }: { answer: RunResult }) => answer.exceptions['VERIFY_NONZERO'] ?? 0
  expect(verified(after)).toBe(verified(before) + 1)
  expect(Number(after.answer.knownAt)).toBeGreaterThan(Number(before.answer.knownAt))
  expect(after.answer.pack).not.toBe(before.answer.pack)
})

test('status shows how fresh the account is, its open exceptions and the next runs of the schedule', async () => {
  const { code, answer } = await json(['status'])
  expect(code).toBe(0)
  const [acme] = answer.accounts
  // The newest night is the one that was triggered; what was caught up later is older.
  expect(acme.pack.to > '2026-11').toBe(true)
  expect(acme.lastRun).toMatchObject({ from: '2026-10-01', to: '2026-11-01', isPublished: true })
  expect(acme.sweeps.map(({ list }: { list: string }) => list)).toEqual([
    'settlements',
    'terminals',
    'transactions',
  ])
  expect(acme.lastEnded).toMatchObject({ status: 'completed' })
  expect(acme.schedule).toMatchObject({ paused: false })
  expect(acme.exceptions.map(({ code }: { code: string }) => code)).toContain('VERIFY_NONZERO')
  expect(answer.lake.landingSeq).toBeGreaterThan(0)
  expect(answer.temporal.reached).toBe(true)
  const { stdout } = await tieoutHere(['status'], place)
  expect(stdout).toContain(`pack         ${acme.pack.from} to ${acme.pack.to}, published`)
  expect(stdout).toMatch(/^ {2}exceptions {3}\w/m)
  expect((await json(['status', '--max-age', '0'])).code).toBe(1)
})

test('status shows the rest if Temporal can’t be reached, and ends with 6', async () => {
  const { code, answer } = await json(['status'], { TEMPORAL_ADDRESS: '127.0.0.1:1' })
  expect([code, answer.temporal.reached]).toEqual([6, false])
  expect(answer.temporal.why).toBe("Temporal at 127.0.0.1:1 can't be reached")
  expect(answer.accounts[0].pack.to).toBeTypeOf('string')
  expect(answer.accounts[0].schedule).toBeNull()
})

test('nights that are due while everything is down all begin when it is back', async () => {
  const now_ms = Date.now()
  const missed = [12, 13].map((seconds) => new Date(now_ms + seconds * 1000))
  const handle = client().schedule.getHandle('nightly-acme')
  await handle.update(({ policies, action, state }) => ({
    ...{ policies, action, state },
    spec: {
      calendars: missed.map((at) => ({
        ...{ year: at.getUTCFullYear(), dayOfMonth: at.getUTCDate() },
        month: at.toLocaleString('en', { month: 'long', timeZone: 'UTC' }).toUpperCase() as never,
        ...{ hour: at.getUTCHours(), minute: at.getUTCMinutes(), second: at.getUTCSeconds() },
      })),
      timezone: 'UTC',
    },
  }))
  // Nights from before a schedule was changed are not its own, so the change must have reached it.
  const next = async () => (await handle.describe()).info.nextActionTimes[0]?.getTime()
  await vi.waitFor(async () => expect(await next()).toBe(missed[0]?.setMilliseconds(0)), 10_000)
  for (const { pid } of processesIn(place.cwd)) process.kill(pid, 'SIGKILL')
  await new Promise((resolve) => {
    setTimeout(resolve, Math.max(0, now_ms + 14_000 - Date.now()))
  })
  const said = await startTieout(['worker'], place).says('worker ready')
  await connection.close()
  connection = await Connection.connect({
    address: /worker ready: Temporal (\S+),/.exec(said)?.[1] ?? '',
  })
  const ids = missed.map((at) => `nightly-acme-${at.toISOString().slice(0, 19)}Z`)
  const begun: string[] = []
  // The test asks for each until it exists, because they begin one after the other.
  for (const id of ids) begun.push((await resultOnceBegun(id)).window.to)
  expect(begun).toEqual(missed.map((at) => dateIn(ZONE, at.getTime())))
})

async function resultOnceBegun(workflowId: string): Promise<RunResult> {
  for (;;) {
    const known = await client()
      .workflow.getHandle(workflowId)
      .describe()
      .catch(() => undefined)
    if (known !== undefined) return resultOf(workflowId)
    await new Promise((resolve) => {
      setTimeout(resolve, 200)
    })
  }
}
