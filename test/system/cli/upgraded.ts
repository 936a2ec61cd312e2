/** An upgrade of a lake and the way back, by commands of two programs, of which one has a file of the schema more. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { readMigrations } from '../../../lake/connection/migrate.ts'
import type { RunResult } from '../../../domain/run.ts'
import { newPlace, simulate, tieout, type Place } from '../../support/built.ts'
import { tieoutHere } from '../../support/command-here.ts'

const NOW = '2026-10-30T04:15:00Z'
const WORLD = ['--terminals', '2', '--transactions', '300', '--from', '2026-09-20', '--days', '45']
const RANGE = ['--from', '2026-10-01', '--to', '2026-10-30', '--as-of', NOW]
const FILES = ['settlements.csv', 'attributions.csv', 'exceptions.csv', 'accounting/journal.csv']
/** The version of the schema that the older program has. */
export const OWN = readMigrations().length

/** Starts the service whose records the lakes hold. */
export const startService = () => simulate([...WORLD, '--now', NOW], newPlace())

/** Commands that start a server. */
const NEEDS_PROCESS = /^(run|reconcile|worker|maintain --backup)\b/

/** Runs a command of the place's program to its end. */
const ran = (args: readonly string[], place: Place) =>
  place.program === undefined && !NEEDS_PROCESS.test(args.join(' '))
    ? tieoutHere(args, place)
    : tieout(args, place)

export async function json<T>(place: Place, ...args: string[]): Promise<T> {
  const { code, stdout, stderr } = await ran([...args, '--json'], place)
  expect(code, `${args.join(' ')}: ${stderr}`).toBe(0)
  return JSON.parse(stdout) as T
}

const night = (place: Place) => json<RunResult>(place, 'run', ...RANGE)
const reconciled = (place: Place) => json<RunResult>(place, 'reconcile', ...RANGE)

const numbersIn = ({ pack, headline }: RunResult) => [
  headline,
  ...FILES.map((name) => readFileSync(join(pack, name), 'utf8')),
]

export async function refused(place: Place, exit: number, code: string, ...args: string[]) {
  const { code: exited, stderr } = await ran(args, place)
  expect([exited, stderr]).toEqual([exit, expect.stringContaining(`error ${code}: `)])
  return stderr
}

/** An upgrade and the way back; the place's own program is the older one. */
export async function upgradedAndBack(place: Place, program: string): Promise<RunResult> {
  const next = { ...place, program }
  const first = await night(place)
  const { manifestSha256 } = await json<{ manifestSha256: string }>(place, 'verify', first.pack)
  for (const command of [
    ['reconcile', ...RANGE],
    ['query', 'select 1'],
    ['periods', 'list'],
  ]) {
    expect(await refused(next, 6, 'lake_outdated', ...command)).toContain('tieout upgrade')
  }
  await refused(next, 6, 'lake_outdated', 'worker')
  expect(await json(next, 'upgrade')).toMatchObject({ from: OWN, to: OWN + 1 })
  expect((await tieout(['upgrade'], next)).stdout).toMatch(/; nothing to do$/m)
  expect(await refused(place, 6, 'lake_unreachable', 'reconcile', ...RANGE)).toContain(
    `schema version ${OWN + 1}`,
  )
  const upgraded = await reconciled(next)
  expect(numbersIn(upgraded)).toEqual(numbersIn(first))
  expect(await json(next, 'verify', first.pack)).toMatchObject({ manifestSha256 })
  expect(await refused(next, 5, 'rollback_refused', 'rollback')).toContain('1 run, 1 pack')
  expect(await json(next, 'rollback', '--discard-newer')).toMatchObject({
    ...{ from: OWN + 1, to: OWN },
    discarded: {
      landings: 0,
      sweeps: 0,
      runs: 1,
      packs: 1,
      acts: 0,
      approvals: 0,
      erasures: 0,
      backfillEvents: 0,
    },
  })
  await refused(next, 6, 'lake_outdated', 'reconcile', ...RANGE)
  await json(place, 'prove', first.pack)
  expect(numbersIn(await reconciled(place))).toEqual(numbersIn(first))
  return first
}

/** The lake of another place has what the backup has: the pack can be proved, and is made again. */
export async function expectSame(place: Place, first: RunResult): Promise<void> {
  await json(place, 'verify', first.pack)
  await json(place, 'prove', first.pack)
  expect(numbersIn(await reconciled(place))).toEqual(numbersIn(first))
}
