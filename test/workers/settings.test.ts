import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Failure } from '../../domain/failure.ts'
import { ensureHashKey, readSettings, type Flags } from '../../workers/settings.ts'
import { tempFolder } from '../support/temp-lake.ts'

const SOURCE = {
  TIEOUT_BASE_URL: 'https://payments.example.com/v1',
  TIEOUT_API_USER: 'reader',
  TIEOUT_API_PASSWORD: 'swordfish',
  TIEOUT_APPLICATION_KEY: 'open-sesame',
}

function fileWith(text: string, name = 'tieout.yaml'): string {
  const file = join(tempFolder(), name)
  writeFileSync(file, text)
  return file
}

/** The one line that a wrong configuration is told by. */
function refusal(
  env: Record<string, string>,
  flags: Flags = {},
  needs: 'source' | 'lake' = 'source',
) {
  try {
    readSettings(flags, needs, env)
  } catch (error) {
    if (error instanceof Failure) return `${error.code}: ${error.message}`
    throw error
  }
  return 'accepted'
}

test('a flag beats the environment, which beats the config file, which beats the default', () => {
  const config = fileWith('timezone: Europe/Berlin\naccount: from-file\nout: ./from-file\n')
  const env = { TIEOUT_CONFIG: config, TIEOUT_ACCOUNT: 'from-env' }
  expect(readSettings({ account: 'from-flag' }, 'lake', env).account).toBe('from-flag')
  expect(readSettings({}, 'lake', env).account).toBe('from-env')
  expect(readSettings({}, 'lake', env).timezone).toBe('Europe/Berlin')
  expect(readSettings({}, 'lake', {}).timezone).toBe('UTC')
  expect(readSettings({ out: '/x/flag' }, 'lake', { ...env, TIEOUT_OUT: '/x/env' }).out).toBe(
    '/x/flag',
  )
  expect(readSettings({}, 'lake', { ...env, TIEOUT_OUT: '/x/env' }).out).toBe('/x/env')
})

test('an empty variable is the same as none, so that a container file may pass it on', () => {
  const env = { TIEOUT_ACCOUNT: '', TIEOUT_TIMEZONE: '', TIEOUT_LAKE: '', TIEOUT_CONFIG: '' }
  const settings = readSettings({}, 'lake', env)
  expect([settings.account, settings.timezone]).toEqual(['default', 'UTC'])
  expect(settings.lake.folder).toMatch(/\/data$/)
})

test('thresholds of the config file replace the defaults one by one', () => {
  const config = fileWith('thresholds: {unsettled_days: 9}\n')
  expect(readSettings({ config }, 'lake', {}).thresholds).toEqual({
    pending_stale_days: 3,
    unsettled_days: 9,
    cutoff_tolerance_hours: 12,
  })
})

test.each([
  ['acount: x\n', 'acount is no key; did you mean account?'],
  ['thresholds: {pending_stale_day: 3}\n', 'did you mean pending_stale_days?'],
  ['source: {password: swordfish}\n', 'source.password is no key; known here: paths'],
  ['schedule: {at: "25:00"}\n', 'schedule.at: is no time such as 04:15'],
  ['lookback_days: many\n', 'lookback_days: '],
  ['a: b: c\n', "can't be read as YAML"],
])('a mistake in the config file is told in one line: %s', (text, told) => {
  const line = refusal({}, { config: fileWith(text) }, 'lake')
  expect(line).toMatch(/^config_invalid: the config file /)
  expect(line).toContain(told)
  expect(line).not.toContain('\n')
  expect(line).not.toContain('swordfish')
})

test('a config file that is named but absent is an error', () => {
  expect(refusal({ TIEOUT_CONFIG: '/nowhere/tieout.yaml' })).toBe(
    'config_invalid: --config names /nowhere/tieout.yaml, which is not there',
  )
})

test.each(Object.keys(SOURCE))(
  'without %s a real run does not start, and the line names it',
  (name) => {
    expect(refusal({ ...SOURCE, [name]: '' })).toMatch(
      new RegExp(`^config_missing: ${name} is not set`),
    )
  },
)

