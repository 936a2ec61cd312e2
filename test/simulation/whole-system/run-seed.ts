/** Runs one seed: nights with faults, decisions and maintenance between them, and a last night without any fault. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import type { BooksAct, BooksActed } from '../../../domain/books.ts'
import type { List, Run, SweepRequest, SweepResult } from '../../../domain/run.ts'
import { lakeCounters } from '../../../lake/connection/with-retries.ts'
import { atOneInstant } from '../../../lake/connection/transact.ts'
import { randomFrom, type Random } from '../../../simulator/world/random.ts'
import { secondsOf } from '../../../simulator/world/time.ts'
import { drawAct, type Published } from './draw-act.ts'
import { ACCOUNT, deploy, type Deployment } from './deployment.ts'
import { type ActivityName, type Count, Delivery, Refused, valueOf } from './delivery.ts'
import { real } from './faults.ts'
import { Books } from './judge-books.ts'
import { ageLeftovers, leftoversIn, Packs } from './judge-packs.ts'
import { judgeRecords, type Looks } from './judge-records.ts'
import { judgeRestored } from './judge-restored.ts'
import { judgeVerdicts, type Shares } from './judge-verdicts.ts'
import { rowsIn } from './rows.ts'
import { scenarioOf, type Chore, type Scenario } from './scenario.ts'

export interface Outcome {
  seed: number
  wrong: string[]
  log: string[]
}

/** Runs a seed to its end, and adds what happened to `count` and `shares`. */
export async function runSeed(seed: number, count: Count, shares: Shares): Promise<Outcome> {
  const scenario = scenarioOf(seed)
  let isMounted = false
  const place = await deploy(scenario.world, scenario.nights[0] ?? '', (folder) => {
    isMounted = scenario.hasSmallDisk && mounted(folder)
  })
  if (scenario.hasSmallDisk && !isMounted) count('no-small-disk')
  const course = new Course(scenario, place, { count, shares, hasSmallDisk: isMounted })
  try {
    await course.run()
    return { seed, wrong: course.wrong, log: course.log }
  } catch (error) {
    const stack = error instanceof Error ? String(error.stack) : String(error)
    return { seed, wrong: [...course.wrong, stack], log: course.log }
  } finally {
    await place.close()
    await place.simulator.stop()
    if (isMounted) execFileSync('umount', ['-l', place.folder])
    real.rmSync(place.folder, { recursive: true, force: true })
  }
}

/** A small disk of its own, where the machine permits one. */
function mounted(folder: string): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=96m', 'none', folder], { stdio: 'pipe' })
    return true
  } catch {
    return false
  }
}

interface About {
  count: Count
  shares: Shares
  hasSmallDisk: boolean
}

class Course {
  readonly #scenario: Scenario
  readonly #place: Deployment
  readonly #about: About
  readonly #random: Random
  readonly #delivery: Delivery
  readonly #books = new Books()
  readonly #packs: Packs
  readonly #published: Published[] = []
  /** The instants at which each list was read, and those at which a night had read all. */
  readonly #looks: Looks = { terminals: [], settlements: [], transactions: [] }
  readonly #seen: string[] = []
  #orders = 0

  constructor(scenario: Scenario, place: Deployment, about: About) {
    this.#scenario = scenario
    this.#place = place
    this.#about = about
    this.#random = randomFrom(scenario.seed, 72)
    this.#packs = new Packs(place.settings.out)
    const { appointed, faultShare: share } = scenario
    this.#delivery = new Delivery(place, { ...about, appointed, random: this.#random, share })
  }

  get wrong(): string[] {
    return this.#delivery.wrong
  }

  get log(): string[] {
    return this.#delivery.log
  }

  async run(): Promise<void> {
    const { nights, chores } = this.#scenario
    const before = lakeCounters.retries
    for (const [place, night] of nights.slice(0, -1).entries()) {
      await this.#night(`n${place + 1}`, night)
      await this.#inspect({ isNight: true })
      for (const chore of chores[place] ?? []) {
        await this.#chore(chore)
        await this.#inspect({ isNight: false })
      }
    }
    if (lakeCounters.retries > before) this.#about.count('a-transaction-began-again')
    await this.#lastNight(nights.at(-1) ?? '')
  }

