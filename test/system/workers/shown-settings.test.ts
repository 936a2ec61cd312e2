/**
 * Goal: `config show` tells the truth. Method: every option in every combination of places, compared with the
 * settings read.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { z } from 'zod'
import type { Settings } from '../../../domain/settings.ts'
import { configSchema } from '../../../workers/config/config-file.ts'
import { OPTIONS, type OptionName } from '../../../workers/config/options.ts'
import { readAccounts, readSettings } from '../../../workers/config/settings.ts'
import { shownSettings } from '../../../workers/config/shown-settings.ts'
import { starterConfig } from '../../../workers/config/starter-config.ts'
import { unknownVariables } from '../../../workers/config/environment-names.ts'
import { tempFolder } from '../../support/temp-lake.ts'

const CREDENTIALS = {
  TIEOUT_API_USER: 'canary-user',
  TIEOUT_API_PASSWORD: 'canary-password',
  TIEOUT_APPLICATION_KEY: 'canary-application-key',
  TIEOUT_HASH_KEY: 'canary-hash-key',
}

function fileWith(text: string, name = 'tieout.yaml'): string {
  const file = join(tempFolder(), name)
  writeFileSync(file, text, { mode: 0o600 })
  return file
}

const shownOf = (
  key: string,
  flags: Parameters<typeof shownSettings>[0],
  env: Record<string, string>,
) => shownSettings(flags, env)[0]?.settings.find((setting) => setting.key === key)

describe('the place closest to the person decides: flag, variable, file, default', () => {
  /** The values of an option in each place, and its effect in the settings. */
  const SAID: Record<
    Exclude<OptionName, 'config'>,
    { values: string[]; seen: (settings: Settings) => unknown }
  > = {
    account: { values: ['a', 'b', 'c'], seen: ({ account }) => account },
    base_url: {
      values: ['https://a.example.com', 'https://b.example.com', 'https://c.example.com'],
      seen: ({ source }) => source?.baseUrl,
    },
    timezone: {
      values: ['Europe/Berlin', 'America/New_York', 'Asia/Tokyo'],
      seen: ({ timezone }) => timezone,
    },
    lake: { values: ['/a', '/b', '/c'], seen: ({ lake }) => lake.folder },
    lake_data: { values: ['/a', '/b', '/c'], seen: ({ lake }) => lake.data },
    out: { values: ['/a', '/b', '/c'], seen: ({ out }) => out },
    metrics: {
      values: ['127.0.0.1:1', '[::1]:2', 'localhost:3'],
      seen: ({ metrics }) =>
        metrics &&
        `${metrics.host.includes(':') ? `[${metrics.host}]` : metrics.host}:${metrics.port}`,
    },
    csv_profile: { values: ['excel', '', 'machine'], seen: ({ csvProfile }) => csvProfile },
  }
  const optionOf = (key: string) => OPTIONS[key as OptionName]
  const PLACES = ['flag', 'environment', 'file'] as const
  const subsets = PLACES.reduce<string[][]>(
    (all, place) => [...all, ...all.map((one) => [...one, place])],
    [[]],
  )
  const cases = Object.entries(SAID).flatMap(([key, said]) =>
    subsets
      .filter((places) => !(places.includes('environment') && !('variable' in optionOf(key))))
      .map((places) => ({ key, said, places, all: places.join(', ') || 'nowhere' })),
  )

  test('every option is tested in every combination of places', () => {
    expect(['config', ...Object.keys(SAID)].sort()).toEqual(Object.keys(OPTIONS).sort())
    expect(cases).toHaveLength(7 * 8 + 4)
  })

  test.each(cases)('$key, set in: $all', ({ key, said, places }) => {
    const option = optionOf(key)
    const valueIn = (place: (typeof PLACES)[number]) =>
      places.includes(place) ? (said.values[PLACES.indexOf(place)] ?? '') : ''
    const text = valueIn('file') === '' ? '' : `${key}: ${valueIn('file')}\n`
    const variable = 'variable' in option ? option.variable : 'TIEOUT_NONE'
    const flags = { config: fileWith(text), [option.flag]: valueIn('flag') }
    const env = { ...CREDENTIALS, [variable]: valueIn('environment') }
    const winner = PLACES.find((place) => places.includes(place))
    // A real run can't start without an address; the default shows in a command that needs none.
    const needs = key === 'base_url' && winner !== undefined ? 'source' : 'lake'
    const unsaid = said.seen(readSettings({ config: flags.config }, 'lake', CREDENTIALS))
    const expected = winner === undefined ? unsaid : valueIn(winner)
    expect(said.seen(readSettings(flags, needs, env))).toBe(expected)
    const names = {
      flag: `--${option.flag.replace(/[A-Z]/, (letter) => `-${letter.toLowerCase()}`)}`,
      environment: variable,
      file: `${flags.config}:${key}`,
    }
    expect(shownOf(key, flags, env)).toMatchObject(
      winner === undefined
        ? { from: 'default', name: '' }
        : { from: winner, name: names[winner], value: valueIn(winner) },
    )
  })

  test('metrics can be switched off, and a text that is no address is refused', () => {
    expect(readSettings({ metrics: 'off' }, 'lake', {}).metrics).toBeUndefined()
    expect(readSettings({}, 'lake', {}).metrics).toEqual({
      ...{ host: '127.0.0.1', port: 9464, isAsked: false },
    })
    expect(readSettings({ metrics: '[::1]:0' }, 'lake', {}).metrics?.isAsked).toBe(true)
    for (const wrong of ['9464', 'localhost', 'http://localhost:9464', '127.0.0.1:99999']) {
      expect(() => readSettings({ metrics: wrong }, 'lake', {})).toThrow(
        '--metrics is neither an address',
      )
    }
  })

  test('the flag of the config file goes before its variable', () => {
    const [one, two] = [fileWith('account: one\n'), fileWith('account: two\n')]
    const env = { TIEOUT_CONFIG: two }
    expect(readSettings({ config: one }, 'lake', env).account).toBe('one')
    expect(readSettings({}, 'lake', env).account).toBe('two')
    expect(shownOf('config', {}, env)).toMatchObject({ value: two, from: 'environment' })
    expect(shownOf('config', {}, {})).toEqual({
      ...{ key: 'config', value: '', from: 'default', name: '' },
    })
  })

  test.each(['base_url', 'timezone'] as const)(
    '%s: a listed account’s own setting goes before the variables, and a flag before both',
    (key) => {
      const [flag, env, own, all] =
        key === 'timezone'
          ? ['Europe/Berlin', 'Asia/Tokyo', 'America/New_York', 'Europe/Paris']
          : ['flag', 'env', 'own', 'all'].map((name) => `https://${name}.example.com`)
      const { seen } = SAID[key]
      const config = fileWith(
        `${key}: ${all}\naccounts:\n  - { name: acme, ${key}: ${own} }\n  - { name: bolt }\n`,
      )
      const said = { ...CREDENTIALS, [OPTIONS[key].variable]: env ?? '' }
      const both = (env: Record<string, string>, flags = {}) =>
        readAccounts({ config, ...flags }, 'source', env).map(seen)
      expect(both(said, { [OPTIONS[key].flag]: flag })).toEqual([flag, flag])
      expect(both(said)).toEqual([own, env])
      expect(both(CREDENTIALS)).toEqual([own, all])
      expect(
        shownSettings({ config }, said).map(
          ({ settings }) => settings.find((setting) => setting.key === key)?.name,
        ),
      ).toEqual([`${config}:accounts.acme.${key}`, OPTIONS[key].variable])
    },
  )
})

