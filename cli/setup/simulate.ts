/**
 * The command `simulate`: serves the payments service on this machine, as its interface describes
 * it.
 */
import { Failure } from '../../domain/failure.ts'
import {
  simulatorOptions,
  type ListOrder,
  type PartialOptions,
} from '../../simulator/world/options.ts'
import { startSimulator } from '../../simulator/service/server.ts'
import { writeTruth } from '../../simulator/world/truth.ts'
import type { Context } from '../shell/context.ts'
import { Interrupted } from '../shell/interrupted.ts'
import { shareFlag, wholeNumberFlag } from '../shell/number-flag.ts'

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
    ...(flags.port === undefined ? {} : { port: wholeNumberFlag('--port', flags.port) }),
    ...(flags.now === undefined ? {} : { now: flags.now }),
  }).catch((error: unknown) => {
    if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error
    throw new Failure('usage', `port ${flags.port} is taken`, { remedy: 'choose another --port' })
  })
  try {
    if (flags.truth !== undefined) await writeTruth(simulator.truth(), flags.truth)
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

/** The least value of each number. */
const LEAST = {
  seed: 0,
  terminals: 1,
  transactions: 1,
  days: 1,
  limitCap: 1,
  latencyMs: 0,
  ratePerSecond: 1,
} as const

function numbersOf(flags: SimulateFlags): PartialOptions {
  const given = (Object.keys(LEAST) as (keyof typeof LEAST)[]).flatMap((name) => {
    const text = flags[name]
    if (text === undefined) return []
    const option = name === 'latencyMs' ? 'latency_ms' : name
    return [[option, wholeNumberFlag(flagName(name), text, LEAST[name])]]
  })
  const shares = (['lateCaptureRate', 'mismatchRate'] as const).flatMap((name) => {
    const text = flags[name]
    return text === undefined ? [] : [[name, shareFlag(flagName(name), text)]]
  })
  return Object.fromEntries([...given, ...shares])
}

function optionsOf(flags: SimulateFlags): PartialOptions {
  const { order, from, settledFlips, lastModifiedMoves, limitMode, apiVersion } = flags
  return {
    ...numbersOf(flags),
    ...(from === undefined ? {} : { from }),
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