  /** Reads all lists as the workflow does, then reconciles and publishes. */
  async #night(runId: string, at: string, place = this.#place): Promise<Run> {
    const { simulator } = this.#place
    simulator.advanceTo(at)
    const start = { runId, startedAt: simulator.now() }
    const request = { account: ACCOUNT, sweep: true, preparedBy: 'Ben' }
    const run = await place.activities.prepareRun({ ...start, request })
    let last: SweepResult | undefined
    for (const [list, pass] of READINGS) {
      this.#maybeLater(runId)
      last = await this.#sweep(runId, list, pass, place)
    }
    if ((last?.newVersions ?? 0) > 0) await this.#sweep(runId, 'transactions', 2, place)
    this.#seen.push(simulator.now())
    if (!this.#books.closedBefore.has(runId)) {
      this.#books.closedBefore.set(runId, new Set(this.#books.closed()))
    }
    await this.#deliver('reconcile', place, ({ reconcile }) => reconcile(run))
    const { pack } = await this.#besideDecision('publish', place, ({ publish }) => publish(run))
    if (place === this.#place) this.#published.push({ runId, pack })
    return run
  }

  /** Without faults at a second installation. */
  #deliver<T>(
    name: ActivityName,
    place: Deployment,
    work: (activities: Deployment['activities']) => Promise<T>,
  ): Promise<T> {
    return place === this.#place ? this.#delivery.deliver(name, work) : work(place.activities)
  }

  /** Sometimes another run reads the same list at the same time. */
  async #besideRun(request: SweepRequest, place: Deployment): Promise<SweepResult> {
    const work = ({ sweepList }: Deployment['activities']) => sweepList(request)
    if (this.#isAlone(place, 0.1)) return this.#deliver('sweepList', place, work)
    this.#about.count('two-runs-at-once')
    const other = { ...request, runId: `beside-${request.runId}` }
    const [mine] = await this.#delivery.together('sweepList', [
      work,
      ({ sweepList }) => sweepList(other),
    ])
    return valueOf(mine)
  }

  /** Sometimes a person decides at the same time, as soon as there is a pack to decide about. */
  async #besideDecision<T extends object>(
    name: ActivityName,
    place: Deployment,
    work: (activities: Deployment['activities']) => Promise<T>,
  ): Promise<T> {
    const isAlone = this.#isAlone(place, 0.6) || this.#published.length === 0
    if (isAlone) return this.#deliver(name, place, work)
    const act = await this.#drawAct()
    this.#about.count('a-decision-beside-other-work')
    const [done, answer] = await this.#delivery.together<BooksActed | T>(name, [
      work,
      ({ actOnBooks }) => actOnBooks(act),
    ])
    await this.#answered(act, answer as PromiseSettledResult<BooksActed>)
    return valueOf(done as PromiseSettledResult<T>)
  }

  /** Nothing happens beside the work of a second installation, nor in the last night. */
  #isAlone(place: Deployment, share: number): boolean {
    const isDrawn = this.#random.unit() < share
    return !isDrawn || place !== this.#place || this.#delivery.share === 0
  }

  async #drawAct(): Promise<BooksAct> {
    const act = await drawAct(this.#random, this.#place, this.#published)
    const order = { ...act, orderId: this.#newOrder() }
    this.log.push(JSON.stringify(order))
    return order
  }

  /** Some time passes between two lists of a night, but never in the last one. */
  #maybeLater(runId: string): void {
    const { simulator } = this.#place
    if (this.#random.unit() > 0.15 || runId === LAST) return
    simulator.advanceTo(new Date(Date.parse(simulator.now()) + 3_600_000).toISOString())
    this.log.push(`an hour passes: ${simulator.now()}`)
  }

  async #sweep(runId: string, list: List, pass: number, place: Deployment): Promise<SweepResult> {
    this.#look(list)
    for (;;) {
      const request = { runId, account: ACCOUNT, list, pass }
      const result = await this.#besideRun(request, place)
      if (result.done) return result
      this.#about.count('a-sweep-went-on')
    }
  }

  #look(list: List): void {
    const { world, now } = this.#place.simulator
    const at = secondsOf(now())
    if (this.#looks[list].at(-1)?.now === at) return
    this.#looks[list].push({ world, options: this.#scenario.world, now: at })
  }

  async #chore(chore: Chore): Promise<void> {
    const signal = new AbortController().signal
    if (chore === 'act') return this.#acts()
    if (chore === 'backUp') return this.#backUp()
    if (chore === 'compact') {
      await this.#besideDecision('compact', this.#place, ({ maintainLake }) =>
        maintainLake({}, signal, () => {}),
      )
      this.#about.count('compacted')
      return
    }
    const transactionId = this.#random.pick(
      this.#place.simulator.truth().settlements.flatMap(({ members }) => members),
    )
    // Its rows are written again, which the next night must not notice.
    const erasure = { account: ACCOUNT, transactionId, actor: 'Ada', reason: 'asked for' }
    const orderId = this.#newOrder()
    await this.#acknowledge(orderId, () =>
      this.#delivery.deliver('erase', async ({ maintainLake }) => {
        const done = await maintainLake({ erase: { ...erasure, orderId } }, signal, () => {})
        return 'seq' in done ? done.seq : ''
      }),
    )
    this.#about.count('erased')
  }

  #newOrder(): string {
    this.#orders += 1
    return `order-${this.#orders}`
  }

  async #backUp(): Promise<void> {
    const folder = join(this.#place.folder, 'backups', String(this.#orders++))
    const signal = new AbortController().signal
    await this.#delivery
      .deliver('backUp', ({ maintainLake }) => maintainLake({ backUpTo: folder }, signal, () => {}))
      .catch((error: unknown) => {
        // A second delivery finds the copy of the first.
        if (!(error instanceof Refused && error.code === 'would_overwrite')) throw error
        this.#about.count('a-backup-was-there')
      })
    this.#about.count('backed-up')
    if (!real.existsSync(join(folder, 'catalog.sqlite')))
      this.wrong.push(`${folder} has no catalog`)
  }

  /** A decision of a person, or those of two at once. */
  async #acts(): Promise<void> {
    const people = this.#random.unit() < 0.25 ? 2 : 1
    const acts: BooksAct[] = []
    for (let person = 0; person < people; person += 1) acts.push(await this.#drawAct())
    if (people > 1) this.#about.count('two-decisions-at-once')
    const answers = await this.#delivery.together(
      'actOnBooks',
      acts.map(
        (act) =>
          ({ actOnBooks }: Deployment['activities']) =>
            actOnBooks(act),
      ),
    )
    for (const [place, answer] of answers.entries()) {
      const act = acts[place]
      if (act !== undefined) await this.#answered(act, answer)
    }
  }

  async #answered(act: BooksAct, answer: PromiseSettledResult<BooksActed>): Promise<void> {
    const seq = await this.#acknowledge(act.orderId ?? '', async () => {
      const { seq, wasSo } = valueOf(answer)
      if (wasSo) this.#about.count('a-decision-was-so')
      return seq
    })
    if (seq !== undefined && 'period' in act) this.#books.turn(BigInt(seq), act)
  }

  /** Remembers whether an order was acknowledged or refused. */
  async #acknowledge(order: string, work: () => Promise<string>): Promise<string | undefined> {
    try {
      const seq = await work()
      this.#books.acknowledged.set(order, seq)
      this.#about.count('acknowledged')
      return seq
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      this.#books.refused.add(order)
      this.#about.count(`refused-${error.code}`)
      return undefined
    }
  }

  /** Packs and decisions after every step; records after each night, because a decision changes none. */
  async #inspect({ isNight }: { isNight: boolean }): Promise<void> {
    const packs = new Set(this.#published.map(({ pack }) => pack))
    const wrong = await this.#packs.judge(packs)
    const found = await this.#place.shared.connected((_lake, connection) =>
      atOneInstant(connection, async () => [
        ...(await this.#books.judge(connection)),
        ...(isNight ? await judgeRecords(connection, this.#looks) : []),
      ]),
    )
    this.wrong.push(...wrong, ...found)
  }

  async #lastNight(at: string): Promise<void> {
    const { isRestored } = this.#scenario
    const backups = join(this.#place.folder, 'backups')
    const backup = isRestored ? real.readdirSync(backups).sort(byNumber).at(-1) : undefined
    ageLeftovers(this.#place.folder)
    this.#delivery.share = 0
    const seen = [...this.#seen]
    const { window } = await this.#night(LAST, at)
    const left = leftoversIn(join(this.#place.folder, 'out'))
    this.wrong.push(...left.map((path) => `${path} is left`))
    await this.#inspect({ isNight: true })
    const pack = this.#published.at(-1)?.pack ?? ''
    const truth = this.#place.simulator.truth()
    const { shares } = this.#about
    this.wrong.push(...judgeVerdicts(pack, truth, { seen, to: window.to, shares }))
    this.wrong.push(...(await this.#judgePublications()))
    if (backup === undefined) return
    this.#about.count('restored')
    const second = this.#place.restored(join(backups, backup))
    try {
      await this.#night(LAST, at, second)
      this.wrong.push(...(await judgeRestored(this.#place, second, pack)))
    } finally {
      await second.close()
    }
  }

  async #judgePublications(): Promise<string[]> {
    const rows = await this.#place.shared.connected((_lake, connection) =>
      rowsIn(connection, 'select run_id from lake.ops.publication order by run_id'),
    )
    const found = rows.map((row) => String(row['run_id']))
    const wanted = this.#published.map(({ runId }) => runId).toSorted()
    return String(found) === String(wanted)
      ? []
      : [`published are ${wanted.join(' ')}, recorded are ${found.join(' ')}`]
  }
}

const LAST = 'the-last'

const READINGS: readonly [List, number][] = [
  ['terminals', 1],
  ['settlements', 1],
  ['transactions', 1],
  ['settlements', 2],
]

const byNumber = (a: string, b: string) => Number(a) - Number(b)