/** The starter file with every `#` before a key taken away. */
const uncovered = () => starterConfig().replaceAll(/^#(?! \S)/gm, '')

/** Every key of the schema by its path; what stands in a list by the path of the list. */
function keysOf(schema: unknown, path: string[] = []): string[] {
  if (
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodOptional
  ) {
    return keysOf(schema.unwrap(), path)
  }
  if (schema instanceof z.ZodArray) return [path.join('.'), ...keysOf(schema.element, path)]
  if (schema instanceof z.ZodObject) {
    return Object.entries(schema.shape).flatMap(([key, inner]) => keysOf(inner, [...path, key]))
  }
  if (schema instanceof z.ZodRecord && schema.keyType instanceof z.ZodEnum) {
    return schema.keyType.options.flatMap((key) => keysOf(schema.valueType, [...path, String(key)]))
  }
  return [path.join('.')]
}

function pathsIn(value: unknown, path: string[] = []): string[] {
  const here = path.join('.')
  if (Array.isArray(value)) return [here, ...value.flatMap((item) => pathsIn(item, path))]
  if (typeof value !== 'object' || value === null) return [here]
  return [here, ...Object.entries(value).flatMap(([key, inner]) => pathsIn(inner, [...path, key]))]
}

describe('the config file to begin with', () => {
  test('is valid as it is written, and changes nothing', () => {
    const config = fileWith(starterConfig())
    // A function equals itself alone.
    const [read, bare] = [{ config }, {}].map((flags) => {
      const { packStore: _open, ...values } = readSettings(flags, 'lake', {})
      return values
    })
    expect(read).toEqual(bare)
  })

  test('is valid with every # before a key removed', () => {
    const content: unknown = parse(uncovered())
    expect(configSchema.safeParse(content).error?.issues).toBeUndefined()
  })

  test('has every key that exists, and no other', () => {
    const known = keysOf(configSchema)
    const isGeneral = (key: string) => {
      const inner = key.replace(/^accounts\./, '')
      return inner !== key && known.includes(inner)
    }
    const there = pathsIn(parse(uncovered()))
    expect(known.length).toBeGreaterThan(90)
    expect(known.filter((key) => !there.includes(key) && !isGeneral(key))).toEqual([])
  })

  test('shows the defaults: only examples differ', () => {
    const { accounts: _accounts, accounting: _programs, ...said } = parse(uncovered())
    const { thresholds, sweeps, source, duckdb, schedule, bank_holidays, report } =
      configSchema.parse({})
    const defaults = { thresholds, sweeps, source, duckdb, schedule, bank_holidays, report }
    expect(said).toMatchObject(defaults)
    const plain = { lookback_days: said.lookback_days, currency: said.currency, out: said.out }
    expect(configSchema.parse({})).toMatchObject(plain)
  })
})

describe('settings that only the config file has', () => {
  /** Another valid value than the one that holds without it. */
  const OTHERS: Record<string, unknown> = {
    USD: 'EUR',
    '04:15': '05:30',
    '0600': '0640',
    list: 'import',
    decimal: 'cents',
    ',': ';',
    '.': ',',
    '': "'",
    'utf-8': 'windows-1252',
    false: true,
    'DD/MM/YYYY HH:mm:ss': 'YYYY-MM-DD',
    'America/New_York': 'Europe/Berlin',
    CHARGE: 'REFUND',
    REFUND: 'VERIFY',
    COMPLETE: 'PENDING',
    '4GB': '3GB',
    viewer: 'preparer',
    published: 'withheld',
    withheld: 'failed',
    failed: 'late',
    late: 'published',
    info: 'warning',
  }
  const other = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.length === 0 ? value : value.map(other)
    if (typeof value === 'object' && value !== null) {
      return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, other(inner)]))
    }
    if (typeof value === 'number') return value + 1
    const text = String(value)
    return OTHERS[text] ?? `${text}2`
  }
  const OPTION_KEYS = Object.keys(OPTIONS)
  const said = Object.fromEntries(
    Object.entries(parse(uncovered()) as Record<string, unknown>)
      .filter(([key]) => ![...OPTION_KEYS, 'accounts', 'accounting'].includes(key))
      .map(([key, value]) => [key, other(value)]),
  )

  test('every value of the file goes before its default, and is shown with its key', () => {
    const config = fileWith(stringify(said))
    const before = new Map(
      shownSettings({}, {})[0]?.settings.map((setting) => [setting.key, setting]),
    )
    const shown = (shownSettings({ config }, {})[0]?.settings ?? []).filter(
      ({ name }) => name.startsWith(config) && name !== config,
    )
    const numbered = shown.filter(({ value }) => !['{}', '[]'].includes(value))
    expect(numbered.length).toBeGreaterThan(60)
    for (const { key, value, from, name } of numbered) {
      expect([key, from, name]).toEqual([key, 'file', `${config}:${key}`])
      expect([key, value]).not.toEqual([key, before.get(key)?.value])
      const path = key.startsWith('import.') ? importPath(key) : key.split('.')
      const inFile = path.reduce<unknown>((at, part) => Reflect.get(Object(at), part), said)
      const inWords = Array.isArray(inFile) ? JSON.stringify(inFile) : String(inFile)
      expect([key, value]).toEqual([key, inWords])
    }
  })

  /** The fields of an import hold dots themselves. */
  const importPath = (key: string) => {
    const [top = '', list = '', part = '', ...field] = key.split('.')
    if (field.length === 0) return [top, list, part]
    if (part !== 'words') return [top, list, part, field.join('.')]
    return [top, list, part, field.slice(0, -1).join('.'), field.at(-1) ?? '']
  }

  test('all settings without a file are defaults', () => {
    const shown = shownSettings({}, {})[0]?.settings ?? []
    expect(shown.length).toBeGreaterThan(50)
    expect(shown.filter(({ from }) => from !== 'default')).toEqual([])
  })
})

