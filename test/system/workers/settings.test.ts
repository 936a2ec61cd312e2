/**
 * Goal: a setting is read from the right place, or refused in one line. Method: flags, variables and files, read
 * without a run.
 */
import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Failure } from '../../../domain/failure.ts'
import { parametersOf } from '../../../lake/run/run-variables.ts'
import {
  ensureHashKeys,
  ensurePayloadKey,
  readAccounts,
  readSettings,
  type Flags,
} from '../../../workers/config/settings.ts'
import { tempFolder } from '../../support/temp-lake.ts'

const SOURCE = {
  TIEOUT_BASE_URL: 'https://payments.example.com/v1',
  TIEOUT_API_USER: 'reader',
  TIEOUT_API_PASSWORD: 'swordfish',
  TIEOUT_APPLICATION_KEY: 'open-sesame',
}

function fileWith(text: string, name = 'tieout.yaml'): string {
  const file = join(tempFolder(), name)
  writeFileSync(file, text, { mode: 0o600 })
  return file
}

/** The line that reports a wrong configuration. */
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

test('a wrong value is reported with its origin', () => {
  const config = fileWith('timezone: Mars/Olympus\n')
  const wrong = 'is not an IANA time zone such as America/New_York'
  expect(refusal({}, { config }, 'lake')).toBe(`config_invalid: ${config}:timezone ${wrong}`)
  expect(refusal({}, { timezone: 'Mars' }, 'lake')).toBe(`config_invalid: --timezone ${wrong}`)
  expect(refusal({ TIEOUT_TIMEZONE: 'Mars' }, {}, 'lake')).toBe(
    `config_invalid: TIEOUT_TIMEZONE ${wrong}`,
  )
})

test('a time zone gets its canonical spelling, whatever its origin', () => {
  const config = fileWith('timezone: europe/berlin\naccounts: [{name: a, timezone: us/eastern}]\n')
  expect(readSettings({ config }, 'lake', {}).timezone).toBe('US/Eastern')
  expect(readSettings({}, 'lake', { TIEOUT_TIMEZONE: 'utc' }).timezone).toBe('UTC')
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
  })
})

