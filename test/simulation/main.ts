/**
 * Run as `npm run simulate:sweeps -- --seeds 20000`, with `--first N` to begin at seed N, with `--seed 17` to repeat
 * one seed, or with `--json` for all counts. With `--lake-every 40` each fortieth seed lands in a real lake as well.
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
      first: { type: 'string', default: '1' },
      'lake-every': { type: 'string', default: '1000' },
      json: { type: 'boolean', default: false },
    },
  })
  const one = values.seed === undefined ? undefined : Number(values.seed)
  const count = Number(values.seeds ?? 2000)
  const since_ms = performance.now()
  if (one !== undefined && !values.json) console.log(JSON.stringify(scenarioOf(one)))
  const tally = await runSeeds(
    one === undefined
      ? { first: Number(values.first), count, lakeEvery: Number(values['lake-every']) }
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
  console.log(`lists without changes: ${quiet.proven} of ${quiet.seeds} CONTIGUOUS or better`)
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
