/** Delivers activities as Temporal does: at least once, again after a fault, and to a new process after a kill. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import type { Random } from '../../../simulator/world/random.ts'
import type { Deployment } from './deployment.ts'
import type { Appointed } from './scenario.ts'
import {
  clock,
  codeOf,
  ERRNOS,
  type Fault,
  FAULTS,
  type FaultKind,
  Killed,
  real,
  within,
} from './faults.ts'

export type Count = (event: string) => void

/** Activities, with the operations of a usual one. */
const OPERATIONS = {
  sweepList: 60,
  reconcile: 330,
  publish: 330,
  actOnBooks: 40,
  backUp: 150,
  compact: 450,
  erase: 80,
} as const
export type ActivityName = keyof typeof OPERATIONS

/** A person or a workflow gets this answer for good. */
export class Refused extends Error {
  readonly code: string
  constructor(code: string) {
    super(code)
    this.code = code
  }
}

/** Codes of refusals that mean "not now": another attempt may be at work. */
const OF_A_RACE = ['lake_locked']

const MOST_ATTEMPTS = 4

type Work<T> = (activities: Deployment['activities']) => Promise<T>

export class Delivery {
  readonly wrong: string[] = []
  readonly log: string[] = []
  readonly #place: Deployment
  readonly #random: Random
  readonly #count: Count
  readonly #hasSmallDisk: boolean
  #appointed: Appointed | undefined
  /** Compaction ended in the middle: the next work waits until its process must be dead. */
  #isHalfMaintained = false
  /** The share of activities that meet a fault. */
  share: number

  constructor(
    place: Deployment,
    about: {
      random: Random
      count: Count
      share: number
      hasSmallDisk: boolean
      appointed: Appointed
    },
  ) {
    this.#place = place
    this.#random = about.random
    this.#count = about.count
    this.share = about.share
    this.#hasSmallDisk = about.hasSmallDisk
    this.#appointed = about.appointed
  }

  /** Delivers one activity until it answers. Throws Refused. */
  async deliver<T>(name: ActivityName, work: Work<T>): Promise<T> {
    const [answer] = await this.together(name, [work])
    return valueOf(answer)
  }

  /** Delivers several at once, for example two decisions of two people. Each answers or is refused. */
  async together<T>(
    name: ActivityName,
    works: readonly Work<T>[],
  ): Promise<PromiseSettledResult<T>[]> {
    let fault = this.#draw(name)
    for (let attempt = 1; ; attempt += 1) {
      const { outcomes, died, happened } = await this.#attempt(name, works, fault)
      if (happened && fault !== undefined) {
        this.#count(fault.kind)
        if (died) this.#count(`killed-in-${name}`)
      }
      this.#note(name, { fault, happened, attempt }, outcomes)
      const isFinal = !died && outcomes.every((outcome) => isAnswer(outcome, fault))
      if (isFinal) return this.#answers(outcomes, works.length)
      if (!died) this.#judgeErrors(name, outcomes, fault)
      if (attempt === MOST_ATTEMPTS)
        throw new Error(`${name} fails again and again: ${this.log.at(-1)}`)
      this.#count('attempted-again')
      fault = undefined
    }
  }

