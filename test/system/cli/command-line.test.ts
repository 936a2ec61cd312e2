/**
 * Goal: every command has its documented help, exit code and error. Method: each command run with right and wrong
 * arguments.
 */
import { createServer, type Server } from 'node:http'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createProgram } from '../../../cli/main.ts'
import { simulatorOptions } from '../../../simulator/world/options.ts'
import { startSimulator, type Simulator } from '../../../simulator/service/server.ts'
import { readProject } from '../../house/project-files.ts'
import { newPlace, processesIn, tieout, type Place } from '../../support/built.ts'

/** The secrets that no command may print, whatever fails. */
const SECRETS = {
  TIEOUT_API_USER: 'canary-user',
  TIEOUT_API_PASSWORD: 'canary-password',
  TIEOUT_APPLICATION_KEY: 'canary-application-key',
  TIEOUT_HASH_KEY: 'canary-hash-key',
}
/** The port is reserved, so that no program listens there. */
const NOWHERE = '127.0.0.1:1'

let simulator: Simulator
let website: Server
let websiteUrl = ''
beforeAll(async () => {
  const options = simulatorOptions({
    terminals: 2,
    transactions: 50,
    days: 5,
    plantsPerKind: 0,
    credentials: {
      user: SECRETS.TIEOUT_API_USER,
      password: SECRETS.TIEOUT_API_PASSWORD,
      applicationKey: SECRETS.TIEOUT_APPLICATION_KEY,
    },
  })
  simulator = await startSimulator(options)
  website = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html')
    response.end('<!doctype html><title>Welcome</title>')
  })
  await new Promise<void>((resolve) => {
    website.listen(0, '127.0.0.1', resolve)
  })
  const address = website.address()
  if (typeof address === 'object') websiteUrl = `http://127.0.0.1:${address?.port}`
})
afterAll(async () => {
  await simulator.stop()
  website.close()
})

describe('help', async () => {
  const context = { signal: new AbortController().signal, exit: () => {} }
  const silent = { print: () => {}, say: () => {}, live: () => {}, wait: () => {} }

  const linesOf = (command: Command, before: readonly string[] = []): string[][] => [
    [...before],
    ...command.commands.flatMap((inner) => linesOf(inner, [...before, inner.name()])),
  ]
  const commands = linesOf(await createProgram({ ...context, terminal: silent })).map((line) => ({
    line,
    name: ['tieout', ...line].join('-'),
  }))

  test.each(commands)('$name prints its documented help', async ({ line, name }) => {
    const said: string[] = []
    const terminal = { ...silent, print: (text: string) => said.push(text) }
    const asked = await createProgram({ ...context, terminal }, line)
    await asked.parseAsync([...line, '--help'], { from: 'user' }).catch(() => {})
    await expect(`${said.join('\n')}\n`).toMatchFileSnapshot(`golden/${name}.txt`)
  })

  test('every page of help belongs to a command', () => {
    const golden = readdirSync(join(import.meta.dirname, 'golden'))
    expect(golden.sort()).toEqual(commands.map(({ name }) => `${name}.txt`).sort())
  })

  test('the built program prints the same on stdout, and ends with 0', async () => {
    const { code, stdout, stderr } = await tieout(['run', '--help'], newPlace())
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toBe(readProject('test/system/cli/golden/tieout-run.txt'))
  })
})

/** A place from which the simulator of this file can be reached. */
const placeWith = (env: Record<string, string> = {}) =>
  newPlace({ TIEOUT_BASE_URL: simulator.url, ...SECRETS, ...env })

/** Runs a command that must fail; answers with its one line. */
async function refusal(args: readonly string[], place: Place, exit: number): Promise<string> {
  const { code, stdout, stderr } = await tieout(args, place)
  expect(stdout).toBe('')
  expect(stderr).toMatch(/^error [a-z_]+: [^\n]+; next: [^\n]+\n$/)
  expect(code).toBe(exit)
  for (const secret of Object.values(SECRETS)) expect(stderr).not.toContain(secret)
  expect(processesIn(place.cwd)).toEqual([])
  return stderr.trimEnd()
}

