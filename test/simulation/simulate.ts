/**
 * Runs the whole path of a sweep, from pages to landed versions, as a function of a seed. State machine, look-ahead
 * and patience are real; the clock is virtual and there are no sockets. Landing is the model of landing-model.ts. For
 * a sample of seeds the real lake runs beside it, and both must agree.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { sweep, type SweepBatch, type SweepState } from '../../api/sweep/sweep.ts'
import type { Part, Start } from '../../api/sweep/sweep-state.ts'
import type { Certificate } from '../../domain/run.ts'
import type { Landing, SweepEnd } from '../../lake/landing/landing.ts'
import { randomFrom, type Random } from '../../simulator/world/random.ts'
import { FaultyService, SERVICE_FAULTS, type ServiceFault } from './faulty-service.ts'
import { LandingModel, type Lander } from './landing-model.ts'
import { MODELS, MovingList, type Model } from './moving-list.ts'
import { VirtualClock } from './virtual-clock.ts'
import { judge, type Judgement } from './judge.ts'
import { SweptRows } from '../support/swept-rows.ts'

export const ACTIVITY_FAULTS = [
  'crash',
  'segment-ends',
  'acknowledgement-lost',
  'second-attempt',
] as const
type ActivityFault = (typeof ACTIVITY_FAULTS)[number]

export interface Scenario {
  seed: number
  model: Model
  size: number
  pageSize: number
  changesPerRequest: number
  faults: (ServiceFault | ActivityFault)[]
}

export interface Outcome extends Scenario {
  certificate: Certificate
  requests: number
  pages: number
  /** The faults of a run, as sentences; empty for a good run. */
  wrong: string[]
  /** Records alive all the while that a BEST_EFFORT sweep missed. */
  missed: number
}

export type Count = (event: string) => void

/** Everything about a run but its course follows from the seed. */
export function scenarioOf(seed: number): Scenario {
  const random = randomFrom(seed, 1)
  const pageSize = 8 + random.below(33)
  const size = random.pick([
    random.below(30),
    20 + random.below(110),
    20 + random.below(180),
    pageSize * (1 + random.below(4)),
  ])
  const all = [...SERVICE_FAULTS, ...ACTIVITY_FAULTS]
  const share = random.pick([0, 0.15, 0.4])
  return {
    seed,
    model: random.pick(MODELS),
    size,
    pageSize,
    changesPerRequest: random.pick([0, 0.02, 0.02, 0.1, 0.43]),
    faults: all.filter(() => random.unit() < share),
  }
}

/** Runs one seed. With `beside`, every landing goes there too and has to have the same outcome. */
export async function simulate(
  scenario: Scenario,
  count: Count,
  beside?: Lander,
): Promise<Outcome> {
  const random = randomFrom(scenario.seed, 2)
  const clock = new VirtualClock(random)
  const { model, size, faults } = scenario
  const list = new MovingList({
    model,
    size,
    random,
    unreadableShare: random.unit() < 0.2 ? 0.006 : 0,
  })
  const service = new FaultyService({
    ...scenario,
    list,
    clock,
    random,
    faults: new Set(SERVICE_FAULTS.filter((fault) => faults.includes(fault))),
    count,
  })
  const scene: Scene = {
    scenario,
    random,
    clock,
    list,
    service,
    landing: new LandingModel(),
    beside,
    count,
    pages: [],
  }
  const from = list.change
  const part = firstPart(scene)
  const first = await clock.run(activity(scene, 'first', part))
  const judgement = judge(list, scene.landing, { from, until: list.change, state: first })
  notePaths(first, count)
  const wrong = [...judgement.wrong, ...tooLate(first, part)]
  // A night later, with nothing moving, what the lake says is what the list says.
  if (random.unit() < 0.3) {
    service.isQuiet = true
    wrong.push(...(await secondNight(scene, first)))
  }
  return {
    ...scenario,
    certificate: first.certificate ?? 'BEST_EFFORT',
    requests: first.requests,
    pages: first.pages,
    wrong: [...wrong, ...quietly(scenario, first, judgement)],
    missed: judgement.missed,
  }
}

