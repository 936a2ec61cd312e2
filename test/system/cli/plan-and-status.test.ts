import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { newPlace, simulate, startTieout, tieout, type Place } from '../../support/built.ts'
import { tieoutHere } from '../../support/command-here.ts'

const WORLD = ['--seed', '5', '--terminals', '2', '--transactions', '300', '--days', '40']
const RANGE = ['--from', '2026-10-20', '--to', '2026-11-10']

/** A place that leads to a simulated service. */
async function placeOf(...more: string[]): Promise<Place> {
  const place = newPlace()
  Object.assign(place.env, await simulate([...WORLD, ...more], place))
  return place
}

async function answerOf<T>(args: readonly string[], place: Place): Promise<T> {
  const { code, stdout, stderr } = await tieout([...args, '--json'], place)
  expect(code, stderr).toBe(0)
  return JSON.parse(stdout)
}

interface Plan {
  window: { from: string; to: string }
  lists: string[]
  requests: number
  paceOf: string
  seconds: number
}

const dataIn = (place: Place) =>
  readdirSync(join(place.cwd, 'data', 'parquet'), { recursive: true, encoding: 'utf8' }).sort()

test('run --dry-run plans lists, range, requests and time, before and after a first run, and lands nothing', async () => {
  const place = await placeOf()
  const first = await answerOf<Plan>(['run', ...RANGE, '--dry-run'], place)
  expect(first.window).toEqual({ from: '2026-10-20', to: '2026-11-10' })
  expect(first.lists).toEqual(['terminals', 'settlements', 'transactions', 'settlements'])
  expect(first.paceOf).toBe('default')
  expect(first.requests).toBeGreaterThan(3)
  expect(first.seconds).toBeGreaterThan(0)
  expect(existsSync(join(place.cwd, 'data'))).toBe(false)
  expect(existsSync(join(place.cwd, 'out'))).toBe(false)

  await answerOf(['run', ...RANGE], place)
  const before = dataIn(place)
  const { stdout, code } = await tieoutHere(['run', '--dry-run'], place)
  expect(code).toBe(0)
  expect(stdout).toMatch(/^plan of a run for default, /)
  expect(stdout).toMatch(/about \d+ requests\nat [\d.]+ requests a second \(.*\), \d+ s\n/)
  expect(dataIn(place)).toEqual(before)
})

test('status shows a run of another terminal', async () => {
  const place = await placeOf('--latency-ms', '400')
  const run = startTieout(['run', ...RANGE], place)
  interface Status {
    accounts: { running: { workflowId: string; progress: string }[] | null }[]
    temporal: { reached: boolean }
  }
  let seen: Status | undefined
  const over = new AbortController()
  void run.ended.finally(() => over.abort())
  while (seen?.accounts[0]?.running?.length !== 1 && !over.signal.aborted) {
    const { stdout } = await tieoutHere(['status', '--json'], place)
    if (stdout.startsWith('{"accounts"')) seen = JSON.parse(stdout)
    await sleep(50)
  }
  expect(seen?.accounts[0]?.running?.[0]?.workflowId).toBe('run/default/2026-10-20..2026-11-10')
  expect(seen?.temporal.reached).toBe(true)
  const { code, stderr } = await run.ended
  expect(code, stderr).toBe(0)
  const after = await answerOf<Status>(['status'], place)
  expect(after.temporal.reached).toBe(false)
})
