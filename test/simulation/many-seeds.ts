/** Runs many seeds, one after the other, and sums up their results. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import { land } from '../../lake/landing/land.ts'
import { sweepPosition } from '../../lake/landing/sweep-position.ts'
import { openLake } from '../../lake/connection/open.ts'
import { type Lake } from '../../lake/connection/lake.ts'
import { lakeSettingsIn } from '../support/lake-template.ts'
import { SERVICE_FAULTS } from './faulty-service.ts'
import type { Lander } from './landing-model.ts'
import { MODELS } from './moving-list.ts'
import { ACTIVITY_FAULTS, scenarioOf, simulate, type Outcome } from './simulate.ts'

/** All that has to happen now and then, or the simulation proves less than it seems to. */
export const EVENTS = [
  ...SERVICE_FAULTS,
  ...ACTIVITY_FAULTS,
  'list-insert',
  'list-late',
  'list-delete',
  'list-update',
  'list-reorder',
  'path-moved',
  'path-collected-again',
  'path-resumed',
  'path-overtaken',
  'path-began-further-on',
  'path-shifted',
  'path-outrun',
  'path-sought-start',
  'path-sought-falling',
  'path-sought-all-needed',
  'path-sought-no-order',
  'path-sought-misled',
  'path-ended-early',
  'path-landed-in-the-lake',
  'certificate-SNAPSHOT',
  'certificate-CONTIGUOUS',
  'certificate-BEST_EFFORT',
] as const

interface Proven {
  seeds: number
  proven: number
}

export interface Tally {
  seeds: number
  requests: number
  /** The number of times that each thing happened. */
  events: Record<string, number>
  /** Seeds at 0.02 changes per request, and how many of them ended CONTIGUOUS or better. */
  calm: Proven
  /** The same by the order of the list. */
  calmBy: Record<string, Proven>
  quiet: Proven
  /** Records that a sweep missed and owned up to by BEST_EFFORT. */
  missed: number
  failures: { seed: number; wrong: string }[]
}

export interface Seeds {
  first: number
  count: number
  /** Every so many seeds land in a real lake, too; 0 for none. */
  lakeEvery: number
}

/** Runs the seeds. Failures are collected, with the command that repeats each. */
export async function runSeeds({ first, count, lakeEvery }: Seeds): Promise<Tally> {
  const tally: Tally = {
    seeds: count,
    requests: 0,
    events: Object.fromEntries(EVENTS.map((event) => [event, 0])),
    calm: { seeds: 0, proven: 0 },
    calmBy: Object.fromEntries(MODELS.map((model) => [model, { seeds: 0, proven: 0 }])),
    quiet: { seeds: 0, proven: 0 },
    missed: 0,
    failures: [],
  }
  const note = (event: string) => {
    tally.events[event] = (tally.events[event] ?? 0) + 1
  }
  const folder = mkdtempSync(join(tmpdir(), 'tieout-sweeps-'))
  const lake = lakeEvery > 0 ? await openLake(lakeSettingsIn(folder)) : undefined
  try {
    for (let seed = first; seed < first + count; seed += 1) {
      const real = lake !== undefined && seed % lakeEvery === 0
      const beside = real ? await lakeLander(lake, seed) : undefined
      if (real) note('path-landed-in-the-lake')
      add(tally, await tried(seed, note, beside))
      beside?.close()
    }
  } finally {
    lake?.close()
    rmSync(folder, { recursive: true, force: true })
  }
  return tally
}

type Tried = Outcome | { seed: number; wrong: string[] }

async function tried(
  seed: number,
  note: (event: string) => void,
  beside: Lander | undefined,
): Promise<Tried> {
  try {
    return await simulate(scenarioOf(seed), note, beside)
  } catch (error) {
    return { seed, wrong: [String(error)] }
  }
}

function add(tally: Tally, outcome: Tried): void {
  tally.failures.push(...outcome.wrong.map((wrong) => ({ seed: outcome.seed, wrong })))
  if (!('certificate' in outcome)) return
  tally.requests += outcome.requests
  tally.missed += outcome.missed
  const ofModel = tally.calmBy[outcome.model]
  const groups = { 0: [tally.quiet], 0.02: [tally.calm, ofModel] }[outcome.changesPerRequest] ?? []
  for (const group of groups) {
    if (group === undefined) continue
    group.seeds += 1
    if (outcome.certificate !== 'BEST_EFFORT') group.proven += 1
  }
}

/** The real lake as the simulation lands in it: one lake for all seeds, an account for each. */
async function lakeLander(lake: Lake, seed: number): Promise<Lander & { close: () => void }> {
  const connection: DuckDBConnection = await lake.connect()
  const named = (sweepId: string) => `${seed}/${sweepId}`
  return {
    land: (landing) =>
      land(lake, connection, {
        ...landing,
        account: `seed ${seed}`,
        sweepId: named(landing.sweepId),
      }),
    position: (sweepId) => sweepPosition(connection, named(sweepId)),
    close: () => connection.closeSync(),
  }
}

/** The command that runs one seed again. */
export const replay = (seed: number): string => `npm run simulate:sweeps -- --seed ${seed}`