test.each([
  ['acount: x\n', 'acount is not a key; did you mean account?'],
  ['thresholds: {pending_stale_day: 3}\n', 'did you mean pending_stale_days?'],
  ['source: {password: swordfish}\n', 'source.password is not a key; known keys: paths'],
  ['schedule: {at: "25:00"}\n', 'schedule.at: is not a time such as 04:15'],
  ['lookback_days: many\n', 'lookback_days: '],
  ['currency: dollars\n', 'currency: is not a currency such as USD'],
  [
    'accounts: [{name: a, tmezone: UTC}]\n',
    'accounts.0.tmezone is not a key; did you mean timezone?',
  ],
  ['accounts: [{name: a}, {name: a}]\n', 'accounts: a is listed twice'],
  [
    'account: a\naccounts: [{name: a}]\n',
    'account: not allowed here, since accounts gives each account its name',
  ],
  ['accounts: [{name: a, terminals: [x]}]\n', 'accounts.0.terminals.0: is not an id of digits'],
  ['terminals: [9007199254740993]\n', 'terminals.0: needs quotes, since it is above 2^53'],
  [
    'accounts: [{name: a, credentials: {password: swordfish}}]\n',
    'accounts.0.credentials.password: is not the name of a variable',
  ],
  ['accounting: {xero: {datum: D}}\n', 'accounting.xero.datum is not a key; did you mean date?'],
  ['accounting: {grup: day}\n', 'accounting.grup is not a key; did you mean group?'],
  ['accounting: {group: week}\n', 'accounting.group: Invalid option'],
  ['accounting: {programs: [sap]}\n', 'accounting.programs.0: Invalid option'],
  [
    'import: {transactions: {columns: {transactionid: x}}}\n',
    'import.transactions.columns.transactionid is not a key; did you mean transactionId?',
  ],
  [
    'chart_of_accounts: {clearin: {account: "1", name: n}}\n',
    'chart_of_accounts.clearin is not a key; did you mean clearing?',
  ],
  ['report: {mode: 0640}\n', 'report.mode: is not a text such as "0640"'],
  ['report: {mode: "0666"}\n', 'report.mode: is not a mode such as "0640", without write'],
  ['report: {mode: "0440"}\n', 'report.mode: is not a mode such as "0640", without write'],
  ['duckdb: {memory_limit: lots}\n', 'duckdb.memory_limit: is not a size such as 4GB'],
  ['duckdb: {memory_limit: 0GB}\n', 'duckdb.memory_limit: is not between 100MB and 1000TB'],
  ['duckdb: {memory_limit: 99MB}\n', 'duckdb.memory_limit: is not between 100MB and 1000TB'],
  ['duckdb: {memory_limit: 99999999TB}\n', 'duckdb.memory_limit: is not between 100MB and 1000TB'],
  ['duckdb: {threads: 5000}\n', 'duckdb.threads: is more than this machine of '],
  ['duckdb:\n  threads: 2\n  memory_limit: lots\n', ', line 3, column 3: duckdb.memory_limit'],
  ['currency: USD\n\ntime_zone: UTC\n', ', line 3, column 1: time_zone is not a key'],
  [
    'accounts:\n  - name: a\n  - name: b\n    thresholds: {unsettled_days: x}\n',
    ', line 4, column 18: accounts.1.thresholds.unsettled_days',
  ],
  ['accounts:\n  - currency: USD\n', ', line 2, column 5: accounts.0.name'],
  ['a: b: c\n', ", line 1, column 4 can't be read as YAML: a second colon on the line"],
  ['a:\n  b: 1\n\tc: 2\n', ", line 3, column 1 can't be read as YAML: the indentation has a tab"],
  ['a: 1\nb: 2\na: swordfish\n', ", line 3, column 1 can't be read as YAML: the key occurs"],
  ['a: [1,\nb: "swordfish', ", line 2, column 1 can't be read as YAML: the indentation"],
  ['a: "swordfish\n', ", line 2, column 1 can't be read as YAML: a quote, a bracket"],
  ['a: *swordfish\n', "can't be read as YAML: an alias refers to a missing anchor"],
  ['thresholds: {unsettled_days: 1e12}\n', 'thresholds.unsettled_days: Too big'],
  ['source: {timeout_ms: 99999999999}\n', 'source.timeout_ms: Too big'],
])('a mistake in the config file is reported in one line: %s', (text, told) => {
  const line = refusal({}, { config: fileWith(text) }, 'lake')
  expect(line).toMatch(/^config_invalid: the config file /)
  expect(line).toContain(told)
  expect(line).not.toContain('\n')
  expect(line).not.toContain('swordfish')
})

test.each([
  ['TIEOUT_LAKE', '/x/a\\b', 'has a name with a backslash'],
  ['TIEOUT_LAKE', 's3://bucket/lake', 'is an address, not a folder'],
  ['TIEOUT_LAKE', 'sqlite:/x/a\\b/c.db', 'has a name with a backslash'],
  ['TIEOUT_LAKE_DATA', '/x/a\\b', 'has a name with a backslash'],
  ['TIEOUT_LAKE_DATA', 's3://bucket/a?b', 'may hold only letters, digits and'],
  ['TIEOUT_LAKE_DATA', 's3://bucket/a#b', 'may hold only letters, digits and'],
  ['TIEOUT_OUT', 'gs://bucket/out', 'is neither a folder nor s3://…'],
  ['TIEOUT_OUT', 's3://bucket', 'is not an address such as s3://bucket/prefix'],
  ['TIEOUT_OUT', 's3://bucket/a b', 'may hold only letters, digits and'],
  ['TIEOUT_OUT', 's3://bucket/a/../b', 'has an empty part, or a part such as ..'],
  ['TIEOUT_OUT', 's3://bucket/a//b', 'has an empty part, or a part such as ..'],
  ['TIEOUT_OUT', '/x/a\\b', 'has a name with a backslash'],
])(
  '%s=%s is refused, because the folder that is made would have another name',
  (name, value, why) => {
    expect(refusal({ [name]: value }, {}, 'lake')).toContain(`config_invalid: ${name} ${why}`)
  },
)

