import { Ajv } from 'ajv'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { parse } from 'yaml'
import { createProgram } from '../../../cli/main.ts'
import { configJsonSchema } from '../../../workers/config/json-schema.ts'
import { starterConfig } from '../../../workers/config/starter-config.ts'
import { tempFolder } from '../../support/temp-lake.ts'

afterEach(() => vi.unstubAllEnvs())

const CREDENTIALS = {
  TIEOUT_BASE_URL: 'https://payments.example.com',
  TIEOUT_API_USER: 'canary-user',
  TIEOUT_API_PASSWORD: 'canary-password',
  TIEOUT_APPLICATION_KEY: 'canary-key',
}

/** Validates a text as the config file; answers with stdout, stderr and the exit code. */
async function validated(text: string, ...flags: string[]) {
  const file = join(tempFolder(), 'tieout.yaml')
  writeFileSync(file, text)
  const answer = { printed: '', said: [] as string[], exit: 0, file }
  const args = ['config', 'validate', '--config', file, ...flags]
  const program = await createProgram(
    {
      terminal: {
        print: (line) => (answer.printed += line),
        say: (line) => answer.said.push(line),
        live: () => {},
        wait: () => {},
      },
      signal: new AbortController().signal,
      exit: (code) => (answer.exit = code),
    },
    args,
  )
  await program.parseAsync(args, { from: 'user' })
  return answer
}

const ACCOUNTS = 'accounts:\n  - name: acme\n  - name: bolt\n'