test('what only reads the lake asks for no credentials', () => {
  expect(refusal({}, {}, 'lake')).toBe('accepted')
  expect(readSettings({}, 'lake', SOURCE).source).toBeUndefined()
})

test.each([
  ['http://payments.example.com', 'is neither https nor http on a loopback address'],
  ['https://reader:swordfish@payments.example.com', 'holds a user or a password'],
  ['https://payments.example.com/?key=swordfish', 'holds a query or a fragment'],
  ['payments', 'is not an address'],
])('the base address %s is refused without being repeated', (address, why) => {
  const line = refusal({ ...SOURCE, TIEOUT_BASE_URL: address })
  expect(line).toBe(`config_invalid: TIEOUT_BASE_URL ${why}`)
})

test.each(['https://payments.example.com/v1', 'http://127.0.0.1:4000/v1', 'http://localhost:1'])(
  'the base address %s is taken',
  (address) => {
    expect(refusal({ ...SOURCE, TIEOUT_BASE_URL: address })).toBe('accepted')
  },
)

test('a secret may come from a file that the environment names, and never shows itself', () => {
  const { TIEOUT_API_PASSWORD: password, ...rest } = SOURCE
  const file = fileWith(`${password}\n`, 'password')
  const settings = readSettings({}, 'source', {
    ...rest,
    TIEOUT_API_PASSWORD: '',
    TIEOUT_API_PASSWORD_FILE: file,
  })
  expect(settings.source?.password.reveal()).toBe(password)
  expect(JSON.stringify(settings) + String(settings.source?.password)).not.toContain(password)
  expect(refusal({ ...rest, TIEOUT_API_PASSWORD_FILE: '/nowhere/password' })).toBe(
    "config_invalid: TIEOUT_API_PASSWORD_FILE names a file that can't be read",
  )
})

test.each([
  [{ TIEOUT_ACCOUNT: '../up' }, 'TIEOUT_ACCOUNT'],
  [{ TIEOUT_TIMEZONE: 'Mars/Olympus' }, 'TIEOUT_TIMEZONE'],
])('a value that can not be is told by its name: %o', (env, name) => {
  expect(refusal(env, {}, 'lake')).toMatch(new RegExp(`^config_invalid: ${name} `))
})

test('a local lake keeps catalog, data and key in one folder; a named catalog brings its own folder', () => {
  const folder = tempFolder()
  expect(readSettings({ lake: folder }, 'lake', {}).lake).toMatchObject({
    catalog: `sqlite:${join(folder, 'catalog.sqlite')}`,
    data: join(folder, 'parquet'),
    folder,
  })
  const catalog = `sqlite:${join(folder, 'books.sqlite')}`
  expect(readSettings({ lake: catalog }, 'lake', {}).lake).toMatchObject({ catalog, folder })
})

test('a shared lake needs the key that all its workers share', () => {
  const env = { TIEOUT_LAKE: 'postgres:dbname=lake host=db' }
  expect(refusal(env, {}, 'lake')).toBe(
    'config_missing: TIEOUT_HASH_KEY is not set, which a shared lake needs',
  )
  expect(refusal({ ...env, TIEOUT_HASH_KEY: 'k' }, {}, 'lake')).toBe('accepted')
  expect(refusal({ TIEOUT_LAKE_DATA: 's3://bucket/lake' }, {}, 'lake')).toMatch(/^config_missing/)
})

test('the key of a local lake is made once, for its owner only, outside the data', () => {
  const folder = join(tempFolder(), 'lake')
  const settings = readSettings({ lake: folder }, 'lake', {})
  const key = ensureHashKey(settings).reveal()
  expect(key).toMatch(/^[0-9a-f]{64}$/)
  expect(ensureHashKey(settings).reveal()).toBe(key)
  expect(readFileSync(join(folder, 'hash.key'), 'utf8').trim()).toBe(key)
  expect(statSync(join(folder, 'hash.key')).mode & 0o777).toBe(0o600)
  expect(statSync(folder).mode & 0o777).toBe(0o700)
})

test('a lake folder that can not be made is told in one line', () => {
  const folder = join(fileWith('', 'no-folder'), 'lake')
  expect(() => ensureHashKey(readSettings({ lake: folder }, 'lake', {}))).toThrow(
    "can't be written",
  )
})