describe('no secret is shown', () => {
  test('the origin of a secret is shown alone, whether it is a variable or a file', () => {
    const file = fileWith('canary-in-a-file\n', 'password')
    const { TIEOUT_API_PASSWORD: _password, ...rest } = CREDENTIALS
    const env = {
      ...rest,
      TIEOUT_API_PASSWORD_FILE: file,
      TIEOUT_LAKE: "postgres:dbname=lake host=db user=u password='canary space' sslmode=require",
    }
    const config = fileWith(
      'source: { headers: { X-Access-Token: canary-header, X-Version: "2" } }\n',
    )
    const text = JSON.stringify(shownSettings({ config }, env))
    expect(text).not.toContain('canary')
    expect(shownOf('credentials.password', { config }, env)).toEqual({
      key: 'credentials.password',
      value: '[secret]',
      from: 'environment',
      name: 'TIEOUT_API_PASSWORD_FILE',
    })
    expect(shownOf('source.headers.X-Version', { config }, env)?.value).toBe('2')
    expect(shownOf('lake', { config }, env)?.value).toBe(
      'postgres:dbname=lake host=db user=u password=[secret] sslmode=require',
    )
    const url = { TIEOUT_LAKE: 'postgres://u:canary@db/lake' }
    expect(shownOf('lake', {}, url)?.value).toBe('postgres://u:[secret]@db/lake')
  })

  test('an account with its own variables is shown with them', () => {
    const config = fileWith(
      'accounts:\n  - { name: acme, credentials: { user: ACME_USER, password: ACME_PASSWORD_FILE } }\n',
    )
    const env = { ...CREDENTIALS, ACME_USER: 'canary', ACME_PASSWORD_FILE: '/run/secrets/acme' }
    expect(shownOf('credentials.user', { config }, env)?.name).toBe('ACME_USER')
    expect(shownOf('credentials.password', { config }, env)).toMatchObject({
      value: '[secret]',
      name: 'ACME_PASSWORD_FILE',
    })
    expect(shownOf('credentials.application_key', { config }, env)?.name).toBe(
      'TIEOUT_APPLICATION_KEY',
    )
  })
})