test.each(['a#b', 'a?b', 'a%20b', "a'b", 'a"b', 'a b', 'äöü', '日本', 'a*[b]{c}', 'a=b'])(
  'a folder may have the name %s',
  (name) => {
    const { lake, out } = readSettings({ lake: `/x/${name}`, out: `/y/${name}` }, 'lake', {})
    expect([lake.folder, lake.data, out]).toEqual([
      `/x/${name}`,
      `/x/${name}/parquet`,
      `/y/${name}`,
    ])
  },
)

test('a config file that is a folder is reported as a folder', () => {
  const config = tempFolder()
  expect(refusal({}, { config }, 'lake')).toBe(
    `config_invalid: the config file ${config} can't be read: it is a folder (EISDIR)`,
  )
})

test('a named but absent config file is an error', () => {
  expect(refusal({ TIEOUT_CONFIG: '/nowhere/tieout.yaml' })).toBe(
    'config_invalid: TIEOUT_CONFIG names /nowhere/tieout.yaml, which does not exist',
  )
})

test.each(Object.keys(SOURCE))(
  'a real run without %s does not start, and the error names it',
  (name) => {
    expect(refusal({ ...SOURCE, [name]: '' })).toMatch(
      new RegExp(`^config_missing: ${name} is not set`),
    )
  },
)

test('the mode of packs is octal, and each account may have its own', () => {
  const config = fileWith(
    'report: {mode: "0640"}\naccounts: [{name: a}, {name: b, report: {mode: "660"}}]\n',
  )
  expect(readAccounts({ config }, 'lake', {}).map(({ packMode }) => packMode)).toEqual([
    0o640, 0o660,
  ])
  expect(readSettings({}, 'lake', {}).packMode).toBe(0o600)
})

test('a command that only reads the lake requires no credentials', () => {
  expect(refusal({}, {}, 'lake')).toBe('accepted')
  expect(readSettings({}, 'lake', SOURCE).source).toBeUndefined()
})

test.each([
  ['http://payments.example.com', 'is neither https nor http on a loopback address'],
  ['https://reader:swordfish@payments.example.com', 'holds a user or a password'],
  ['https://payments.example.com/?key=swordfish', 'holds a query or a fragment'],
  ['payments', 'is not an address'],
  ...[
    'https://169.254.169.254/latest',
    'https://[fe80::1]/v1',
    'https://2852039166/',
    'https://[::ffff:169.254.1.1]/',
  ].map((url) => [url, 'is a link-local address, at which clouds keep secrets']),
])('the base address %s is refused without being repeated', (address, why) => {
  const line = refusal({ ...SOURCE, TIEOUT_BASE_URL: address })
  expect(line).toBe(`config_invalid: TIEOUT_BASE_URL ${why}`)
})

test('a link-local base address is accepted if the config file allows it', () => {
  const config = fileWith('source: {allow_link_local: true}\n')
  const env = { ...SOURCE, TIEOUT_BASE_URL: 'https://169.254.169.254/v1' }
  expect(refusal(env, { config })).toBe('accepted')
})

test.each(['https://payments.example.com/v1', 'http://127.0.0.1:4000/v1', 'http://localhost:1'])(
  'the base address %s is accepted',
  (address) => {
    expect(refusal({ ...SOURCE, TIEOUT_BASE_URL: address })).toBe('accepted')
  },
)

test('a secret may come from a file that the environment names, and is never shown', () => {
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
    "config_invalid: TIEOUT_API_PASSWORD_FILE names a file that can't be read: there is no such file or folder (ENOENT)",
  )
})