const RANGE = ['--from', '2026-10-01', '--to', '2026-11-01']

describe.concurrent('wrong usage ends with 2 and one line with the reason; nothing is started', () => {
  test.each<[string, string[], Record<string, string>, string]>([
    [
      'an unknown command',
      ['reconsile'],
      {},
      "unknown command 'reconsile' (Did you mean reconcile?)",
    ],
    [
      'an unknown flag',
      ['run', '--form', '2026-10-01'],
      {},
      "unknown option '--form' (Did you mean --from?)",
    ],
    ['no base address', ['run', ...RANGE], { TIEOUT_BASE_URL: '' }, 'TIEOUT_BASE_URL is not set'],
    [
      'no password',
      ['run', ...RANGE],
      { TIEOUT_API_PASSWORD: '' },
      'TIEOUT_API_PASSWORD is not set',
    ],
    [
      'plain http to another machine',
      ['run', ...RANGE],
      { TIEOUT_BASE_URL: 'http://canary.example.com' },
      'TIEOUT_BASE_URL is neither https',
    ],
    [
      'a day that does not exist',
      ['run', '--from', '2026-02-30', '--to', '2026-11-01'],
      {},
      '--from 2026-02-30 is not a date',
    ],
    [
      'a range that ends before it begins',
      ['run', '--from', '2026-11-01', '--to', '2026-10-01'],
      {},
      '--from 2026-11-01 is not before --to 2026-10-01',
    ],
    [
      'a range that ends in another age',
      ['backfill', '--from', '2026-11-01', '--to', '9999-01-01'],
      {},
      '--to 9999-01-01 is more than a year after ',
    ],
    [
      'a waiver that ended before it began',
      ['exceptions', 'waive', 'abc', '--until', '2020-01-31', '--reason', 'paid', '--by', 'Ada'],
      {},
      '--until 2020-01-31 is past: today is ',
    ],
    [
      'a posting date in another age',
      [
        ...['exceptions', 'resolve', 'abc', '--clear-to', 'fees', '--date', '2206-01-31'],
        ...['--reason', 'paid', '--by', 'Ada'],
      ],
      {},
      '--date 2206-01-31 is more than a year after ',
    ],
    [
      'an instant without a zone',
      ['run', ...RANGE, '--as-of', '2026-11-01T04:15:00'],
      {},
      '--as-of 2026-11-01T04:15:00 is not a time such as',
    ],
    [
      'an unknown time zone',
      ['run', ...RANGE],
      { TIEOUT_TIMEZONE: 'Mars/Olympus' },
      'TIEOUT_TIMEZONE is not an IANA time zone',
    ],
    [
      'a landing that can not be',
      ['reconcile', ...RANGE, '--known-at', 'yesterday'],
      {},
      '--known-at yesterday is neither a landing number nor a time',
    ],
    [
      'a flag of a backfill before its subcommand',
      ['backfill', '--plan', 'status'],
      {},
      '--plan is not a flag of backfill status',
    ],
    [
      'a day that is none, for a backfill',
      ['backfill', '--from', '2026-10-32', '--to', '2026-11-01'],
      {},
      '--from 2026-10-32 is not a date such as ',
    ],
    [
      'an instant that is none, for explain',
      ['explain', '5', '--as-of', 'noon'],
      {},
      '--as-of noon is not a time',
    ],
    [
      'a console at no address',
      ['worker', '--web', 'nonsense'],
      {},
      '--web nonsense is not a host and a port',
    ],
    ['an empty day', ['run', '--from', ''], {}, '--from is empty'],
    ['an empty id', ['explain', ''], {}, '<settlementId> is empty'],
    ['an empty flag of every command', ['--account', '', 'status'], {}, '--account is empty'],
    ['a settlement that is no number', ['explain', 'five'], {}, 'five is no settlement id'],
    [
      'a world of half a transaction',
      ['simulate', '--transactions', '1.5'],
      {},
      '--transactions 1.5 is not a whole number',
    ],
    ['a port that can not be', ['simulate', '--port', '65536'], {}, '--port 65536 is more than'],
    [
      'the same for the console',
      ['open', '--port', '70000'],
      {},
      '--port 70000 is more than 65535',
    ],
    [
      'a world without an end',
      ['simulate', '--days', '99999999'],
      {},
      '--days 99999999 is more than 3660',
    ],
    [
      'a world of too many transactions',
      ['demo', '--transactions', '999999999'],
      {},
      '--transactions 999999999 is more than 100000000',
    ],
    [
      'a world that begins on a day that does not exist',
      ['simulate', '--from', '2026-02-30'],
      {},
      '--from 2026-02-30 is not a date',
    ],
    [
      'a simulated time on a day that does not exist',
      ['simulate', '--now', '2026-02-30'],
      {},
      '--now 2026-02-30 is not a time such as',
    ],
    [
      'a file for the truth in a folder that is not there',
      ['simulate', '--transactions', '10', '--terminals', '1', '--truth', 'missing/truth.json'],
      {},
      "the file missing/truth.json can't be written: there is no such file or folder (ENOENT)",
    ],
    [
      'more than all of the settlements',
      ['simulate', '--mismatch-rate', '2'],
      {},
      '--mismatch-rate 2 is not a share',
    ],
    ...(['reason', 'yes', 'prepared-by'] as const).map(
      (flag): [string, string[], Record<string, string>, string] => [
        `a refusal with --${flag}, which would be lost`,
        ['approve', 'pack', '--refuse', 'no', `--${flag}`, ...(flag === 'yes' ? [] : ['x'])],
        {},
        `option '--refuse <reason>' cannot be used with option '--${flag}`,
      ],
    ),
    [
      'a dictionary into a file, which would not appear',
      ['query', '--dictionary', '--output', 'page.md'],
      {},
      "option '--dictionary [form]' cannot be used with option '--output <file>'",
    ],
    [
      'a dictionary with SQL, which would not run',
      ['query', 'select 1', '--dictionary'],
      {},
      '--dictionary runs no SQL, and SQL is given',
    ],
  ])('%s', async (_name, args, env, why) => {
    const place = placeWith(env)
    expect(await refusal(args, place, 2)).toContain(why)
    expect(readdirSync(place.cwd)).toEqual([])
  })

  test('a mistyped key of the config file', async () => {
    const place = placeWith()
    writeFileSync(join(place.cwd, 'tieout.yaml'), 'thresholds: {unsetled_days: 9}\n')
    const line = await refusal(['run', ...RANGE], place, 2)
    expect(line).toContain('thresholds.unsetled_days is not a key; did you mean unsettled_days?')
    expect(readdirSync(place.cwd)).toEqual(['tieout.yaml'])
  })

  test('a schedule without a permanent server is refused with the command that starts one', async () => {
    const line = await refusal(['schedule', 'apply'], placeWith(), 6)
    expect(line).toMatch(/^error worker_missing: .*; next: npx --no-install tieout worker$/)
  })
})