describe('a variable with our prefix that is never read is reported, without its value', () => {
  const toldOf = (env: Record<string, string>, file?: string) =>
    unknownVariables(env, () =>
      file === undefined ? undefined : { ...configOf(file), path: file },
    ).map(({ line }) => line)
  const configOf = (file: string) => {
    const account = { credentials: {}, general: configSchema.parse({}), given: {} }
    return {
      ...configSchema.parse({}),
      accounts: [{ ...account, name: 'acme', hash_key: file }],
      given: {},
    }
  }

  test.each([
    ['TIEOUT_TIMEZON', '; did you mean TIEOUT_TIMEZONE?'],
    ['TIEOUT_TIME_ZONE', '; did you mean TIEOUT_TIMEZONE?'],
    ['TIEOUT_APPLICATON_KEY', '; did you mean TIEOUT_APPLICATION_KEY?'],
    ['TIEOUT_API_PASWORD_FILE', '; did you mean TIEOUT_API_PASSWORD_FILE?'],
    ['tieout_lake', '; did you mean TIEOUT_LAKE?'],
    ['TIEOUT_SOMETHING_ELSE_ENTIRELY', ''],
  ])('%s', (name, hint) => {
    expect(toldOf({ [name]: 'canary' })).toEqual([
      `warning: the variable ${name} is unknown and has no effect${hint}`,
    ])
  })

  test('a variable that is read is not reported, nor one that the config file names', () => {
    const options = Object.values(OPTIONS).map((option) =>
      'variable' in option ? option.variable : 'TIEOUT_ACTOR',
    )
    const known = [...options, ...Object.keys(CREDENTIALS), 'TIEOUT_HASH_KEY_FILE', 'PATH']
    expect(toldOf(Object.fromEntries(known.map((name) => [name, 'x'])))).toEqual([])
    expect(toldOf({ TIEOUT_ACME_KEY: 'x' }, 'TIEOUT_ACME_KEY')).toEqual([])
    expect(toldOf({ TIEOUT_ACME_KEY: 'x' })).toHaveLength(1)
  })
})
