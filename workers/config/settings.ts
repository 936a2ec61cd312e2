/** The effective settings: flag, else environment, else config file, else default. */
import { randomBytes } from 'node:crypto'
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readAddress } from '../../api/http/address.ts'
import { checkWebhook } from '../../api/http/webhook.ts'
import { printable } from '../../api/record/excerpt.ts'
import { timeZoneNamed } from '../../domain/time-zone.ts'
import { ACCOUNTING_PROGRAMS, type AccountingSettings } from '../../domain/accounting.ts'
import { DEFAULT_CHART } from '../../domain/chart.ts'
import { assert, Failure } from '../../domain/failure.ts'
import { isObjectAddress } from '../../domain/object-address.ts'
import { keyRingOf } from '../../domain/key-ring.ts'
import {
  Secret,
  type KeyRing,
  type LakeSettings,
  type Settings,
  type SourceSettings,
  type Webhook,
} from '../../domain/settings.ts'
import { cantBeLake } from '../../lake/connection/lake-errors.ts'
import { refuseForeignConfig } from '../../lake/connection/file-owner.ts'
import { makeFolder } from '../../lake/connection/make-folder.ts'
import { programFormats } from '../../reports/accounting/presets.ts'
import { programRenderer } from '../../reports/accounting/program-renderer.ts'
import { defaultConfig, type ConfigFile, type ListedAccount } from './config-file.ts'
import { readingOf } from './import-config.ts'
import { lakeSettings } from './lake-settings.ts'
import { checkedOut } from './checked-folder.ts'
import { objectStore } from './object-store.ts'
import { metricsAddress } from './metrics-address.ts'
import { chosen, nameOf, type Chosen, type Flags, type OptionName } from './options.ts'
import { readConfigFile } from './read-config-file.ts'
import { refuseOpenToOthers, required, secretFrom, type Environment } from './secret-from.ts'

export type { Flags } from './options.ts'

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$/

/** The needs of a command: one that only reads the lake requires no credentials. */
export type Needs = 'source' | 'lake'

/** The settings that apply to all accounts. */
export interface SharedSources {
  flags: Flags
  env: Environment
  file: ConfigFile
}

interface Reading extends SharedSources {
  needs: Needs
  lake: LakeSettings
}

/**
 * Reads the settings of one account, without opening or sending anything. Throws config_missing or
 * config_invalid with the name of the variable, and usage if the config file lists several accounts
 * and none is chosen.
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
 * Reads the settings of the chosen account, or of all accounts in the config file. A fault of one
 * among several becomes its `trouble`. A fault of all, or of the only one, is thrown:
 * config_missing or config_invalid.
 */
export function readAccounts(
  flags: Flags = {},
  needs: Needs = 'lake',
  env: Environment = process.env,
): [Settings, ...Settings[]] {
  const sources = { flags, env, file: configFile(flags, env) }
  const reading = { ...sources, needs, lake: lakeSettingsOf(sources) }
  const [only, ...others] = chosenAccounts(sources).map((account) => settingsOf(account, reading))
  assert(only !== undefined, 'an account is chosen')
  if (others.length === 0 && only.trouble !== undefined) throw only.trouble
  return [only, ...others]
}

/**
 * The chosen account, or all accounts in the file. Throws config_invalid, and usage for one that
 * the file doesn't list.
 */
export function chosenAccounts(sources: SharedSources): ListedAccount[] {
  const { file } = sources
  const given = chosen('account', sources)
  const { value: named, from } = given
  const origin = nameOf(given, 'TIEOUT_ACCOUNT')
  if (file.accounts.length === 0) {
    return [{ name: checkedName(named, origin), credentials: {}, general: file, given: {} }]
  }
  for (const { name } of file.accounts)
    checkedName(name, `accounts: the name ${printable(name, 40)}`)
  if (from === 'default') return [...file.accounts]
  const listed = file.accounts.filter(({ name }) => name === named)
  if (listed.length > 0) return listed
  const known = file.accounts.map(({ name }) => name).join(', ')
  throw new Failure(
    'usage',
    `the config file lists no account ${checkedName(named, origin)}; it lists ${known}`,
    { remedy: 'give one of these with --account' },
  )
}