describe('config validate', () => {
  test('accepts settings that a run accepts', async () => {
    for (const [name, value] of Object.entries(CREDENTIALS)) vi.stubEnv(name, value)
    expect(await validated('timezone: Europe/Berlin\n')).toMatchObject({
      printed: 'valid, account default',
      said: [],
      exit: 0,
    })
    const { printed } = await validated(ACCOUNTS, '--json')
    expect(JSON.parse(printed)).toEqual({ valid: true, accounts: ['acme', 'bolt'], errors: [] })
  })

  test('reports every fault of the file with line and column, in the order of the file, and never a value', async () => {
    const { said, exit, printed, file } = await validated(
      'timezon: canary\nthresholds:\n  unsettled_days: canary\n  other: 1\nlookback_days: 0\n',
    )
    expect([exit, printed]).toEqual([2, ''])
    const places = said.map((line) =>
      line.replace(`error config_invalid: the config file ${file}, `, ''),
    )
    expect(places.map((line) => line.replace(/^(line \d+, column \d+: \S+).*$/, '$1'))).toEqual([
      'line 1, column 1: timezon',
      'line 3, column 3: thresholds.unsettled_days:',
      'line 4, column 3: thresholds.other',
      'line 5, column 1: lookback_days:',
    ])
    expect(said.join('')).not.toContain('canary')
  })

  test('names line and column of addresses, headers and words that a run could not use', async () => {
    const { said, exit } = await validated(
      [
        ...['constructor: 1', '__proto__: 1', 'base_url: canary', 'source:'],
        ...['  headers: {"x y": canary, Host: canary, X-Good: a}', 'accounts:', '  - name: acme'],
        ...['    base_url: ftp://canary', '  - name: bolt', '    base_url: https://canary:pw@host'],
      ].join('\n'),
      '--file-only',
    )
    expect(exit).toBe(2)
    expect(said.map((line) => /(line \d+, column \d+: .*?)[;]/.exec(line)?.[1])).toEqual([
      'line 1, column 1: constructor is not a key',
      'line 2, column 1: __proto__ is not a key',
      'line 3, column 1: base_url: is not an address',
      'line 5, column 13: source.headers.x y: can not be sent as a header',
      'line 5, column 28: source.headers.Host: can not be sent as a header',
      'line 8, column 5: accounts.0.base_url: is neither https nor http on a loopback address',
      'line 10, column 5: accounts.1.base_url: holds a user or a password',
    ])
    expect(said.join('')).not.toContain('canary')
    expect(await validated('base_url: ""\n', '--file-only')).toMatchObject({ exit: 0, said: [] })
  })

  test.each([
    ['account', 'é', 'may hold only letters'],
    ['metrics', 'x', 'is neither an address'],
    ['lake', 'postgres://u:canary@h/d', 'holds a password'],
    ['lake', 'postgres://[', 'is not a PostgreSQL address'],
    ['lake_data', 'ftp://canary', 'is neither a folder'],
  ])('names the key %s of the file, and no variable that is not set', async (key, value, why) => {
    const { said, exit, file } = await validated(`${key}: "${value}"\n`, '--file-only')
    expect([exit, said]).toEqual([2, [expect.stringContaining(` ${file}:${key} ${why}`)]])
    expect(said.join('')).not.toContain('canary')
  })

  test('reports a file that is no YAML', async () => {
    const { said, exit } = await validated('accounts: [\n')
    expect(exit).toBe(2)
    expect(said).toEqual([expect.stringMatching(/, line \d+, column \d+ can't be read as YAML: /)])
  })

  test('reports what a run would lack, account by account, and with --file-only only the file', async () => {
    const several = await validated(ACCOUNTS, '--json')
    expect(several.exit).toBe(2)
    expect(JSON.parse(several.printed)).toMatchObject({
      valid: false,
      error: { code: 'config_missing' },
      errors: [{ code: 'config_missing' }, { code: 'config_missing' }],
    })
    const alone = await validated('timezone: Europe/Berlin\n')
    expect(alone).toMatchObject({
      exit: 2,
      said: [expect.stringContaining('TIEOUT_BASE_URL is not set')],
    })
    expect(await validated(ACCOUNTS, '--file-only')).toMatchObject({ exit: 0, said: [] })
    const shared = await validated('lake: postgres://u@db/lake\n', '--file-only')
    expect(shared).toMatchObject({ exit: 0, said: [] })
    const zone = await validated('timezone: Mars/Olympus\n', '--file-only')
    expect(zone).toMatchObject({
      exit: 2,
      said: [expect.stringContaining('timezone is not an IANA time zone')],
    })
  })
})

describe('the JSON Schema', () => {
  const schema = configJsonSchema()
  const check = new Ajv({ strict: false, formats: { date: true, ipv4: true, ipv6: true } }).compile(
    schema,
  )
  const everyKey: unknown = parse(starterConfig().replaceAll(/^#(?! \S)/gm, ''))

  test('accepts the file of init, as it is and with every key', () => {
    expect(check(parse(starterConfig())), JSON.stringify(check.errors)).toBe(true)
    expect(check(everyKey), JSON.stringify(check.errors)).toBe(true)
  })

  test.each([
    ['an unknown key', { timezon: 'UTC' }],
    ['an unknown key of an account', { accounts: [{ name: 'acme', timezon: 'UTC' }] }],
    ['a text for a number', { lookback_days: 'many' }],
    ['a number out of range', { thresholds: { cutoff_tolerance_hours: 1000 } }],
    ['another word than the known ones', { accounting: { group: 'year' } }],
  ])('refuses %s', (_, content) => {
    expect(check(content)).toBe(false)
  })

  test('describes every key, but single fields of an import and names that a person chooses', () => {
    const undescribed = (node: Node, path: string): string[] =>
      Object.entries(node.properties ?? {}).flatMap(([key, inner]) => {
        const here = `${path}/${key}`
        return [
          ...(inner.description === undefined ? [here] : []),
          ...undescribed(inner, here),
          ...undescribed(inner.items ?? {}, here),
        ]
      })
    const missing = undescribed(schema, '').filter((path) => !/\/import\/\w+\/words\//.test(path))
    expect(missing).toEqual([])
  })
})

interface Node {
  description?: string
  properties?: Record<string, Node>
  items?: Node
}

test('the file of init names the schema in its first line', () => {
  expect(starterConfig().split('\n')[0]).toMatch(
    /^# yaml-language-server: \$schema=\/.*\/dist\/config\.schema\.json$/,
  )
})
