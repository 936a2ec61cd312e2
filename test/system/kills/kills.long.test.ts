/**
 * Goal: a process that is killed loses, doubles and tears nothing, whichever process it is and whatever it was doing.
 *
 * Method: each command that writes is killed (SIGKILL) before or after one of its operations, or at a random moment. The
 * same command is given again. Then records, decisions and packs must be those of the command without a kill, or those
 * of the command given twice. Every file of the lake, the audit trail and each pack is checked as well.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
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
import { differences, type Lane, leftIn, makeLane, removeTemplates, withBarriers } from './lane.ts'
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

test(
  '80 kills of commands on a local lake, at 40 barriers and more',
  async () => {
    const wrong: string[] = []
    let kills = 0
    for (let turn = 0; kills < 80; turn += 1) {
      const { name } = COMMANDS[turn % COMMANDS.length] ?? random.pick(COMMANDS)
      const { barriers, elapsed_ms } = await lane.undisturbed(name)
      // Every fourth kill of a command comes at a random moment.
      const isDrawnMoment = Math.floor(turn / COMMANDS.length) % 4 === 3
      const kill = isDrawnMoment ? drawMoment(elapsed_ms) : drawBarrier(barriers)
      const found = await lane.kill(name, kill)
      if (found.wasKilled) kills += 1
      wrong.push(...found.wrong.map((what) => `${name} killed ${wordsOf(kill)}: ${what}`))
    }
    console.log(`${kills} kills at ${used.size} barriers and at random moments`)
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
async function killBehind(
  name: string,
  isServer: boolean,
): Promise<{ happened: boolean; wrong: string[] }> {
  const { place } = lane
  const command = commandNamed(name)
  const { codes, states, barriers, elapsed_ms } = await lane.undisturbed(name)
  await lane.restore(command)
  // The first operations are those of a server that starts.
  const { at } = drawBarrier(barriers.filter((one) => / of | lake\.|\.partial|manifest/.test(one)))
  const worker = await startWorker(isServer ? place : withBarriers(place, { KILL_AT: at }))
  const given = lane.give(command)
  let last = worker
  let happened = isServer
  if (isServer) {
    await sleep(random.below(elapsed_ms / 2))
    const server = readFileSync(join(place.cwd, 'data/temporal/server.json'), 'utf8')
    process.kill((JSON.parse(server) as { serverPid: number }).serverPid, 'SIGKILL')
  } else {
    const first = await Promise.race([worker.ended, given.ended.then(() => undefined)])
    happened = first?.code === null
    if (happened) last = await startWorker(place)
  }
  let { code, stderr } = await given.ended
  const about = `${name}, ${isServer ? 'its server' : `its worker ${at}`}`
  // A command says so if it lost its server before the work was ordered; a person then gives it again.
  if (code === 6) ({ code, stderr } = await lane.give(command).ended)
  last.kill('SIGTERM')
  await last.ended
  const found = await lane.state()
  const wrong = codes.includes(code) ? [] : [`exit ${code}: ${stderr}`]
  wrong.push(...differences(found, states), ...(await leftIn(place.cwd)))
  return { happened, wrong: wrong.map((what) => `${about}: ${what}`) }
}

test(
  '20 kills of workers and of their Temporal servers',
  async () => {
    const wrong: string[] = []
    let kills = 0
    for (let turn = 0; kills < 20; turn += 1) {
      const name = OF_WORKERS[turn % OF_WORKERS.length] ?? 'run'
      const found = await killBehind(name, turn % 3 === 2)
      if (found.happened) kills += 1
      wrong.push(...found.wrong)
    }
    expect(wrong).toEqual([])
  },
  HOUR_MS,
)

/** A new lake in PostgreSQL and an object store, with a folder of its own. */
async function sharedPlace(name: string, service: Record<string, string>): Promise<Place> {
  const env = await services?.lake(name)
  const place = newPlace({
    ...service,
    ...env,
    TIEOUT_TIMEZONE: 'America/New_York',
    TIEOUT_ACTOR: 'Ann',
  })
  writeFileSync(join(place.cwd, 'tieout.yaml'), 'accounting: { programs: [xero] }\n')
  return place
}

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
    const world = [
      '--terminals',
      '2',
      '--transactions',
      '600',
      '--from',
      '2026-09-10',
      '--days',
      '55',
    ]
    const service = await simulate([...world, '--now', LATER], newPlace())
    const run = commandNamed('run').args(lane.facts)
    const file = join(lane.place.cwd, 'barriers-shared')
    const alone = await sharedPlace('alone', service)
    const undisturbed = await tieout(run, withBarriers(alone, { BARRIERS_FILE: file }))
    expect(undisturbed.code, undisturbed.stderr).toBe(0)
    const barriers = readFileSync(file, 'utf8').trimEnd().split('\n')
    const expected = await sharedState(alone)
    const wrong: string[] = []
    let kills = 0
    for (let turn = 0; kills < 20; turn += 1) {
      const place = await sharedPlace(`killed${turn}`, service)
      const isPostgres = turn % 3 === 2
      const { at } = drawBarrier(barriers)
      const killed = startTieout(run, isPostgres ? place : withBarriers(place, { KILL_AT: at }))
      if (isPostgres) {
        await killed.says('sweeping')
        await sleep(random.below(4_000))
        await services.crashPostgres()
      }
      const first = await killed.ended
      if (isPostgres || first.code === null) kills += 1
      const again = isPostgres && first.code === 0 ? first : await tieout(run, place)
      const about = `run ${isPostgres ? 'while PostgreSQL crashed' : at}`
      if (again.code !== 0) wrong.push(`${about}: exit ${again.code}: ${again.stderr}`)
      const found = again.code === 0 ? await sharedState(place) : expected
      wrong.push(
        ...[...differences(found, [expected]), ...(await leftIn(place.cwd))].map(
          (what) => `${about}: ${what}`,
        ),
      )
    }
    expect(wrong).toEqual([])
  },
  HOUR_MS,
)