test.each([
  [0o604, 'read'],
  [0o640, 'read'],
  [0o644, 'read'],
  [0o602, 'written'],
  [0o620, 'written'],
])('a secret file with the rights %o is refused, because it can be %s', (rights, may) => {
  const file = fileWith('swordfish')
  chmodSync(file, rights)
  const { TIEOUT_API_PASSWORD: _, ...rest } = SOURCE
  expect(refusal({ ...rest, TIEOUT_API_PASSWORD_FILE: file })).toBe(
    `config_invalid: TIEOUT_API_PASSWORD_FILE can be ${may} by other users of this machine`,
  )
  chmodSync(file, 0o400)
  const settings = readSettings({}, 'source', { ...rest, TIEOUT_API_PASSWORD_FILE: file })
  expect(settings.source?.password.reveal()).toBe('swordfish')
})

test.each([
  [{ TIEOUT_ACCOUNT: '../up' }, 'TIEOUT_ACCOUNT'],
  [{ TIEOUT_TIMEZONE: 'Mars/Olympus' }, 'TIEOUT_TIMEZONE'],
])('an invalid value is reported with its name: %o', (env, name) => {
  expect(refusal(env, {}, 'lake')).toMatch(new RegExp(`^config_invalid: ${name} `))
})

test('a local lake has catalog, data and key in one folder; a named catalog brings its own folder', () => {
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
    'config_missing: TIEOUT_HASH_KEY is not set, and a shared lake needs it',
  )
  expect(refusal({ ...env, TIEOUT_HASH_KEY: 'k' }, {}, 'lake')).toBe('accepted')
  const given = { TIEOUT_LAKE_DATA: 's3://bucket/lake' }
  expect(refusal({ ...given, AWS_ACCESS_KEY_ID: 'id' }, {}, 'lake')).toMatch(/^config_missing/)
  expect(refusal({ ...given, TIEOUT_HASH_KEY: 'k' }, {}, 'lake')).toBe('accepted')
})

const STORE = {
  TIEOUT_HASH_KEY: 'k',
  AWS_ACCESS_KEY_ID: 'id',
  AWS_SECRET_ACCESS_KEY: 'swordfish',
  TIEOUT_LAKE_DATA: 's3://bucket/lake',
}

test('the catalog in PostgreSQL is named by an address or by keywords, without its password', () => {
  const catalogOf = (place: string) =>
    readSettings({}, 'lake', { ...STORE, TIEOUT_LAKE: place, TIEOUT_LAKE_PASSWORD: 'sesame' }).lake
  const words = 'host=db.example.com port=5433 user=lake dbname=books sslmode=require'
  const address = 'postgres://lake@db.example.com:5433/books?sslmode=require'
  expect(catalogOf(address).catalog).toBe(`postgres:${words}`)
  expect(catalogOf(`postgres:${words}`).catalog).toBe(`postgres:${words}`)
  expect(catalogOf(address).password?.reveal()).toBe('sesame')
  expect(catalogOf(address).folder).toMatch(/\/data$/)
  for (const place of ['postgres://lake:sesame@db/books', 'postgres:host=db password=sesame']) {
    const told = refusal({ ...STORE, TIEOUT_LAKE: place }, {}, 'lake')
    expect(told).toBe(
      'config_invalid: TIEOUT_LAKE holds a password, which belongs in TIEOUT_LAKE_PASSWORD',
    )
  }
})

test('an object store is named by Amazon’s variables, each secret by a file as well', async () => {
  const { AWS_SECRET_ACCESS_KEY: _given, ...without } = STORE
  expect(refusal(without, {}, 'lake')).toMatch(/^config_missing: AWS_SECRET_ACCESS_KEY is not set/)
  const file = fileWith('from-a-file\n', 'secret')
  const env = { ...without, AWS_SECRET_ACCESS_KEY_FILE: file, AWS_ENDPOINT_URL: 'http://store:9' }
  const { store, data } = readSettings({}, 'lake', env).lake
  expect([data, store?.endpoint, store?.region]).toEqual([
    's3://bucket/lake',
    'http://store:9',
    'us-east-1',
  ])
  const keys = await store?.keys()
  expect(keys?.secretKey.reveal()).toBe('from-a-file')
  expect(JSON.stringify([store, keys])).not.toContain('from-a-file')
  expect(refusal({ ...STORE, TIEOUT_LAKE_DATA: 's3://bucket' }, {}, 'lake')).toMatch(
    /^config_invalid: TIEOUT_LAKE_DATA /,
  )
})

