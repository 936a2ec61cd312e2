/** Run as `npm run simulate:system -- --seeds 200`, or with `--seed 17` for one seed again, with its steps. */
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { setup } from '../../support/lake-template.ts'
import { useMemoryDisk } from './deployment.ts'
import { FAULTS, replaceFunctions } from './faults.ts'
import { runSeed, type Outcome } from './run-seed.ts'
import { scenarioOf } from './scenario.ts'
import { emptyTally, replay, type Tally } from './tally.ts'

/** Runs the seeds that the arguments name; 1 when one failed. */
export async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string' },
      seeds: { type: 'string', default: '20' },
      first: { type: 'string' },
      list: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  })
  useMemoryDisk()
  await setup()
  replaceFunctions()
  const one = values.seed === undefined ? undefined : Number(values.seed)
  const first = Number(values.first ?? randomInt(1, 1_000_000_000))
  const count = Number(values.seeds)
  const seeds =
    values.list === undefined
      ? Array.from({ length: one === undefined ? count : 1 }, (_, place) => (one ?? first) + place)
      : values.list.split(',').map(Number)
  const tally: Tally = { ...emptyTally(), seeds: seeds.length }
  const note = (event: string) => {
    tally.events[event] = (tally.events[event] ?? 0) + 1
  }
  const since_ms = performance.now()
  for (const seed of seeds) {
    const outcome = await runSeed(seed, note, tally.shares)
    if (outcome.wrong.length > 0) tally.failures.push({ seed, wrong: outcome.wrong })
    if (!values.json) print(outcome, one !== undefined)
  }
  if (values.json) console.log(JSON.stringify(tally))
  else summarize(tally, (performance.now() - since_ms) / 1000)
  return tally.failures.length === 0 ? 0 : 1
}

function print({ seed, log, wrong }: Outcome, isWhole: boolean): void {
  if (isWhole) {
    console.log(JSON.stringify(scenarioOf(seed)))
    for (const line of log) console.log(line)
  }
  console.log(`seed ${seed}: ${wrong.length === 0 ? 'right' : 'wrong'}`)
  for (const what of wrong) console.log(`    ${what}`)
}

function summarize({ seeds, events, shares, failures }: Tally, seconds: number): void {
  const names = new Set([...FAULTS, ...Object.keys(events).sort()])
  for (const name of names)
    console.log(`${name.padEnd(30)} ${String(events[name] ?? 0).padStart(6)}`)
  console.log(`${shares.tied} of ${shares.tying} settlements that tie are TIED`)
  const { user, system } = process.cpuUsage()
  const cpu_s = ((user + system) / 1_000_000).toFixed(0)
  console.log(
    `${seeds} seeds in ${seconds.toFixed(0)} s, ${cpu_s} s of them on a processor, wrong: ${failures.length}`,
  )
  for (const { seed } of failures) console.log(`    ${replay(seed)}`)
}
