/** A lake whose commands are killed, one after the other. Before each kill, it is again as after its first night. */
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RunResult } from '../../../domain/run.ts'
import {
  newPlace,
  type Place,
  processesIn,
  simulate,
  startTieout,
  tieout,
  type Ended,
  type Started,
} from '../../support/built.ts'
import { lakeSettingsIn } from '../../support/lake-template.ts'
import {
  type Command,
  commandNamed,
  filesOf,
  KEYS,
  LATER,
  NOW,
  RANGE,
  type Facts,
} from './commands.ts'
import { differing, stateOf, type State } from './state.ts'

const BARRIERS = join(import.meta.dirname, 'barriers.mjs')
export const WORLD = [
  '--terminals',
  '2',
  '--transactions',
  '600',
  '--from',
  '2026-09-10',
  '--days',
  '55',
]

/** The effect of a command that nothing disturbs. */
interface Undisturbed {
  /** The exit codes of the command, and of the same command again. */
  codes: (number | null)[]
  /** The states after it, and after the same command again. */
  states: [State, State]
  /** The operations of the command in their order. */
  barriers: string[]
  elapsed_ms: number
}

/** The instant of a kill: an operation, or a time after the start of the command. */
export type Kill = { at: string } | { after_ms: number }

/** The outcome of one kill. `wasKilled` is false if the process ended before it; `wrong` are the faults found afterwards. */
export interface Killed {
  wasKilled: boolean
  wrong: string[]
}

export interface Lane {
  place: Place
  facts: Facts
  /** The effect of the undisturbed command; measured at its first use. */
  undisturbed(name: string): Promise<Undisturbed>
  /** Kills the command, gives it again, and returns what is wrong then. */
  kill(name: string, kill: Kill): Promise<Killed>
  /** Makes the lake what it was before the command. */
  restore(command: Command): Promise<void>
  /** The faults that a command has left, after it ended once more or for the first time. */
  judge(name: string, ended: Ended): Promise<string[]>
  /** Starts the command; with `killAt`, one that ends there. */
  give(command: Command, killAt?: string): Started
}

/** Makes the lake, with its first night. */
export async function makeLane(): Promise<Lane> {
  const early = await simulate([...WORLD, '--now', NOW], newPlace())
  const late = await simulate([...WORLD, '--now', LATER], newPlace())
  const place = configuredPlace({ ...early, TIEOUT_HASH_KEY: KEYS[0] })
  const facts = await firstNight(place)
  return laneIn({ ...place, env: { ...place.env, ...late } }, facts)
}

/** A new folder with the settings that all killed commands share. */
export function configuredPlace(env: Record<string, string>): Place {
  const place = newPlace({ ...env, TIEOUT_TIMEZONE: 'America/New_York', TIEOUT_ACTOR: 'Ann' })
  writeFileSync(join(place.cwd, 'tieout.yaml'), 'accounting: { programs: [xero] }\n')
  return place
}

async function firstNight(place: Place): Promise<Facts> {
  const night = await ran(['run', ...RANGE, '--json'], place)
  const { pack } = JSON.parse(night.stdout) as RunResult
  const listed = await ran(['exceptions', 'list', '--state', 'all', '--json'], place)
  const open = JSON.parse(listed.stdout) as { code: string; exceptionId: string }[]
  const idsOf = (code: string) =>
    open.filter((one) => one.code === code).map(({ exceptionId }) => exceptionId)
  const [waivable = ''] = idsOf('AMOUNT_OVER_LIMIT')
  const member = readFileSync(join(pack, 'attributions.csv'), 'utf8').split('\r\n')[1] ?? ''
  const [, transaction = '', settlement = ''] = member.split(',')
  const facts = { pack, mismatches: idsOf('AMOUNT_MISMATCH'), waivable, transaction, settlement }
  if (facts.mismatches.length === 0 || waivable === '') throw new Error('the world has exceptions')
  writeFiles(place.cwd, facts)
  return facts
}

function writeFiles(cwd: string, { mismatches, waivable }: Facts): void {
  const rows = [
    ...mismatches.map((id) => `${id},assign,Cleo,,,,`),
    `${waivable},waive,,2029-12-31,,,agreed`,
  ]
  const header = 'exceptionId,decision,to,until,clearTo,date,reason'
  writeFileSync(filesOf(cwd).apply, [header, ...rows].join('\n'))
  const records = Array.from(
    { length: 30 },
    (_, at) => `${9_000_000 + at},1,CHARGE,APPROVED,2026-10-12T10:${10 + at}:00Z,12.${10 + at}`,
  )
  const columns = 'transactionId,terminalId,action,status,created,amountTotal'
  writeFileSync(filesOf(cwd).import, [columns, ...records].join('\n'))
}

