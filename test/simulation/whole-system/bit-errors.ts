/**
 * Changes one bit of one file and reconciles again. The reconciliation must be refused with a code, or publish the very
 * books of an undamaged lake. Run as `npm run simulate:bit-errors -- --bits 500`, or with `--seed S` for the same bits.
 */
import { randomInt } from 'node:crypto'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { itemAt, type Random, randomFrom } from '../../../simulator/world/random.ts'
import { packState, type State } from '../../system/kills/state.ts'
import { ACCOUNT, type Deployment } from './deployment.ts'
import { codeOf, real } from './faults.ts'
import { sweepWhole, withPlanted } from './planted.ts'

/** The places of a file, from its first byte to its last. Formats keep different things at each. */
const PLACES = ['the first bytes', 'the head', 'the middle', 'the tail', 'the last bytes'] as const

/** Files of the lake by kind. */
const KINDS: Record<string, RegExp> = {
  'the catalog': /catalog\.sqlite$/,
  'its log': /catalog\.sqlite-wal$/,
  'the hash key': /hash\.key$/,
  'rows of records': /parquet\/seen\/.*\.parquet$/,
  'rows of the journal of work': /parquet\/ops\/.*\.parquet$/,
  'rows of results': /parquet\/result\/.*\.parquet$/,
}

/** Changes that many bits, each on a fresh copy. Returns 1 if one gave other books or an error without a code. */
export async function main(): Promise<number> {
  const { values } = parseArgs({
    options: { bits: { type: 'string', default: '20' }, seed: { type: 'string' } },
  })
  const seed = Number(values.seed ?? randomInt(1, 1_000_000_000))
  return withPlanted(async (place) => {
    for (const list of ['terminals', 'settlements', 'transactions'] as const) {
      await sweepWhole(place.activities, { runId: 'first', list })
    }
    await judge(place, 'first')
    place.copyAsOfNow('before')
    const sound = await judge(place, 'second')
    const tally = await changeMany(place, { count: Number(values.bits), seed, sound })
    for (const what of tally.wrong) console.log(`    ${what}`)
    for (const [kind, outcome] of Object.entries(tally.outcomes)) console.log(`${kind}: ${outcome}`)
    console.log(`seed ${seed}: ${values.bits} bits, wrong: ${tally.wrong.length}`)
    return tally.wrong.length === 0 ? 0 : 1
  })
}

/** Reconciles and publishes; answers with the books. */
async function judge({ activities, simulator, folder }: Deployment, runId: string): Promise<State> {
  const request = { account: ACCOUNT, sweep: false, preparedBy: 'Ben' }
  const run = await activities.prepareRun({ runId, startedAt: simulator.now(), request })
  await activities.reconcile(run)
  await activities.publish(run)
  return packState(join(folder, 'out'))
}

interface Tally {
  wrong: string[]
  /** The numbers of refused bits and of bits without effect, by kind of file. */
  outcomes: Record<string, string>
}

async function changeMany(
  place: Deployment,
  { count, seed, sound }: { count: number; seed: number; sound: State },
): Promise<Tally> {
  const random = randomFrom(seed, 0x666c)
  const wrong: string[] = []
  const counts = new Map<string, { refused: number; without: number }>()
  for (let turn = 0; turn < count; turn += 1) {
    await place.beginFrom('before')
    const kind = itemAt(Object.keys(KINDS), turn % Object.keys(KINDS).length)
    const what = changeBit(place.folder, kind, random)
    if (what === undefined) continue
    const outcome = await judge(place, 'second').catch((error: unknown) => error)
    const found = counts.get(kind) ?? { refused: 0, without: 0 }
    counts.set(kind, found)
    if (!(outcome instanceof Error)) {
      found.without += 1
      if (JSON.stringify(outcome) !== JSON.stringify(sound)) wrong.push(`${what}: other books`)
    } else {
      found.refused += 1
      if (codeOf(outcome) === undefined) wrong.push(`${what}: no code: ${String(outcome)}`)
    }
  }
  const shown = [...counts].map(
    ([kind, { refused, without }]) =>
      [kind, `${refused} refused, ${without} without effect`] as const,
  )
  return { wrong, outcomes: Object.fromEntries(shown) }
}

/** Changes a bit of a file of this kind, and describes it; undefined if the lake has no such file. */
function changeBit(folder: string, kind: string, random: Random): string | undefined {
  const names = real.readdirSync(join(folder, 'lake'), { recursive: true, encoding: 'utf8' })
  const files = names.filter((name) => KINDS[kind]?.test(name)).toSorted()
  if (files.length === 0) return undefined
  const name = random.pick(files)
  const file = join(folder, 'lake', name)
  const bytes = real.readFileSync(file)
  if (bytes.length === 0) return undefined
  const where = random.pick(PLACES)
  const at = Math.min(bytes.length - 1, offsetIn(bytes.length, where, random))
  const bit = random.below(8)
  bytes[at] = (bytes[at] ?? 0) ^ (1 << bit)
  real.writeFileSync(file, bytes)
  return `bit ${bit} of byte ${at} of ${name}, in ${where}`
}

function offsetIn(size: number, where: (typeof PLACES)[number], { below }: Random): number {
  const edge = Math.min(size, 512)
  if (where === 'the first bytes') return below(Math.min(size, 8))
  if (where === 'the head') return below(edge)
  if (where === 'the middle') return below(size)
  if (where === 'the tail') return size - 1 - below(edge)
  return size - 1 - below(Math.min(size, 8))
}
