import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { createProgram } from '../../../cli/main.ts'
import { Failure } from '../../../domain/failure.ts'
import type { ShownAccount } from '../../../workers/config/shown-settings.ts'
import { starterConfig } from '../../../workers/config/starter-config.ts'
import { tempFolder } from '../../support/temp-lake.ts'

afterEach(() => vi.unstubAllEnvs())

/** Runs a command line in this process; answers with what it said on stdout and on stderr. */
async function said(args: readonly string[]): Promise<{ printed: string[]; told: string[] }> {
  const printed: string[] = []
  const told: string[] = []
  const terminal = {
    print: (line: string) => printed.push(line),
    say: (line: string) => told.push(line),
    live: () => {},
    wait: () => {},
  }
  const { signal } = new AbortController()
  const program = await createProgram({ terminal, signal, exit: () => {} }, args)
  await program.parseAsync(args, { from: 'user' })
  return { printed, told }
}

async function shown(args: readonly string[]): Promise<(key: string) => object | undefined> {
  const { printed } = await said(args)
  const { accounts }: { accounts: ShownAccount[] } = JSON.parse(printed.join('\n'))
  return (key) => accounts[0]?.settings.find((setting) => setting.key === key)
}

const GLOBAL = [
  { flag: '--account', key: 'account', value: 'acme' },
  { flag: '--lake', key: 'lake', value: '/somewhere' },
  { flag: '--config', key: 'config', value: 'FILE' },
]
const positions = GLOBAL.flatMap((global) =>
  ['first', 'in the middle', 'last'].map((place, at) => ({ ...global, place, at })),
)

test.each(positions)(
  '$flag is read $place, and goes before its variable and the file',
  async ({ flag, key, value, at }) => {
    const file = join(tempFolder(), 'tieout.yaml')
    const other = join(tempFolder(), 'other.yaml')
    writeFileSync(file, 'account: from-file\nlake: /from-file\n')
    writeFileSync(other, '')
    vi.stubEnv('TIEOUT_CONFIG', key === 'config' ? other : file)
    vi.stubEnv('TIEOUT_ACCOUNT', 'from-environment')
    vi.stubEnv('TIEOUT_LAKE', '/from-environment')
    const wanted = value === 'FILE' ? file : value
    const words = ['config', 'show']
    const line = [...words.slice(0, at), flag, wanted, ...words.slice(at), '--json']
    expect((await shown(line))(key)).toEqual({ key, value: wanted, from: 'flag', name: flag })
    const without = (await shown([...words, '--json']))(key)
    expect(without).toMatchObject({ from: 'environment' })
  },
)

test('each value is shown with its origin, and no secret is shown', async () => {
  const file = join(tempFolder(), 'tieout.yaml')
  writeFileSync(file, 'thresholds: { unsettled_days: 9 }\n')
  vi.stubEnv('TIEOUT_API_PASSWORD', 'canary')
  const { printed } = await said(['config', 'show', '--config', file])
  const lines = printed.map((line) => line.trim().split(/ {2,}/))
  expect(lines).toContainEqual([
    'thresholds.unsettled_days',
    '9',
    `file ${file}:thresholds.unsettled_days`,
  ])
  expect(lines).toContainEqual(['thresholds.pending_stale_days', '3', 'default'])
  expect(lines).toContainEqual([
    'credentials.password',
    '[secret]',
    'environment TIEOUT_API_PASSWORD',
  ])
  expect(lines).toContainEqual(['base_url', '-', 'not set'])
  expect(printed.join('')).not.toContain('canary')
})

test('a mistyped variable is reported on stderr before the work, and the work is done', async () => {
  vi.stubEnv('TIEOUT_TIMEZON', 'canary')
  const { printed, told } = await said(['config', 'show'])
  expect(told).toEqual([
    'warning: the variable TIEOUT_TIMEZON is unknown and has no effect; did you mean TIEOUT_TIMEZONE?',
  ])
  expect(printed.length).toBeGreaterThan(50)
})

test('an invalid value is shown, and then reported', async () => {
  vi.stubEnv('TIEOUT_TIMEZONE', 'Mars/Olympus')
  await expect(said(['config', 'show'])).rejects.toThrow('TIEOUT_TIMEZONE is not an IANA time zone')
})

test('init writes the file once, and never over an existing one', async () => {
  const file = join(tempFolder(), 'tieout.yaml')
  const { printed } = await said(['init', '--output', file])
  expect(printed).toEqual([`wrote ${file}`])
  expect(readFileSync(file, 'utf8')).toBe(starterConfig())
  writeFileSync(file, 'account: mine\n')
  const again = await said(['init', '--output', file]).catch((error: unknown) => error)
  expect(again).toBeInstanceOf(Failure)
  expect(again).toMatchObject({ code: 'would_overwrite' })
  expect(readFileSync(file, 'utf8')).toBe('account: mine\n')
})

test('init writes to the path where the config file is expected, prints it as JSON, and shows it without writing', async () => {
  const file = join(tempFolder(), 'named.yaml')
  vi.stubEnv('TIEOUT_CONFIG', file)
  const { printed: shown, told } = await said(['init', '--output', '-'])
  expect(shown.join('\n')).toBe(starterConfig().trimEnd())
  expect(existsSync(file)).toBe(false)
  const { printed } = await said(['init', '--json'])
  expect([printed, told]).toEqual([[JSON.stringify({ file })], []])
  expect(readFileSync(file, 'utf8')).toBe(starterConfig())
  await expect(said(['init', '--output', join(file, 'below.yaml')])).rejects.toThrow(
    "can't be written",
  )
})