function settingsOf(account: ListedAccount, reading: Reading): Settings {
  const { env, lake, needs } = reading
  const { general } = account
  const chosenHere = (name: OptionName) => chosen(name, { ...reading, account })
  const metrics = metricsAddress(chosen('metrics', reading))
  const chartOfAccounts = { ...DEFAULT_CHART, ...general.chart_of_accounts }
  const settings: Settings = {
    account: account.name,
    timezone: checkedZone(chosenHere('timezone')),
    csvProfile: checkedProfile(chosenHere('csv_profile')),
    ...(metrics === undefined ? {} : { metrics }),
    currency: general.currency,
    ...packPlace(chosenHere('out'), env),
    packMode: Number.parseInt(general.report.mode, 8),
    isOutDefault: chosenHere('out').from === 'default',
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
    schedule: {
      catchUp_days: general.schedule.catch_up_days,
      jitter_seconds: general.schedule.jitter_seconds,
    },
    chartOfAccounts,
    transactionsFrom: general.transactions.source,
    imports: {
      transactions: readingOf(general.import.transactions),
      settlements: readingOf(general.import.settlements),
    },
    accounting: checkedAccounting(general.accounting, chartOfAccounts),
    hashKeys: undefined,
    allowedPaths: reading.file.allowed_paths.map((value) =>
      checkedOut({ value, name: 'allowed_paths' }, 'allowed_paths'),
    ),
    payloadKey: givenPayloadKey(env),
    webhook: webhookOf(env, general.webhook),
  }
  try {
    const hashKeys = givenKeys(env, lake, account.hash_key)
    const source = needs === 'source' ? sourceSettings(account, reading) : undefined
    return { ...settings, hashKeys, source }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return { ...settings, trouble: error }
  }
}

/** The place of packs, and the store of all addresses that an order may name. */
function packPlace(given: Chosen, env: Environment): Pick<Settings, 'out' | 'packStore'> {
  const out = checkedOut(given, 'TIEOUT_OUT')
  const packStore = () => objectStore(env)
  if (isObjectAddress(out)) packStore()
  return { out, packStore }
}

function checkedName(account: string, what: string): string {
  if (NAME.test(account)) return account
  throw invalid(what, 'may hold only letters, digits, . _ -, at most 80 of them')
}

/** Reports an unknown heading or an invalid cell before a run, not at its end, for every program. */
function checkedAccounting(
  accounting: AccountingSettings,
  chart: Settings['chartOfAccounts'],
): AccountingSettings {
  for (const format of programFormats(accounting, ACCOUNTING_PROGRAMS)) {
    programRenderer(format, chart)
  }
  return accounting
}

/** The whole address is a secret, because its path gives access. */
function webhookOf(env: Environment, rules: ConfigFile['webhook']): Webhook | undefined {
  const [url, key] = ['TIEOUT_WEBHOOK_URL', 'TIEOUT_WEBHOOK_KEY'].map((name) =>
    secretFrom(env, name),
  )
  if (url === undefined || url === '') return undefined
  checkWebhook(url)
  const { events, least_severity, link, late_after_hours } = rules
  return {
    ...{ url: new Secret(url), events, leastSeverity: least_severity },
    ...(key === undefined || key === '' ? {} : { key: new Secret(key) }),
    ...(link === undefined ? {} : { link }),
    lateAfter_hours: late_after_hours,
  }
}

function checkedZone({ value, name }: Chosen): string {
  const zone = timeZoneNamed(value)
  if (zone !== undefined) return zone
  throw invalid(name, 'is not an IANA time zone such as America/New_York')
}