  /** The answers, one for each work. Two deliveries of the same work may not both be refused, nor answer differently. */
  #answers<T>(
    outcomes: readonly PromiseSettledResult<T>[],
    works: number,
  ): PromiseSettledResult<T>[] {
    return Array.from({ length: works }, (_, place) => {
      const same = outcomes.filter((_, index) => index % works === place)
      const done = same.filter((outcome) => outcome.status === 'fulfilled')
      if (done.length > 0 && done.length < same.length) this.#count('a-duplicate-was-refused')
      const [first] = done.length > 0 ? done : same
      if (first === undefined) throw new Error('every work has an outcome')
      return answered(first)
    })
  }

  #draw(name: ActivityName): Fault | undefined {
    const { unit, below, pick } = this.#random
    // Always as many draws, whatever comes of them.
    const [isHit, drawn, at, errno] = [unit(), pick(FAULTS), below(OPERATIONS[name]), pick(ERRNOS)]
    const free_bytes = below(1_500_000)
    const isAppointed = this.#appointed?.activity === name
    const kind = isAppointed ? (this.#appointed?.kind ?? drawn) : drawn
    if (isAppointed) this.#appointed = undefined
    else if (isHit >= this.share) return undefined
    // The appointed one comes early enough to happen.
    if (kind !== 'disk-full') return { kind, at: 1 + Math.floor(isAppointed ? at / 2 : at), errno }
    return this.#hasSmallDisk ? { kind, at: free_bytes, errno } : undefined
  }

  async #attempt<T>(name: ActivityName, works: readonly Work<T>[], fault: Fault | undefined) {
    const place = this.#place
    const { activities } = place
    const once = works.map((work) => () => work(activities))
    const inside = fault !== undefined && DELIVERIES.includes(fault.kind) ? undefined : fault
    const about = { folder: place.folder, fault: inside, onDeath: () => place.copyAsOfNow() }
    const run = (work: typeof once) => within(about, work)
    if (fault?.kind === 'delivered-twice-at-once') {
      return { ...(await run([...once, ...once])), happened: true }
    }
    if (fault?.kind === 'delivered-twice-in-turn') {
      const first = await run(once)
      const second = await run(once)
      return { ...first, outcomes: [...first.outcomes, ...second.outcomes], happened: true }
    }
    if (fault?.kind === 'disk-full') return this.#onFullDisk(fault.at, () => run(once))
    const time = this.#isHalfMaintained ? passTime() : undefined
    const lived = await run(once)
    time?.stop()
    this.#isHalfMaintained =
      name === 'compact' && lived.outcomes.some(({ status }) => status === 'rejected')
    if (lived.died) await place.beginAgain()
    return lived
  }

  async #onFullDisk<T>(free_bytes: number, work: () => Promise<T>) {
    const filler = join(this.#place.folder, 'filler')
    const { bavail, bsize } = real.statfsSync(this.#place.folder)
    const size = bavail * bsize - free_bytes
    if (size > 0) execFileSync('fallocate', ['-l', String(size), filler], { stdio: 'ignore' })
    try {
      return { ...(await work()), happened: true }
    } finally {
      real.rmSync(filler, { force: true })
    }
  }

  /** Every error of a living process has a code that a person can look up. */
  #judgeErrors<T>(
    name: ActivityName,
    outcomes: readonly PromiseSettledResult<T>[],
    fault: Fault | undefined,
  ): void {
    for (const outcome of outcomes) {
      if (outcome.status === 'fulfilled' || codeOf(outcome.reason) !== undefined) continue
      this.wrong.push(
        `${name} with ${fault?.kind} (${fault?.errno}) ends with ${String(outcome.reason)}`,
      )
    }
  }

  #note<T>(
    name: ActivityName,
    { fault, happened, attempt }: { fault: Fault | undefined; happened: boolean; attempt: number },
    outcomes: readonly PromiseSettledResult<T>[],
  ): void {
    const words = outcomes.map((outcome) =>
      outcome.status === 'fulfilled' ? 'done' : wordsOf(outcome.reason),
    )
    const what =
      happened && fault !== undefined ? ` [${fault.kind} at ${fault.at} ${fault.errno}]` : ''
    this.log.push(`${name}${attempt > 1 ? ', again' : ''}${what}: ${words.join('; ')}`)
  }
}

const DELIVERIES: readonly FaultKind[] = [
  'delivered-twice-at-once',
  'delivered-twice-in-turn',
  'disk-full',
]

/** An answer, or a refusal that no fault caused. */
function isAnswer(outcome: PromiseSettledResult<unknown>, fault: Fault | undefined): boolean {
  if (outcome.status === 'fulfilled') return true
  const code = codeOf(outcome.reason)
  if (code === undefined || OF_A_RACE.includes(code)) return false
  return fault === undefined || !FAILING.includes(fault.kind)
}

const FAILING: readonly FaultKind[] = [
  'file-operation-failed',
  'statement-failed',
  'commit-lost-a-race',
  'disk-full',
]

function answered<T>(outcome: PromiseSettledResult<T>): PromiseSettledResult<T> {
  if (outcome.status === 'fulfilled') return outcome
  return { status: 'rejected', reason: new Refused(codeOf(outcome.reason) ?? '') }
}

export function valueOf<T>(outcome: PromiseSettledResult<T> | undefined): T {
  if (outcome === undefined) throw new Error('an activity has an outcome')
  if (outcome.status === 'fulfilled') return outcome.value
  throw outcome.reason
}

const wordsOf = (reason: unknown): string =>
  reason instanceof Killed
    ? 'killed'
    : `${codeOf(reason) ?? 'NO CODE'} ${String(reason).slice(0, 300)}`

/** A minute passes at once, in which the product waits for a process that was killed. */
export function passTime(): { stop: () => void } {
  const timer = real.setTimeout(() => {
    clock.ahead_ms = 61_000
  }, 300)
  return {
    stop: () => {
      clearTimeout(timer)
      clock.ahead_ms = 0
    },
  }
}