test('a lake whose databases have a longer path than SQLite opens is refused before anything is made', () => {
  const folderOf = (bytes: number) => `/${'a'.repeat(200)}/${'b'.repeat(bytes - 202)}`
  const why = 'gives a database a path of 505 bytes, and SQLite opens none above 504'
  expect(refusal({ TIEOUT_LAKE: folderOf(483) }, {}, 'lake')).toBe('accepted')
  expect(refusal({ TIEOUT_LAKE: folderOf(484) }, {}, 'lake')).toBe(
    `config_invalid: TIEOUT_LAKE ${why}`,
  )
  const lake = `sqlite:${folderOf(506).slice(0, -1)}`
  expect(refusal({}, { lake }, 'lake')).toBe(`config_invalid: --lake ${why}`)
})

test('the key of a local lake is made once, for its owner only, outside the data', () => {
  const folder = join(tempFolder(), 'lake')
  const settings = readSettings({ lake: folder }, 'lake', {})
  const key = ensureHashKeys(settings).first.reveal()
  expect(key).toMatch(/^[0-9a-f]{64}$/)
  expect(ensureHashKeys(settings).first.reveal()).toBe(key)
  expect(readFileSync(join(folder, 'hash.key'), 'utf8').trim()).toBe(key)
  expect(statSync(join(folder, 'hash.key')).mode & 0o777).toBe(0o600)
  expect(statSync(folder).mode & 0o777).toBe(0o700)
})

test('a key ring leaves the key of what Temporal stores as it was', () => {
  const ring = { ...SOURCE, TIEOUT_HASH_KEY: 'first\nsecond' }
  const { hashKeys, payloadKey } = readSettings({}, 'lake', ring)
  expect(hashKeys?.later.map((key) => key.reveal())).toEqual(['second'])
  expect(payloadKey?.reveal()).toBe('first')
  const own = readSettings({}, 'lake', { ...ring, TIEOUT_PAYLOAD_KEY: 'own' })
  expect(own.payloadKey?.reveal()).toBe('own')
  const folder = join(tempFolder(), 'lake')
  const local = readSettings({ lake: folder }, 'lake', {})
  const { first } = ensureHashKeys(local)
  writeFileSync(join(folder, 'hash.key'), `${first.reveal()}\nsecond\n`)
  expect(ensureHashKeys(local).later.map((key) => key.reveal())).toEqual(['second'])
  expect(ensurePayloadKey(local).reveal()).toBe(first.reveal())
})

test('a lake folder that can’t be made is reported in one line', () => {
  const folder = join(fileWith('', 'no-folder'), 'lake')
  expect(() => ensureHashKeys(readSettings({ lake: folder }, 'lake', {}))).toThrow(
    "can't be written",
  )
})

const ACCOUNTS = `timezone: Europe/Berlin
thresholds: {unsettled_days: 9, pending_stale_days: 4}
source: {headers: {X-Version: "1"}, page_size: 200}
accounts:
  - name: acme
    base_url: https://acme.example.com
    credentials: {user: ACME_USER, password: ACME_PASSWORD_FILE}
    hash_key: ACME_HASH_KEY
    timezone: America/New_York
    thresholds: {pending_stale_days: 1}
    terminals: [1001, "9223372036854775807"]
  - name: bolt
    currency: EUR
    source: {page_size: 50}
`

