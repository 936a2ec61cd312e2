/**
 * Goal: a process that is killed loses, doubles and tears nothing, whichever process it is and whatever it was doing.
 *
 * Method: each command that writes is killed (SIGKILL) before or after one of its operations, or at a random moment. The
 * same command is given again. Then records, decisions and packs must be those of the command without a kill, or those
 * of the command given twice. Every file of the lake, the audit trail and each pack is checked as well.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { itemAt } from '../../../simulator/world/random.ts'
import { lakeSettings } from '../../../workers/config/lake-settings.ts'
import {
  newPlace,
  type Place,
  simulate,
  startTieout,
  tieout,
  type Started,
} from '../../support/built.ts'
import { needs } from '../../support/outside-program.ts'
import { startServices, type Services } from '../../support/services.ts'
import { COMMANDS, commandNamed, LATER } from './commands.ts'
import { drawBarrier, drawMoment, random, SEED, used, wordsOf } from './draw.ts'
import {
  configuredPlace,
  differences,
  type Killed,
  type Lane,
  leftIn,
  makeLane,
  removeTemplates,
  withBarriers,
  WORLD,
} from './lane.ts'
import { lakeState, type State } from './state.ts'

const HOUR_MS = 3_600_000

let lane: Lane
let services: Services | undefined
const isThere = needs('postgresql') && needs('moto')

beforeAll(async () => {
  console.log(`kills of seed ${SEED}: TIEOUT_TEST_KILL_SEED=${SEED}`)
  lane = await makeLane()
  if (isThere) services = await startServices()
})
afterAll(async () => {
  removeTemplates(lane)
  await services?.stop()
})

/** Kills until so many kills have happened. Returns what was wrong after them. */
async function killMany(
  count: number,
  killOne: (turn: number) => Promise<Killed>,
): Promise<string[]> {
  const wrong: string[] = []
  let kills = 0
  for (let turn = 0; kills < count; turn += 1) {
    const killed = await killOne(turn)
    if (killed.wasKilled) kills += 1
    wrong.push(...killed.wrong)
  }
  return wrong
}

const named = (about: string, wrong: readonly string[]) => wrong.map((what) => `${about}: ${what}`)

test(
  '80 kills of commands on a local lake, at 40 barriers and more',
  async () => {
    const wrong = await killMany(80, async (turn) => {
      const { name } = itemAt(COMMANDS, turn % COMMANDS.length)
      const { barriers, elapsed_ms } = await lane.undisturbed(name)
      // Every fourth kill of a command comes at a random moment.
      const isDrawnMoment = Math.floor(turn / COMMANDS.length) % 4 === 3
      const kill = isDrawnMoment ? drawMoment(elapsed_ms) : drawBarrier(barriers)
      const killed = await lane.kill(name, kill)
      return { ...killed, wrong: named(`${name} killed ${wordsOf(kill)}`, killed.wrong) }
    })
    console.log(`80 kills at ${used.size} barriers and at random moments`)
    expect(wrong).toEqual([])
    expect(used.size).toBeGreaterThanOrEqual(40)
  },
  HOUR_MS,
)

/** Commands whose work a worker does, in a workflow or for the command. */
const OF_WORKERS = ['run', 'reconcile', 'backfill', 'import', 'waive', 'close', 'maintain']

const startWorker = async (place: Place): Promise<Started> => {
  const worker = startTieout(['worker'], place)
  await worker.says('worker ready')
  return worker
}

/** Kills the worker at an operation and starts another, or kills the server that it has started. */
async function killBehind(name: string, isServer: boolean): Promise<Killed> {
  const { place } = lane
  const command = commandNamed(name)
  const { barriers, elapsed_ms } = await lane.undisturbed(name)
  await lane.restore(command)
  // The first operations are those of a server that starts.
  const { at } = drawBarrier(barriers.filter((one) => / of | lake\.|\.partial|manifest/.test(one)))
  const worker = await startWorker(isServer ? place : withBarriers(place, { KILL_AT: at }))
  const given = lane.give(command)
  let last = worker
  let wasKilled = isServer
  if (isServer) {
    await sleep(random.below(elapsed_ms / 2))
    const server = readFileSync(join(place.cwd, 'data/temporal/server.json'), 'utf8')
    process.kill((JSON.parse(server) as { serverPid: number }).serverPid, 'SIGKILL')
  } else {
    const first = await Promise.race([worker.ended, given.ended.then(() => undefined)])
    wasKilled = first?.code === null
    if (wasKilled) last = await startWorker(place)
  }
  let ended = await given.ended
  // A command says so if it lost its server before the work was ordered; a person then gives it again.
  if (ended.code === 6) ended = await lane.give(command).ended
  last.kill('SIGTERM')
  await last.ended
  const about = `${name}, ${isServer ? 'its server' : `its worker ${at}`}`
  return { wasKilled, wrong: named(about, await lane.judge(name, ended)) }
}

test(
  '20 kills of workers and of their Temporal servers',
  async () => {
    const wrong = await killMany(20, (turn) =>
      killBehind(itemAt(OF_WORKERS, turn % OF_WORKERS.length), turn % 3 === 2),
    )
    expect(wrong).toEqual([])
  },
  HOUR_MS,
)

/** A new lake in PostgreSQL and an object store, with a folder of its own. */
const sharedPlace = async (name: string, service: Record<string, string>): Promise<Place> =>
  configuredPlace({ ...service, ...(await services?.lake(name)) })

const sharedState = ({ env, cwd }: Place): Promise<State> => {
  const text = (variable: string) => ({ name: 'lake', value: env[variable] ?? '' }) as const
  const places = { place: text('TIEOUT_LAKE'), data: text('TIEOUT_LAKE_DATA') }
  const settings = lakeSettings({ ...places, memoryLimit: '1GB', threads: 2 }, env)
  return lakeState({ ...settings, folder: join(cwd, 'state') })
}

test(
  '20 kills of commands and of PostgreSQL on a lake in PostgreSQL and an object store',
  async (context) => {
    if (services === undefined) return context.skip('PostgreSQL or moto is not installed')
    const service = await simulate([...WORLD, '--now', LATER], newPlace())
    const run = commandNamed('run').args(lane.facts)
    const file = join(lane.place.cwd, 'barriers-shared')
    const alone = await sharedPlace('alone', service)
    const undisturbed = await tieout(run, withBarriers(alone, { BARRIERS_FILE: file }))
    expect(undisturbed.code, undisturbed.stderr).toBe(0)
    const barriers = readFileSync(file, 'utf8').trimEnd().split('\n')
    const expected = await sharedState(alone)
    const { crashPostgres } = services
    const wrong = await killMany(20, async (turn) => {
      const place = await sharedPlace(`killed${turn}`, service)
      const isPostgres = turn % 3 === 2
      const { at } = drawBarrier(barriers)
      const killed = startTieout(run, isPostgres ? place : withBarriers(place, { KILL_AT: at }))
      if (isPostgres) {
        await killed.says('sweeping')
        await sleep(random.below(4_000))
        await crashPostgres()
      }
      const first = await killed.ended
      const { code, stderr } = isPostgres && first.code === 0 ? first : await tieout(run, place)
      const found = code === 0 ? await sharedState(place) : expected
      return {
        wasKilled: isPostgres || first.code === null,
        wrong: named(`run ${isPostgres ? 'while PostgreSQL crashed' : at}`, [
          ...(code === 0 ? [] : [`exit ${code}: ${stderr}`]),
          ...differences(found, [expected]),
          ...(await leftIn(place.cwd)),
        ]),
      }
    })
    expect(wrong).toEqual([])
  },
  HOUR_MS,
)
