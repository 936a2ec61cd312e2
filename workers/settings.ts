/** The effective settings: flag, else environment, else config file, else default. */
import { randomBytes } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { readAddress } from '../api/address.ts'
import { checkWebhook } from '../api/webhook.ts'
import { printable } from '../api/excerpt.ts'
import { isTimeZone } from '../domain/business-day.ts'
import { DEFAULT_CHART } from '../domain/chart.ts'
import type { ImportList, ImportReading } from '../domain/import.ts'
import { assert, Failure } from '../domain/failure.ts'
import {
  Secret,
  type LakeSettings,
  type Settings,
  type SourceSettings,
} from '../domain/settings.ts'
import { programFormats } from '../reports/accounting/presets.ts'
import { programRenderer } from '../reports/accounting/program-renderer.ts'
import {
  defaultConfig,
  readConfigFile,
  type ConfigFile,
  type General,
  type ListedAccount,
} from './config-file.ts'
import { required, secretFrom, type Environment } from './secret-from.ts'

/** What the command line can set; secrets are not among it. */
export interface Flags {
  config?: string
  account?: string
  baseUrl?: string
  lake?: string
  lakeData?: string
  out?: string
  timezone?: string
  csvProfile?: string
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$/
const DEFAULT_CONFIG = 'tieout.yaml'

/** What a command needs to be told: one that only reads the lake asks for no credentials. */
export type Needs = 'source' | 'lake'

interface Reading {
  flags: Flags
  env: Environment
  file: ConfigFile
  needs: Needs
  lake: LakeSettings
}

/**
 * Reads everything for one account. Throws config_missing or config_invalid naming the variable, and usage where the
 * config file lists several accounts and none is chosen; nothing is opened or sent.
 */
export function readSettings(
  flags: Flags = {},
  needs: Needs = 'lake',
  env: Environment = process.env,
): Settings {
  const accounts = readAccounts(flags, needs, env)
  const [only, ...others] = accounts
  if (others.length === 0) return only
  const names = accounts.map(({ account }) => account).join(', ')
  throw new Failure('usage', `the config file lists several accounts: ${names}`, {
    remedy: 'choose one with --account',
  })
}

/**
 * Reads everything for the account that is chosen, or for all that the config file lists. What is wrong for one of
 * several is its `trouble`; what is wrong for all, or for the only one, is thrown: config_missing or config_invalid.
 */
export function readAccounts(
  flags: Flags = {},
  needs: Needs = 'lake',
  env: Environment = process.env,
): [Settings, ...Settings[]] {
  const file = configFile(flags, env)
  const reading = { flags, env, file, needs, lake: lakeSettings(flags, env, file) }
  const chosen = chosenAccounts(reading)
  const [only, ...others] = chosen.map((account) => settingsOf(account, reading))
  assert(only !== undefined, 'an account is chosen')
  if (others.length === 0 && only.trouble !== undefined) throw only.trouble
  return [only, ...others]
}

function chosenAccounts({ flags, env, file }: Reading): ListedAccount[] {
  const named = first(flags.account, env['TIEOUT_ACCOUNT'], file.account, '')
  if (file.accounts.length === 0) {
    const name = checkedName(named === '' ? 'default' : named)
    return [{ name, credentials: {}, general: file }]
  }
  for (const { name } of file.accounts)
    checkedName(name, `accounts: the name ${printable(name, 40)}`)
  if (named === '') return [...file.accounts]
  const chosen = file.accounts.filter(({ name }) => name === named)
  if (chosen.length > 0) return chosen
  const known = file.accounts.map(({ name }) => name).join(', ')
  throw new Failure(
    'usage',
    `the config file lists no account ${checkedName(named)}; it lists ${known}`,
  )
}

function settingsOf(account: ListedAccount, reading: Reading): Settings {
  const { flags, env, file, lake, needs } = reading
  const { general } = account
  const chartOfAccounts = { ...DEFAULT_CHART, ...general.chart_of_accounts }
  const settings: Settings = {
    account: account.name,
    timezone: checkedZone(
      first(flags.timezone, account.timezone, env['TIEOUT_TIMEZONE'], general.timezone, 'UTC'),
    ),
    csvProfile: checkedProfile(first(flags.csvProfile, file.csv_profile)),
    currency: general.currency,
    out: resolve(first(flags.out, env['TIEOUT_OUT'], file.out)),
    source: undefined,
    terminals: general.terminals,
    lake,
    thresholds: general.thresholds,
    bankHolidays: general.bank_holidays,
    lookbackDays: general.lookback_days,
    sweeps: {
      wholeEveryDays: general.sweeps.audit_days,
      lookbackDays: general.sweeps.lookback_days,
      openDays: general.sweeps.open_days,
    },
    scheduleAt: general.schedule.at,
    chartOfAccounts,
    transactionsFrom: general.transactions.source,
    imports: readings(general.import),
    accounting: checkedAccounting(general.accounting, chartOfAccounts),
    hashKey: undefined,
    webhook: checkedWebhook(secretFrom(env, 'TIEOUT_WEBHOOK_URL')),
  }
  try {
    const hashKey = givenKey(env, lake, account.hash_key)
    const source = needs === 'source' ? sourceSettings(account, reading) : undefined
    return { ...settings, hashKey, source }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return { ...settings, trouble: error }
  }
}

/** The value set nearest to the person: flag, environment, file or default, in this order. */
function first(...values: [...(string | undefined)[], string]): string {
  return values.find((value) => value !== undefined && value !== '') ?? ''
}

function checkedName(account: string, what = 'TIEOUT_ACCOUNT'): string {
  if (NAME.test(account)) return account
  throw invalid(what, 'may hold letters, digits, . _ - only, 80 at most')
}

/** A heading that a program has not, or a cell that can't be written, is told before a run and not at its end. */
function checkedAccounting(
  accounting: General['accounting'],
  chart: Settings['chartOfAccounts'],
): General['accounting'] {
  const { plain_text: _plain, ...programs } = accounting
  for (const format of programFormats(programs)) programRenderer(format, chart)
  return accounting
}

/** Its path is what lets one post there, so that all of it is a secret. */
function checkedWebhook(url: string): Secret | undefined {
  if (url === '') return undefined
  checkWebhook(url)
  return new Secret(url)
}

/** A column that the file leaves to its own name is not named at all. */
function readings({
  transactions,
  settlements,
}: General['import']): NonNullable<Settings['imports']> {
  return { transactions: readingOf(transactions), settlements: readingOf(settlements) }
}

function readingOf({ columns, amounts, delimiter }: General['import'][ImportList]): ImportReading {
  const named = Object.entries(columns).flatMap(([field, column]) =>
    column === undefined ? [] : [[field, column] as const],
  )
  return { columns: Object.fromEntries(named), amounts, delimiter }
}

function checkedZone(zone: string): string {
  if (isTimeZone(zone)) return zone
  throw invalid('TIEOUT_TIMEZONE', 'is no IANA time zone')
}

function checkedProfile(profile: string): Settings['csvProfile'] {
  if (profile === 'machine' || profile === 'excel') return profile
  throw invalid('--csv-profile', 'is machine or excel')
}

function configFile(flags: Flags, env: Environment): ConfigFile {
  const named = first(flags.config, env['TIEOUT_CONFIG'], '')
  if (named !== '') {
    if (!existsSync(named)) throw invalid('--config', `names ${named}, which is not there`)
    return readConfigFile(named)
  }
  return existsSync(DEFAULT_CONFIG) ? readConfigFile(DEFAULT_CONFIG) : defaultConfig()
}

function lakeSettings(flags: Flags, env: Environment, file: ConfigFile): LakeSettings {
  const place = first(flags.lake, env['TIEOUT_LAKE'], file.lake)
  const data = first(flags.lakeData, env['TIEOUT_LAKE_DATA'], file.lake_data ?? '')
  const { memory_limit: memoryLimit, threads } = file.duckdb
  if (place.startsWith('postgres:')) {
    const folder = resolve(data === '' || data.includes('://') ? './data' : data)
    return { catalog: place, data: local(data, folder), folder, memoryLimit, threads }
  }
  const named = place.startsWith('sqlite:') ? resolve(place.slice('sqlite:'.length)) : undefined
  const folder = named === undefined ? resolve(place) : dirname(named)
  const catalog = `sqlite:${named ?? join(folder, 'catalog.sqlite')}`
  return { catalog, data: local(data, folder), folder, memoryLimit, threads }
}

function local(data: string, folder: string): string {
  if (data === '') return join(folder, 'parquet')
  return data.includes('://') || isAbsolute(data) ? data : resolve(data)
}

function sourceSettings(account: ListedAccount, { flags, env }: Reading): SourceSettings {
  const { general, credentials } = account
  const variable = env['TIEOUT_BASE_URL']
  const baseUrl = first(flags.baseUrl, account.base_url, variable, general.base_url, '')
  if (baseUrl === '') throw new Failure('config_missing', 'TIEOUT_BASE_URL is not set')
  const { paths, query, headers, page_size, timeout_ms, retry_budget_ms } = general.source
  const secret = (name: string) => new Secret(required(env, name))
  const source = {
    baseUrl,
    user: required(env, credentials.user ?? 'TIEOUT_API_USER'),
    password: secret(credentials.password ?? 'TIEOUT_API_PASSWORD'),
    applicationKey: secret(credentials.application_key ?? 'TIEOUT_APPLICATION_KEY'),
    paths,
    query,
    headers,
    pageSize: page_size,
    timeout_ms,
    retryBudget_ms: retry_budget_ms,
  }
  // A wrong address is told before anything starts.
  readAddress(source)
  return source
}

/** A local lake may go without a key: one is made beside it. A shared lake needs one that all its workers share. */
function givenKey(env: Environment, lake: LakeSettings, own?: string): Secret | undefined {
  if (own !== undefined) return new Secret(required(env, own))
  const given = secretFrom(env, 'TIEOUT_HASH_KEY')
  if (given !== '') return new Secret(given)
  if (lake.catalog.startsWith('sqlite:') && !lake.data.includes('://')) return undefined
  throw new Failure('config_missing', 'TIEOUT_HASH_KEY is not set, which a shared lake needs')
}

/** The key that was given, or a random one that is made once beside the local catalog. Throws lake_unreachable. */
export function ensureHashKey(settings: Settings): Secret {
  if (settings.hashKey !== undefined) return settings.hashKey
  const { folder } = settings.lake
  const file = join(folder, 'hash.key')
  try {
    if (!existsSync(file)) makeKey(folder, file)
    return new Secret(readFileSync(file, 'utf8').trim())
  } catch (cause) {
    throw new Failure('lake_unreachable', `the folder ${folder} can't be written`, { cause })
  }
}

/** Whoever else makes one at the same time, all read the one that came first, and read it whole. */
function makeKey(folder: string, file: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const scratch = `${file}.${randomBytes(6).toString('hex')}`
  writeFileSync(scratch, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flag: 'wx' })
  try {
    linkSync(scratch, file)
  } catch (error) {
    if (!existsSync(file)) throw error
  } finally {
    rmSync(scratch, { force: true })
  }
}

const invalid = (name: string, what: string) => new Failure('config_invalid', `${name} ${what}`)