test('an account has its own settings, and the rest of the file is for all accounts', () => {
  const password = fileWith('swordfish\n', 'password')
  const env = {
    ...SOURCE,
    TIEOUT_CONFIG: fileWith(ACCOUNTS),
    ACME_USER: 'acme-reader',
    ACME_PASSWORD_FILE: password,
    ACME_HASH_KEY: 'acme-key',
  }
  const [acme, bolt, ...more] = readAccounts({}, 'source', env)
  expect(more).toEqual([])
  expect(acme).toMatchObject({
    account: 'acme',
    timezone: 'America/New_York',
    currency: 'USD',
    thresholds: { pending_stale_days: 1, unsettled_days: 9 },
    terminals: ['1001', '9223372036854775807'],
    source: { baseUrl: 'https://acme.example.com', user: 'acme-reader', pageSize: 200 },
  })
  expect(acme.source?.password.reveal()).toBe('swordfish')
  expect(acme.hashKeys?.first.reveal()).toBe('acme-key')
  expect(bolt).toMatchObject({
    account: 'bolt',
    timezone: 'Europe/Berlin',
    currency: 'EUR',
    thresholds: { pending_stale_days: 4, unsettled_days: 9 },
    terminals: [],
    source: { baseUrl: SOURCE.TIEOUT_BASE_URL, user: 'reader', pageSize: 50 },
  })
  expect(bolt?.source?.headers).toEqual({ 'X-Version': '1' })
  expect(readSettings({ account: 'bolt' }, 'source', env).account).toBe('bolt')
  expect(() => readSettings({}, 'source', env)).toThrow('lists several accounts: acme, bolt')
})

test('a missing setting of one account stops that account alone, and fails at once if the account was chosen', () => {
  const env = { ...SOURCE, TIEOUT_CONFIG: fileWith(ACCOUNTS), ACME_USER: 'u', ACME_HASH_KEY: 'k' }
  const [acme, bolt] = readAccounts({}, 'source', env)
  expect(acme.trouble?.message).toBe('ACME_PASSWORD_FILE is not set')
  expect(bolt?.trouble).toBeUndefined()
  expect(refusal(env, { account: 'acme' })).toBe('config_missing: ACME_PASSWORD_FILE is not set')
  // A key that is named and absent is never replaced by another one: all its cards would look new.
  expect(refusal({ ...env, ACME_HASH_KEY: '' }, { account: 'acme' }, 'lake')).toBe(
    'config_missing: ACME_HASH_KEY is not set (nor ACME_HASH_KEY_FILE)',
  )
})

test.each([
  ['xero: {headings: {Date: Day}}', 'accounting.xero.headings.Date is not a heading'],
  ['xero: {date: nonsense}', 'accounting.xero.date'],
  ['netsuite: {cells: {Memo: "{nothing}"}}', 'accounting.netsuite.cells.Memo'],
])('an impossible setting of an accounting program is refused before a run: %s', (text, told) => {
  const line = refusal({}, { config: fileWith(`accounting: {${text}}\n`) }, 'lake')
  expect(line).toMatch(/^config_invalid: /)
  expect(line).toContain(told)
})

test('the settings of the accounting files are in the parameters of a pack', () => {
  const config = fileWith('accounting: {xero: {date: YYYY-MM-DD}}\n')
  const settings = readSettings({ config }, 'lake', {})
  expect(JSON.parse(parametersOf(settings).text)).toMatchObject({
    accounting: { group: 'day', by_terminal: false, xero: { date: 'YYYY-MM-DD' } },
  })
})

test('the address of the webhook comes from the environment or a file that it names, and is never printed', () => {
  const url = 'https://hooks.example.com/services/Sesame-4c1d'
  const file = fileWith(`${url}\n`, 'hook')
  for (const env of [{ TIEOUT_WEBHOOK_URL: url }, { TIEOUT_WEBHOOK_URL_FILE: file }]) {
    const settings = readSettings({}, 'lake', env)
    expect(settings.webhook?.url.reveal()).toBe(url)
    expect(JSON.stringify(settings)).not.toContain('Sesame')
    expect(parametersOf(settings)).toEqual(parametersOf(readSettings({}, 'lake', {})))
  }
  expect(readSettings({}, 'lake', {}).webhook).toBeUndefined()
})

test('a webhook that others on the way could read is refused without its address', () => {
  expect(refusal({ TIEOUT_WEBHOOK_URL: 'http://hooks.example.com/Sesame-4c1d' }, {}, 'lake')).toBe(
    'config_invalid: TIEOUT_WEBHOOK_URL is neither https nor http on a loopback address',
  )
  const config = fileWith('webhook_url: https://hooks.example.com/Sesame-4c1d\n')
  expect(refusal({ TIEOUT_CONFIG: config }, {}, 'lake')).toContain('webhook_url is not a key')
})
