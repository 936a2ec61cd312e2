/**
 * The command `simulate`: serves the payments service on this machine, as its interface describes
 * it.
 */
import { isDate } from '../../domain/business-day.ts'
import { dayOf } from '../../domain/decision-words.ts'
import { Failure } from '../../domain/failure.ts'
import { reasonOf } from '../../domain/reason.ts'
import {
  simulatorOptions,
  type ListOrder,
  type PartialOptions,
} from '../../simulator/world/options.ts'
import { startSimulator } from '../../simulator/service/server.ts'
import { type Truth, writeTruth } from '../../simulator/world/truth.ts'
import type { Context } from '../shell/context.ts'
import { instantFlag } from '../shell/instant-flag.ts'
import { Interrupted } from '../shell/interrupted.ts'
import { numberUpTo, portFlag, shareFlag, transactionsFlag } from '../shell/number-flag.ts'

export interface SimulateFlags {
  port?: string
  now?: string
  truth?: string
  seed?: string
  terminals?: string
  transactions?: string
  from?: string
  days?: string
  limitCap?: string
  latencyMs?: string
  ratePerSecond?: string
  lateCaptureRate?: string
  mismatchRate?: string
  settledFlips?: 'created' | 'complete'
  lastModifiedMoves?: 'capture' | 'settlement' | 'never'
  order?: ListOrder
  limitMode?: 'clamp' | 'reject'
  apiVersion?: '2018-06-01' | '2023-05-16' | '2026-08-21'
  rejectUnknownParameters?: boolean
}

export async function simulateCommand(context: Context, flags: SimulateFlags): Promise<void> {
  const options = simulatorOptions(optionsOf(flags))
  const simulator = await startSimulator(options, {
    ...(flags.port === undefined ? {} : { port: portFlag(flags.port) }),
    ...(flags.now === undefined ? {} : { now: timeOf(flags.now) }),
  }).catch((error: unknown) => {
    if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error
    throw new Failure('usage', `port ${flags.port} is taken`, { remedy: 'choose another --port' })
  })
  try {
    if (flags.truth !== undefined) await writeTruthTo(flags.truth, simulator.truth())
    const { user, password, applicationKey } = options.credentials
    for (const line of [
      `export TIEOUT_BASE_URL=${simulator.url}`,
      `export TIEOUT_API_USER=${user}`,
      `export TIEOUT_API_PASSWORD=${password}`,
      `export TIEOUT_APPLICATION_KEY=${applicationKey}`,
    ]) {
      context.terminal.print(line)
    }
    context.terminal.say(`simulated time ${simulator.now()}; Ctrl-C ends it`)
    // An interruption is the normal end here, so it prints no hint about continuing.
    context.exit(await interruption(context.signal))
  } finally {
    await simulator.stop()
  }
}

/** Returns the day or the time as typed. Throws usage. */
const timeOf = (text: string) => (isDate(text) ? text : instantFlag('--now', text))

async function writeTruthTo(file: string, truth: Truth): Promise<void> {
  await writeTruth(truth, file).catch((cause: unknown) => {
    throw new Failure('usage', `the file ${file} can't be written: ${reasonOf(cause)}`, {
      cause,
      remedy: 'choose another --truth',
    })
  })
}

function interruption(signal: AbortSignal): Promise<number> {
  return new Promise((resolve, reject) => {
    const end = () => {
      if (signal.reason instanceof Interrupted) resolve(signal.reason.exit)
      else reject(signal.reason)
    }
    if (signal.aborted) end()
    signal.addEventListener('abort', end, { once: true })
  })
}

/** Numbers that the program can count with. */
const ANY = Number.MAX_SAFE_INTEGER

/** The limits of the other numbers. A longer world would not fit into memory. */
const LIMITS = {
  seed: { least: 0, most: ANY },
  terminals: { least: 1, most: ANY },
  days: { least: 1, most: 3660 },
  limitCap: { least: 1, most: ANY },
  latencyMs: { least: 0, most: ANY },
  ratePerSecond: { least: 1, most: ANY },
} as const

function numbersOf(flags: SimulateFlags): PartialOptions {
  const given = (Object.keys(LIMITS) as (keyof typeof LIMITS)[]).flatMap((name) => {
    const text = flags[name]
    if (text === undefined) return []
    const option = name === 'latencyMs' ? 'latency_ms' : name
    return [[option, numberUpTo(flagName(name), text, LIMITS[name])]]
  })
  const shares = (['lateCaptureRate', 'mismatchRate'] as const).flatMap((name) => {
    const text = flags[name]
    return text === undefined ? [] : [[name, shareFlag(flagName(name), text)]]
  })
  const size =
    flags.transactions === undefined ? {} : { transactions: transactionsFlag(flags.transactions) }
  return { ...Object.fromEntries([...given, ...shares]), ...size }
}

function optionsOf(flags: SimulateFlags): PartialOptions {
  const { order, from, settledFlips, lastModifiedMoves, limitMode, apiVersion } = flags
  return {
    ...numbersOf(flags),
    ...(from === undefined ? {} : { from: dayOf('--from', from) }),
    ...(settledFlips === undefined ? {} : { settledFlips }),
    ...(lastModifiedMoves === undefined ? {} : { lastModifiedMoves }),
    ...(limitMode === undefined ? {} : { limitMode }),
    ...(apiVersion === undefined ? {} : { apiVersion }),
    ...(order === undefined
      ? {}
      : { order: { terminals: order, settlements: order, transactions: order } }),
    rejectUnknownParameters: flags.rejectUnknownParameters === true,
  }
}

/** Maps an option such as `limitCap` to its flag `--limit-cap`. */
const flagName = (option: string) =>
  `--${option.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