interface Scene {
  scenario: Scenario
  random: Random
  clock: VirtualClock
  list: MovingList
  service: FaultyService
  landing: LandingModel
  beside: Lander | undefined
  count: Count
  pages: { offset: number; firstId: string | null }[]
}

/** A third of the first sweeps need what is newer than some record of the list, and have to find out where that begins. */
function firstPart({ scenario, list }: Scene): Part {
  const random = randomFrom(scenario.seed, 3)
  return random.unit() < 0.34 ? { since: list.someInstant(random) } : {}
}

/** The sweep covers everything that was requested. */
function tooLate({ coversFrom }: SweepState, { since }: Part): string[] {
  if (coversFrom === null || (since !== undefined && coversFrom <= since)) return []
  return [`the sweep covers what is newer than ${coversFrom}, and ${since} was asked for`]
}

/** Every sweep of a list without changes proves that it is whole, whatever else fails. */
function quietly(scenario: Scenario, state: SweepState, { missed }: Judgement): string[] {
  if (scenario.changesPerRequest > 0) return []
  const isProven = state.certificate !== 'BEST_EFFORT'
  return [
    ...(isProven ? [] : ['BEST_EFFORT in a quiet list']),
    ...(missed === 0 ? [] : ['records of a quiet list are missed']),
  ]
}

function notePaths(state: SweepState, count: Count): void {
  count(`certificate-${state.certificate}`)
  if (state.collect.number > 1) count('path-collected-again')
  if (state.rewinds > 0) count('path-moved')
  if ((state.shifted ?? 0) > 0) count('path-shifted')
  if ((state.outrun ?? 0) > 0) count('path-outrun')
  if (state.sought === undefined) return
  count(`path-sought-${state.sought}`)
  if (state.sought === 'falling' && state.coversFrom !== null) count('path-ended-early')
}

async function secondNight(scene: Scene, first: SweepState): Promise<string[]> {
  const { list, landing, random, count, clock } = scene
  const start = random.unit() < 0.5 ? startAt(scene, first) : undefined
  const from = list.change
  if (start !== undefined) count('path-began-further-on')
  const second = await clock.run(activity(scene, 'second', { start }))
  const { wrong } = judge(list, landing, { from, until: list.change, state: second })
  if (second.certificate === 'BEST_EFFORT')
    wrong.push('BEST_EFFORT in a list that was quiet for a night')
  // Only a whole sweep meets what changed above its beginning.
  if (second.coversFrom === null) {
    for (const item of list.shown()) {
      const known = landing.newest.get(String(item.id))?.content ?? ''
      if (!item.isUnreadable && !known.includes(`"${item.version}00"`)) {
        wrong.push(`after a quiet night record ${item.id} is not at version ${item.version}`)
      }
    }
  }
  return wrong.map((text) => `second night: ${text}`)
}

/** A page of the first sweep, where a list is sorted so that the next sweep may begin there. */
function startAt({ list, pages, random }: Scene, first: SweepState): Start | undefined {
  const isRising = first.orders.created.rises && !first.orders.created.falls
  const usable = pages.filter(({ offset, firstId }) => offset > 0 && firstId !== null)
  if (!isRising || list.list !== 'settlements' || usable.length === 0) return undefined
  const { offset, firstId } = random.pick(usable)
  const coversFrom = list.lives.get(Number(firstId))?.created
  return coversFrom === undefined ? undefined : { offset, firstId: firstId ?? '', coversFrom }
}

