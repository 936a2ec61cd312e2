/**
 * Run as `npm run simulate:sweeps -- --seeds 20000`, or with `--seed 17` for one seed again, or with `--json` for all
 * counts.
 */
import { parseArgs } from 'node:util'
import { scenarioOf } from './simulate.ts'
import { replay, runSeeds, type Tally } from './many-seeds.ts'

const SHOWN = 20

/** Runs the seeds that the arguments name; 1 when one failed. */
export async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string' },
      seeds: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  })
  const one = values.seed === undefined ? undefined : Number(values.seed)
  const count = Number(values.seeds ?? 2000)
  const since_ms = performance.now()
  if (one !== undefined && !values.json) console.log(JSON.stringify(scenarioOf(one)))
  const tally = await runSeeds(
    one === undefined
      ? { first: 1, count, lakeEvery: Math.max(1, Math.min(1000, Math.floor(count / 4))) }
      : { first: one, count: 1, lakeEvery: 1 },
  )
  if (values.json) console.log(JSON.stringify(tally))
  else print(tally, (performance.now() - since_ms) / 1000)
  return tally.failures.length === 0 ? 0 : 1
}

function print(tally: Tally, seconds: number): void {
  for (const [event, times] of Object.entries(tally.events)) {
    console.log(`${event.padEnd(28)} ${String(times).padStart(8)}`)
  }
  const { calm, quiet } = tally
  console.log(`${tally.seeds} seeds, ${tally.requests} requests in ${seconds.toFixed(0)} s`)
  console.log(`quiet lists: ${quiet.proven} of ${quiet.seeds} CONTIGUOUS or better`)
  console.log(`0.02 changes per request: ${calm.proven} of ${calm.seeds} CONTIGUOUS or better`)
  for (const [model, { proven, seeds }] of Object.entries(tally.calmBy)) {
    console.log(`    ${model}: ${proven} of ${seeds}`)
  }
  console.log(`records missed by sweeps that say BEST_EFFORT: ${tally.missed}`)
  console.log(`wrong: ${tally.failures.length}`)
  for (const { seed, wrong } of tally.failures.slice(0, SHOWN)) {
    console.log(`${wrong}\n    ${replay(seed)}`)
  }
}