test.each<[string, string[], string]>([
  ['an unknown flag', ['run', '--nope'], 'npx --no-install tieout run --help'],
  [
    'a name of a command as a value',
    ['--account', 'demo', 'run', '--nope'],
    'npx --no-install tieout run --help',
  ],
  ['a missing argument', ['exceptions', 'show'], 'npx --no-install tieout exceptions show --help'],
  ['an unknown command', ['nope'], 'npx --no-install tieout --help'],
  ['a missing flag', ['exceptions', 'waive', 'a', '--reason', 'b'], 'add --until <date>'],
])('%s is answered with what helps', async (_name, args, next) => {
  const line = await refusal(args, newPlace(), 2)
  expect(line.endsWith(`; next: ${next}`), line).toBe(true)
})

describe.concurrent('an error with --json is one JSON object on stdout, and stderr has none', () => {
  test.each<[string, string[], Record<string, string>, number, string, string]>([
    ['an unknown flag', ['run', '--nope', '--json'], {}, 2, 'usage', "unknown option '--nope'"],
    ['an unknown command', ['--json', 'nope'], {}, 2, 'usage', "unknown command 'nope'"],
    ['a missing argument', ['explain', '--json'], {}, 2, 'usage', 'missing required argument'],
    [
      'two formats of one answer',
      ['query', 'select 1', '--format', 'csv', '--json'],
      {},
      2,
      'usage',
      '--json and --format csv ask for two formats',
    ],
    [
      'a missing variable',
      ['run', '--json'],
      { TIEOUT_BASE_URL: '' },
      2,
      'config_missing',
      'TIEOUT_BASE_URL',
    ],
    [
      'a wrong setting',
      ['status', '--json'],
      { TIEOUT_TIMEZONE: 'PST' },
      2,
      'config_invalid',
      'TIEOUT_TIMEZONE',
    ],
    [
      'no server that stays',
      ['schedule', 'show', '--json'],
      {},
      6,
      'worker_missing',
      'Temporal server',
    ],
  ])('%s', async (_name, args, env, exit, error, message) => {
    const { code, stdout, stderr } = await tieout(args, placeWith(env))
    expect([code, stderr]).toEqual([exit, ''])
    expect(JSON.parse(stdout)).toEqual({
      error: { code: error, message: expect.stringContaining(message), next: expect.any(String) },
    })
  })

  test('config show has it beside the values', async () => {
    const place = placeWith({ TIEOUT_TIMEZONE: 'PST' })
    const { code, stdout } = await tieout(['config', 'show', '--json'], place)
    expect(code).toBe(2)
    expect(JSON.parse(stdout)).toMatchObject({
      accounts: [{ account: 'default' }],
      error: { code: 'config_invalid' },
    })
  })
})