/** The activity that sweeps a list, tried until the sweep is done, as a workflow would. */
async function activity(scene: Scene, sweepId: string, part: Part): Promise<SweepState> {
  const { scenario, random, count, clock } = scene
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const tries = [segment(scene, sweepId, part)]
    // A worker that was given up is still alive: two attempts at the same sweep.
    if (scenario.faults.includes('second-attempt') && random.unit() < 0.3) {
      count('second-attempt')
      await clock.sleep(random.below(300))
      tries.push(segment(scene, sweepId, part))
    }
    await Promise.all(tries)
    const reached = await scene.landing.position(sweepId)
    const state = reached === undefined ? undefined : stored(reached.state)
    if (state?.done === true) return state
  }
  throw new Error('the sweep does not end')
}

const stored = (text: string): SweepState => JSON.parse(text)

async function segment(scene: Scene, sweepId: string, part: Part): Promise<void> {
  const { scenario, random, count, landing, service, clock } = scene
  const has = (fault: ActivityFault, chance: number) =>
    scenario.faults.includes(fault) && random.unit() < chance
  const before = await landing.position(sweepId)
  const from = before === undefined ? undefined : stored(before.state)
  if (from?.done === true) return
  if (from !== undefined) count('path-resumed')
  let batch = before === undefined ? 0 : before.batch + 1
  const stop = new AbortController()
  const batchRecords = 30 + random.below(60)
  const batches = sweep(service.source(), scene.list.list, {
    newRows: () => new SweptRows(),
    from,
    part,
    isEnough: (records) => records >= batchRecords,
    signal: stop.signal,
    isDue: () => {
      const isDue = has('segment-ends', 0.05)
      if (isDue) count('segment-ends')
      return isDue
    },
    // A page takes a while to be read, in which others come.
    giveWay: () => clock.sleep(random.below(20), stop.signal),
    onPage: () => {
      if (!has('crash', 0.04)) return
      count('crash')
      throw new Crash()
    },
  })
  try {
    let reading = batches.next()
    for (;;) {
      const { value: read, done } = await reading
      if (done === true) return
      reading = batches.next()
      reading.catch(() => {})
      if (!(await landed(scene, { sweepId, batch, read }))) {
        count('path-overtaken')
        return
      }
      batch += 1
      if (has('acknowledgement-lost', 0.1)) {
        count('acknowledgement-lost')
        return
      }
    }
  } catch (error) {
    if (!(error instanceof Crash)) throw error
  } finally {
    stop.abort(new Crash())
    await batches.return(undefined).catch(() => {})
    await nextTurn()
  }
}

class Crash extends Error {}

function endOf(state: SweepState): SweepEnd {
  const { coversFrom, startedAt, pages, records, quarantined, rewinds, requests } = state
  return {
    startedSeq: '0',
    ...{ coversFrom, startedAt, pages, records, quarantined, rewinds, requests },
    endedAt: state.endedAt ?? startedAt,
    throttled: state.throttled,
    certificate: state.certificate ?? 'BEST_EFFORT',
    bodiesSha256: state.bodiesSha256,
  }
}

async function landed(
  { landing, beside, clock, pages, random, list }: Scene,
  { sweepId, batch, read }: { sweepId: string; batch: number; read: SweepBatch<SweptRows> },
): Promise<boolean> {
  // Landing takes its time, in which pages go on coming.
  await clock.sleep(random.below(100))
  const batchLanding: Landing = {
    account: 'acme',
    runId: sweepId,
    sweepId,
    list: list.list,
    batch,
    rows: read.rows,
    rejects: read.rejects,
    pages: read.pages,
    state: read.state,
    observedAt: read.observedAt,
    ...(read.state.done ? { end: endOf(read.state) } : {}),
  }
  const outcome = await landing.land(batchLanding)
  if (beside !== undefined) {
    const other = await clock.holding(() => beside.land(batchLanding))
    if (JSON.stringify(other) !== JSON.stringify(outcome)) {
      throw new Error(
        `the lake landed ${JSON.stringify(other)}, the model ${JSON.stringify(outcome)}`,
      )
    }
  }
  if (outcome.landed) pages.push(...read.pages)
  return outcome.landed
}