/** The place with the variables of barriers.mjs. */
export const withBarriers = ({ cwd, env }: Place, more: Record<string, string>): Place => ({
  cwd,
  env: { ...env, NODE_OPTIONS: `--import ${BARRIERS}`, ...more },
})

/** Runs a command that must succeed. */
async function ran(args: readonly string[], place: Place): Promise<Ended> {
  const ended = await tieout(args, place)
  if (ended.code !== 0)
    throw new Error(`${args.join(' ')} ends with ${ended.code}: ${ended.stderr}`)
  return ended
}

function laneIn(place: Place, facts: Facts): Lane {
  const known = new Map<string, Promise<Undisturbed>>()
  const templates = `${place.cwd}.as`
  const lake = lakeSettingsIn(join(place.cwd, 'data'))
  copyFolder(place.cwd, `${templates}-first`)
  const restore = async ({ after = [] }: Command) => {
    const template = `${templates}-${['first', ...after].join('-')}`
    if (!existsSync(template)) {
      copyFolder(`${templates}-first`, place.cwd)
      for (const name of after) await ran(commandNamed(name).args(facts), place)
      copyFolder(place.cwd, template)
    }
    copyFolder(template, place.cwd)
  }
  const state = () => stateOf(lake, place.cwd)
  const undisturbed = async (name: string): Promise<Undisturbed> => {
    const command = commandNamed(name)
    await restore(command)
    const file = `${place.cwd}.barriers`
    const since_ms = Date.now()
    const one = await startTieout(
      command.args(facts),
      withBarriers(of(command), { BARRIERS_FILE: file }),
    ).ended
    const elapsed_ms = Date.now() - since_ms
    const first = await state()
    const two = await give(command).ended
    if (one.code === null) throw new Error(`${name} ends undisturbed by a signal: ${one.stderr}`)
    const barriers = readFileSync(file, 'utf8').trimEnd().split('\n')
    rmSync(file)
    return { codes: [one.code, two.code], states: [first, await state()], barriers, elapsed_ms }
  }
  const of = ({ env }: Command): Place => ({ ...place, env: { ...place.env, ...env } })
  const give = (command: Command, killAt?: string) =>
    startTieout(
      command.args(facts),
      killAt === undefined ? of(command) : withBarriers(of(command), { KILL_AT: killAt }),
    )
  const lane: Lane = {
    ...{ place, facts, restore, give },
    undisturbed(name) {
      const found = known.get(name) ?? undisturbed(name)
      known.set(name, found)
      return found
    },
    async kill(name, kill) {
      const command = commandNamed(name)
      // The measure of the undisturbed command must not come between the kill and its judgement.
      await lane.undisturbed(name)
      await restore(command)
      const started = give(command, 'at' in kill ? kill.at : undefined)
      if ('after_ms' in kill) {
        await Promise.race([started.ended, sleep(kill.after_ms)])
        started.kill('SIGKILL')
      }
      const { code } = await started.ended
      return { wasKilled: code === null, wrong: await lane.judge(name, await give(command).ended) }
    },
    async judge(name, { code, stderr }) {
      const { codes, states } = await lane.undisturbed(name)
      const wrong = codes.includes(code) ? [] : [`exit ${code}: ${stderr}`]
      return [...wrong, ...differences(await state(), states), ...(await leftIn(place.cwd))]
    },
  }
  return lane
}

/** The state must be that of the command once, or that of the command twice. */
export function differences(found: State, states: readonly State[]): string[] {
  const parts = states.map((state) => differing(found, state))
  if (parts.some((names) => names.length === 0)) return []
  const [once = []] = parts
  const shown = once.map(
    (name) =>
      `${name}: ${JSON.stringify(found[name])} instead of ${JSON.stringify(states[0]?.[name])}`,
  )
  return [`the state differs from that without a kill: ${shown.join('; ')}`]
}

const WAIT_MS = 20_000

/** Processes and hidden files that the commands have left. */
export async function leftIn(cwd: string): Promise<string[]> {
  for (const since_ms = Date.now(); Date.now() - since_ms < WAIT_MS; await sleep(100)) {
    if (processesIn(cwd).length === 0) break
  }
  const files = readdirSync(cwd, { recursive: true, encoding: 'utf8' })
  return [
    ...processesIn(cwd).map(({ command }) => `still runs: ${command}`),
    ...files.filter((name) => name.endsWith('.partial')).map((name) => `is left: ${name}`),
  ]
}

function copyFolder(from: string, to: string): void {
  rmSync(to, { recursive: true, force: true })
  cpSync(from, to, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true })
}

/** Removes what the lane keeps beside its folder. */
export function removeTemplates({ place }: Lane): void {
  const beside = join(place.cwd, '..')
  const prefix = `${place.cwd.split('/').at(-1)}.as-`
  for (const name of readdirSync(beside).filter((one) => one.startsWith(prefix))) {
    rmSync(join(beside, name), { recursive: true, force: true })
  }
}