describe.concurrent('an unusable source ends with 3 and one line with the reason', () => {
  test.each<[string, () => Record<string, string>, RegExp]>([
    [
      'nobody answers',
      () => ({ TIEOUT_BASE_URL: `http://${NOWHERE}/v1` }),
      /^error source_unreachable: 127\.0\.0\.1:1 refused the connection/,
    ],
    [
      'a web page answers',
      () => ({ TIEOUT_BASE_URL: websiteUrl }),
      /^error source_not_the_service: .*; next: check that TIEOUT_BASE_URL/,
    ],
    [
      'the path leads nowhere',
      () => ({ TIEOUT_BASE_URL: simulator.url.replace('/v1', '/v9') }),
      /^error source_not_the_service: .*404.*; next: check that TIEOUT_BASE_URL/,
    ],
    [
      'the password is wrong',
      () => ({ TIEOUT_API_PASSWORD: 'canary-wrong' }),
      /^error source_unauthorized: .* answered 401 .*; next: check TIEOUT_API_USER, TIEOUT_API_PASSWORD/,
    ],
  ])('%s', async (_name, env, why) => {
    const place = placeWith(env())
    const line = await refusal(['run', ...RANGE], place, 3)
    expect(line).toMatch(why)
    expect(line).not.toContain('canary')
    expect(existsSync(join(place.cwd, 'out'))).toBe(false)
  })
})

test('a Temporal service that does not answer ends with 6', async () => {
  const place = placeWith({ TEMPORAL_ADDRESS: NOWHERE })
  const line = await refusal(['run', ...RANGE], place, 6)
  expect(line).toMatch(
    /^error temporal_unreachable: Temporal at 127\.0\.0\.1:1 can't be reached; next: check TEMPORAL_ADDRESS/,
  )
  expect(readdirSync(place.cwd)).toEqual([])
})