function checkedProfile({ value, name }: Chosen): Settings['csvProfile'] {
  if (value === 'machine' || value === 'excel') return value
  throw invalid(name, 'must be machine or excel')
}

/** Reads the named config file, or this user's tieout.yaml if it exists. Throws config_invalid. */
export function configFile(flags: Flags, env: Environment): ConfigFile {
  const { value, from, name } = chosen('config', { flags, env })
  if (existsSync(value)) {
    if (from === 'default') refuseForeignConfig(value)
    return readConfigFile(value)
  }
  if (from === 'default') return defaultConfig()
  throw invalid(name, `names ${value}, which does not exist`)
}

/** The address of the lake, and DuckDB's limits. */
function lakeSettingsOf(sources: SharedSources): LakeSettings {
  const { file, env } = sources
  const { memory_limit: memoryLimit, threads } = file.duckdb
  const places = { place: chosen('lake', sources), data: chosen('lake_data', sources) }
  return lakeSettings({ ...places, memoryLimit, threads }, env)
}

function sourceSettings(account: ListedAccount, reading: Reading): SourceSettings {
  const { general, credentials } = account
  const { env } = reading
  const baseUrl = chosen('base_url', { ...reading, account }).value
  if (baseUrl === '') throw new Failure('config_missing', 'TIEOUT_BASE_URL is not set')
  const { paths, query, headers, page_size, timeout_ms, retry_budget_ms, allow_link_local } =
    general.source
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
    allowLinkLocal: allow_link_local,
  }
  // Reports a wrong address before anything starts.
  readAddress(source)
  return source
}

/**
 * A local lake may have no key, since tieout makes one beside it. A shared lake needs one for all
 * its workers.
 */
function givenKeys(env: Environment, lake: LakeSettings, own?: string): KeyRing | undefined {
  if (own !== undefined) return keyRingOf(required(env, own), own)
  const given = secretFrom(env, 'TIEOUT_HASH_KEY')
  if (given !== '') return keyRingOf(given, 'TIEOUT_HASH_KEY')
  if (lake.catalog.startsWith('sqlite:') && !lake.data.includes('://')) return undefined
  throw new Failure('config_missing', 'TIEOUT_HASH_KEY is not set, and a shared lake needs it')
}

/**
 * All accounts of a lake share it, since one worker serves them all. The first hash key serves, so that runs under way
 * stay readable after a rotation.
 */
function givenPayloadKey(env: Environment): Secret | undefined {
  const own = secretFrom(env, 'TIEOUT_PAYLOAD_KEY')
  if (own !== '') return new Secret(own)
  const given = secretFrom(env, 'TIEOUT_HASH_KEY')
  return given === '' ? undefined : keyRingOf(given, 'TIEOUT_HASH_KEY').first
}

/**
 * Returns the configured keys. If none are configured, returns those beside the local catalog, and makes a random key
 * there the first time. Throws
 * lake_unreachable and config_invalid.
 */
export const ensureHashKeys = ({ hashKeys, lake }: Settings): KeyRing =>
  hashKeys ?? keysIn(lake.folder)

/** The key of what Temporal stores: the configured one, or the one beside the local catalog. Throws lake_unreachable. */
export const ensurePayloadKey = ({ payloadKey, lake }: Settings): Secret =>
  payloadKey ?? keysIn(lake.folder).first

function keysIn(folder: string): KeyRing {
  const file = join(folder, 'hash.key')
  try {
    if (!existsSync(file)) makeKey(folder, file)
    refuseOpenToOthers(file, `the key ${file}`)
    return keyRingOf(readFileSync(file, 'utf8').trim(), file)
  } catch (cause) {
    if (cause instanceof Failure) throw cause
    throw cantBeLake(folder, cause)
  }
}

/** Writes the key so that concurrent processes all read the first one, and read it whole. */
function makeKey(folder: string, file: string): void {
  makeFolder(folder)
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
