/** A service with planted personal data, the secrets of its reader, and commands whose output is written into a folder. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { addDays } from '../../../domain/business-day.ts'
import { startSimulator, type Simulator } from '../../../simulator/service/server.ts'
import { CANARIES } from '../../../simulator/world/canaries.ts'
import { simulatorOptions, type PartialOptions } from '../../../simulator/world/options.ts'
import { tieout, type Ended, type Place } from '../../support/built.ts'
import { tempFolder } from '../../support/temp-lake.ts'
import { searchFor } from './search.ts'

const DAYS = 60
export const CREDENTIALS = {
  user: 'privacy-reader',
  password: 'Sesame-9f3b1c77',
  applicationKey: 'Appkey-77c0de19',
}
export const HASH_KEY = 'Hashkey-5e1fa2b8'
export const WORLD: PartialOptions = {
  seed: 5,
  terminals: 6,
  transactions: 1000,
  days: DAYS,
  credentials: CREDENTIALS,
}
export const END = new Date(
  Date.parse('2025-09-21T04:15:00Z') + (DAYS - 1) * 86_400_000,
).toISOString()
const WINDOW = { from: '2025-09-21', to: addDays(END.slice(0, 10), 1) }
export const RANGE = ['--from', WINDOW.from, '--to', WINDOW.to, '--as-of', END]

export const basic = Buffer.from(`${CREDENTIALS.user}:${CREDENTIALS.password}`).toString('base64')
export const HOOK_PATH = 'Hookpath-3d7e9b14'
export const SECRETS = [
  ...[CREDENTIALS.password, CREDENTIALS.applicationKey, basic],
  ...[HASH_KEY, 'test-hash-key', HOOK_PATH],
]
export const forbidden = searchFor([...CANARIES, ...SECRETS])

export async function simulate(): Promise<Simulator> {
  const simulator = await startSimulator(simulatorOptions(WORLD), { now: END })
  onTestFinished(() => simulator.stop())
  return simulator
}

/** Everything that the service answers to a client that reads a list to its end. */
export async function everythingIn(simulator: Simulator, list: string): Promise<string> {
  const headers = {
    accept: 'application/json',
    authorization: `Basic ${basic}`,
    'x-svc-application-key': CREDENTIALS.applicationKey,
  }
  let text = ''
  for (let offset = 0; ; offset += 1000) {
    const answer = await fetch(`${simulator.url}/${list}?offset=${offset}&limit=1000`, { headers })
    const page = await answer.text()
    text += page
    if (!page.includes('"next":')) return text
  }
}

/** A place for commands that read the service at an address, with the log that says the most. */
export const placeIn = (folder: string, url: string, more: Record<string, string> = {}): Place => ({
  cwd: folder,
  env: {
    TIEOUT_BASE_URL: url,
    TIEOUT_API_USER: CREDENTIALS.user,
    TIEOUT_API_PASSWORD: CREDENTIALS.password,
    TIEOUT_APPLICATION_KEY: CREDENTIALS.applicationKey,
    TIEOUT_HASH_KEY: HASH_KEY,
    TIEOUT_ACCOUNT: 'privacy',
    TIEOUT_LAKE: join(folder, 'lake'),
    TIEOUT_OUT: join(folder, 'out'),
    TIEOUT_LOG_LEVEL: 'trace',
    ...more,
  },
})

/** Makes a function that runs commands in a place, and writes what each of them said into its folder. */
export function commandsIn(place: Place, run: typeof tieout = tieout) {
  let count = 0
  return async (args: readonly string[], more: Record<string, string> = {}): Promise<Ended> => {
    const ended = await run(args, { ...place, env: { ...place.env, ...more } })
    count += 1
    const name = join(place.cwd, `${count}-${args[0] ?? ''}`)
    writeFileSync(`${name}.stdout`, ended.stdout)
    writeFileSync(`${name}.stderr`, ended.stderr)
    return ended
  }
}

/** A run by the command line on a real Temporal server. */
export async function runBy(url: string, folder = tempFolder(), more: Record<string, string> = {}) {
  const command = commandsIn(placeIn(folder, url, more))
  const ended = await command(['run', ...RANGE, '--json'])
  return { folder, ended, command }
}
