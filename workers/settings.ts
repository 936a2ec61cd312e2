/** The effective settings: flag, else environment, else config file, else default. */
import { randomBytes } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { readAddress } from '../api/address.ts'
import { isTimeZone } from '../domain/business-day.ts'
import { DEFAULT_CHART } from '../domain/chart.ts'
import { Failure } from '../domain/failure.ts'
import {
  Secret,
  type LakeSettings,
  type Settings,
  type SourceSettings,
} from '../domain/settings.ts'
import { defaultConfig, readConfigFile, type ConfigFile } from './config-file.ts'

type Environment = Readonly<Record<string, string | undefined>>

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

/** Reads everything. Throws config_missing or config_invalid naming the variable; nothing is opened or sent. */
export function readSettings(
  flags: Flags = {},
  needs: Needs = 'lake',
  env: Environment = process.env,
): Settings {
  const file = configFile(flags, env)
  const lake = lakeSettings(flags, env, file)
  return {
    account: checkedName(first(flags.account, env['TIEOUT_ACCOUNT'], file.account)),
    timezone: checkedZone(first(flags.timezone, env['TIEOUT_TIMEZONE'], file.timezone)),
    csvProfile: checkedProfile(first(flags.csvProfile, file.csv_profile)),
    currency: file.currency,
    out: resolve(first(flags.out, env['TIEOUT_OUT'], file.out)),
    source: needs === 'source' ? sourceSettings(flags, env, file) : undefined,
    lake,
    thresholds: file.thresholds,
    lookbackDays: file.lookback_days,
    scheduleAt: file.schedule.at,
    chartOfAccounts: { ...DEFAULT_CHART, ...file.chart_of_accounts },
    hashKey: givenKey(env, lake),
  }
}

/** The value set nearest to the person: flag, environment, file or default, in this order. */
function first(...values: [...(string | undefined)[], string]): string {
  return values.find((value) => value !== undefined && value !== '') ?? ''
}

function checkedName(account: string): string {
  if (NAME.test(account)) return account
  throw invalid('TIEOUT_ACCOUNT', 'may hold letters, digits, . _ - only, 80 at most')
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

function sourceSettings(flags: Flags, env: Environment, file: ConfigFile): SourceSettings {
  const baseUrl = first(flags.baseUrl, env['TIEOUT_BASE_URL'], file.base_url ?? '')
  if (baseUrl === '') throw new Failure('config_missing', 'TIEOUT_BASE_URL is not set')
  const { paths, query, headers, page_size, timeout_ms, retry_budget_ms } = file.source
  const source = {
    baseUrl,
    user: required(env, 'TIEOUT_API_USER'),
    password: new Secret(required(env, 'TIEOUT_API_PASSWORD')),
    applicationKey: new Secret(required(env, 'TIEOUT_APPLICATION_KEY')),
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

function required(env: Environment, name: string): string {
  const value = secretFrom(env, name)
  if (value === '') {
    throw new Failure('config_missing', `${name} is not set (nor ${name}_FILE)`)
  }
  return value
}

/** A secret from the environment, or from the file that the environment names. */
function secretFrom(env: Environment, name: string): string {
  const file = env[`${name}_FILE`] ?? ''
  const given = env[name] ?? ''
  if (given !== '' || file === '') return given
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (cause) {
    throw new Failure('config_invalid', `${name}_FILE names a file that can't be read`, { cause })
  }
}

/** A local lake may go without a key: one is made beside it. A shared lake needs one that all its workers share. */
function givenKey(env: Environment, lake: LakeSettings): Secret | undefined {
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
