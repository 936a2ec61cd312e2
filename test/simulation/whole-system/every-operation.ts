/**
 * Lets every operation of each activity fail once: the first, then the second, and so on, until one attempt meets no
 * fault. The activity must say so with a code, or do without the operation. A second delivery must then leave what one
 * undisturbed delivery leaves. `npm run simulate:operations` takes some three hours, `-- --of sweeps` one of them, and
 * `-- --only publish` half of one.
 */
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { BooksAct } from '../../../domain/books.ts'
import type { List, Run } from '../../../domain/run.ts'
import { differing, stateOf, type State } from '../../system/kills/state.ts'
import { ACCOUNT, type Deployment } from './deployment.ts'
import { passTime } from './delivery.ts'
import { codeOf, ERRNOS, type Fault, real, replaceFunctions, within } from './faults.ts'
import { sweepWhole, withPlanted } from './planted.ts'
import { readCsv } from './rows.ts'

type Activities = Deployment['activities']

interface Writer {
  name: string
  of: 'sweeps' | 'runs' | 'decisions'
  work: (activities: Activities) => Promise<unknown>
}

const KINDS = ['file-operation-failed', 'statement-failed'] as const

/** Runs the activities that the flags name, all without one; 1 when one did anything wrong. */
export async function main(): Promise<number> {
  const { values } = parseArgs({ options: { of: { type: 'string' }, only: { type: 'string' } } })
  replaceFunctions()
  return withPlanted(async (place) => {
    let failures = 0
    for (const { name, of, work } of await writers(place)) {
      if ((values.of ?? of) === of && (values.only ?? name) === name) {
        const { failed, wrong } = await failEach(place, { name, work })
        console.log(`${name}: ${failed} failed operations, wrong: ${wrong.length}`)
        for (const what of wrong) console.log(`    ${what}`)
        failures += wrong.length
      }
      await work(place.activities)
    }
    return failures === 0 ? 0 : 1
  })
}

/** The activities of a night and of the day after it, in their order. */
async function writers({ activities, simulator, folder }: Deployment): Promise<Writer[]> {
  const request = { account: ACCOUNT, sweep: true, preparedBy: 'Ben' }
  const runId = 'night'
  const run: Run = await activities.prepareRun({ runId, startedAt: simulator.now(), request })
  const sweep = (list: List, pass = 1): Writer => ({
    name: pass === 1 ? `sweep of ${list}` : `second sweep of ${list}`,
    of: 'sweeps',
    work: (activities) => sweepWhole(activities, { runId, list, pass }),
  })
  const pack = () => join(folder, 'out', ACCOUNT)
  const act = (name: string, decision: () => BooksAct): Writer => ({
    name,
    of: 'decisions',
    work: ({ actOnBooks }) => actOnBooks({ ...decision(), orderId: name }),
  })
  const person = { account: ACCOUNT, actor: 'Ada', reason: 'after review' }
  const signal = new AbortController().signal
  const [settlement] = simulator.truth().settlements.filter(({ members }) => members.length > 0)
  const [transactionId = ''] = settlement?.members ?? []
  const erase = { ...person, transactionId, orderId: 'erasure' }
  return [
    ...[sweep('terminals'), sweep('settlements'), sweep('transactions'), sweep('settlements', 2)],
    { name: 'reconcile', of: 'runs', work: ({ reconcile }) => reconcile(run) },
    { name: 'publish', of: 'runs', work: ({ publish }) => publish(run) },
    act('waive', () => {
      const [exception] = readCsv(join(pack(), 'latest', 'exceptions.csv'))
      const exceptionId = exception?.['exceptionId'] ?? ''
      return { ...person, kind: 'exception.waive', exceptionId, until: '2026-12-31' }
    }),
    act('close', () => ({
      ...{ ...person, kind: 'close', period: '2026-10', acceptOpen: 'the breaks are chased' },
    })),
    {
      name: 'back-up',
      of: 'decisions',
      work: async ({ maintainLake }) => {
        const backUpTo = join(folder, 'backups', 'copy')
        real.rmSync(backUpTo, { recursive: true, force: true })
        await maintainLake({ backUpTo }, signal, () => {})
      },
    },
    {
      name: 'erasure',
      of: 'decisions',
      work: ({ maintainLake }) => maintainLake({ erase }, signal, () => {}),
    },
    {
      name: 'compaction',
      of: 'decisions',
      work: ({ maintainLake }) => maintainLake({}, signal, () => {}),
    },
  ]
}

async function failEach(
  place: Deployment,
  { name, work }: Pick<Writer, 'name' | 'work'>,
): Promise<{ failed: number; wrong: string[] }> {
  place.copyAsOfNow('before')
  await work(place.activities)
  const expected = await state(place)
  const wrong: string[] = []
  let failed = 0
  for (const kind of KINDS) {
    for (let at = 1; ; at += 1) {
      await place.beginFrom('before')
      const fault: Fault = { kind, at, errno: ERRNOS[at % ERRNOS.length] ?? 'EIO' }
      const once = [() => work(place.activities)]
      const { happened, outcomes } = await within({ ...ALIVE, folder: place.folder, fault }, once)
      if (!happened) break
      failed += 1
      const about = `${kind} ${at} (${fault.errno})`
      const [outcome] = outcomes
      if (outcome?.status === 'rejected' && codeOf(outcome.reason) === undefined) {
        wrong.push(`${about} has no code: ${String(outcome.reason)}`)
      }
      wrong.push(
        ...(await again(place, { name, work }, expected)).map((what) => `${about}: ${what}`),
      )
    }
  }
  await place.beginFrom('before')
  real.rmSync(join(place.folder, 'before'), { recursive: true })
  return { failed, wrong }
}

const ALIVE = { onDeath: () => {} }

/** Delivers the activity again, without a fault. */
async function again(
  place: Deployment,
  { name, work }: Pick<Writer, 'name' | 'work'>,
  expected: State,
): Promise<string[]> {
  // After failed compaction the product waits a minute for a process that may still be at work.
  const time = name === 'compaction' ? passTime() : undefined
  try {
    await work(place.activities)
    const found = await state(place)
    return differing(found, expected).map(
      (part) =>
        `${part} is ${JSON.stringify(found[part])} instead of ${JSON.stringify(expected[part])}`,
    )
  } catch (error) {
    return [`the second delivery fails: ${String(error)}`]
  } finally {
    time?.stop()
  }
}

const state = ({ settings, folder }: Deployment): Promise<State> => stateOf(settings.lake, folder)
