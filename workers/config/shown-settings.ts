/**
 * The effective settings of each account for display: every value with its origin, without secrets.
 */
import { DEFAULT_CHART } from '../../domain/chart.ts'
import { configuredAddress } from '../temporal/connect.ts'
import type { ConfigFile, ListedAccount } from './config-file.ts'
import { dataOf } from './lake-settings.ts'
import { chosen, OPTIONS, type Chosen, type OptionName, type Origin } from './options.ts'
import { chosenAccounts, configFile, type SharedSources } from './settings.ts'
import { FREE_VARIABLES, SECRETS } from './environment-names.ts'

export interface ShownSetting extends Origin {
  key: string
  /** The value as set; `[secret]` for a secret, empty if it is not set. */
  value: string
}

export interface ShownAccount {
  account: string
  settings: ShownSetting[]
}

const HIDDEN = '[secret]'
const SECRET_NAME = /key|token|secret|password|auth|cookie/i

/**
 * Reads the settings as the commands do, but accepts missing ones. Throws config_invalid and usage.
 */
export function shownSettings(
  flags: SharedSources['flags'],
  env: SharedSources['env'],
): ShownAccount[] {
  const said = { flags, env, file: configFile(flags, env) }
  return chosenAccounts(said).map((account) => ({
    account: account.name,
    settings: [
      ...optionsShown(said, account),
      ...secretsShown(said, account),
      ...keysShown(said.file, account),
      ...temporalShown(env),
      ...FREE_VARIABLES.map((name) => variableShown(name, name, env)),
    ],
  }))
}

function optionsShown(said: SharedSources, account: ListedAccount): ShownSetting[] {
  return Object.keys(OPTIONS).map((key) => {
    const name = key as OptionName
    return { key, ...withoutSecrets(optionShown(name, said, account)) }
  })
}

function optionShown(name: OptionName, said: SharedSources, account: ListedAccount): Chosen {
  const { file } = said
  const found = chosen(name, { ...said, account })
  if (found.from !== 'default') return found
  if (name === 'config') return { ...found, value: file.path ?? '' }
  if (name === 'lake_data') return { ...found, value: dataOf(chosen('lake', said).value) }
  if (name === 'account' && file.accounts.length > 0) {
    const key = `${file.path ?? ''}:accounts.${account.name}.name`
    return { value: account.name, from: 'file', name: key }
  }
  return found
}

/** The address of a catalog may hold a password. */
const withoutSecrets = (found: Chosen): Chosen => ({
  ...found,
  value: found.value
    .replaceAll(/(password=)('[^']*'|\S+)/gi, `$1${HIDDEN}`)
    .replaceAll(/(:\/\/[^:@/\s]+:)[^@\s]+@/g, `$1${HIDDEN}@`),
})

function secretsShown({ env }: SharedSources, account: ListedAccount): ShownSetting[] {
  const { credentials, hash_key } = account
  const named: Record<string, string | undefined> = { ...credentials, hash_key }
  return Object.entries(SECRETS).map(([name, usual]) => {
    const key = name.includes('_') && name !== 'application_key' ? name : `credentials.${name}`
    const variable = (named[name] ?? usual).replace(/_FILE$/, '')
    const isNamed = named[name]?.endsWith('_FILE') === true
    const plain = variableShown(key, variable, env)
    const shown =
      plain.value === '' || isNamed ? variableShown(key, `${variable}_FILE`, env) : plain
    if (shown.value === '') return { ...shown, name: variable }
    return { ...shown, value: HIDDEN }
  })
}

function variableShown(key: string, name: string, env: SharedSources['env']): ShownSetting {
  const value = env[name] ?? ''
  return value === ''
    ? { key, value, from: 'default', name: '' }
    : { key, value, from: 'environment', name }
}

/** The settings that only the config file can hold, value by value. */
function keysShown(file: ConfigFile, account: ListedAccount): ShownSetting[] {
  const general = {
    ...account.general,
    duckdb: file.duckdb,
    allowed_paths: file.allowed_paths,
  }
  const chart_of_accounts = { ...DEFAULT_CHART, ...general.chart_of_accounts }
  return leaves({ ...general, chart_of_accounts })
    .filter(({ path: [top = ''] }) => isKeyOnly(top))
    .map(({ path, value }) => ({
      key: path.join('.'),
      value: path.length > 2 && SECRET_NAME.test(path.at(-1) ?? '') ? HIDDEN : value,
      ...originOf(path, file, account),
    }))
}

/**
 * True for keys that are no option, since options are shown with flag and variable, and that don't
 * list accounts.
 */
const isKeyOnly = (key: string) =>
  !Object.hasOwn(OPTIONS, key) && !['accounts', 'given', 'path'].includes(key)

function originOf(path: readonly string[], file: ConfigFile, account: ListedAccount): Origin {
  const from = file.path ?? ''
  const key = path.join('.')
  if (isGiven(account.given, path))
    return { from: 'file', name: `${from}:accounts.${account.name}.${key}` }
  if (isGiven(file.given, path)) return { from: 'file', name: `${from}:${key}` }
  return { from: 'default', name: '' }
}

function isGiven(said: unknown, [key, ...rest]: readonly string[]): boolean {
  if (key === undefined) return said !== undefined
  if (typeof said !== 'object' || said === null || !Object.hasOwn(said, key)) return false
  return isGiven(Reflect.get(said, key), rest)
}

interface Leaf {
  path: string[]
  value: string
}

function leaves(value: unknown, path: string[] = []): Leaf[] {
  if (value === undefined) return []
  if (typeof value !== 'object' || value === null) return [{ path, value: String(value) }]
  const entries = Object.entries(value)
  if (Array.isArray(value) || entries.length === 0) return [{ path, value: JSON.stringify(value) }]
  return entries.flatMap(([key, inner]) => leaves(inner, [...path, key]))
}

/** The Temporal SDK reads its own variables, and the file that they name. */
function temporalShown(env: SharedSources['env']): ShownSetting[] {
  const service = configuredAddress()
  const from = (variable: string, value: string): Omit<ShownSetting, 'key'> => {
    if ((env[variable] ?? '') !== '') return { value, from: 'environment', name: variable }
    return service === undefined || value === ''
      ? { value, from: 'default', name: '' }
      : { value, from: 'file', name: env['TEMPORAL_CONFIG_FILE'] ?? "the Temporal SDK's own" }
  }
  const { address = 'embedded', apiKey, tls } = service?.connection ?? {}
  return [
    { key: 'temporal.address', ...from('TEMPORAL_ADDRESS', address) },
    { key: 'temporal.namespace', ...from('TEMPORAL_NAMESPACE', service?.namespace ?? 'default') },
    {
      key: 'temporal.api_key',
      ...from('TEMPORAL_API_KEY', apiKey === undefined ? '' : HIDDEN),
    },
    {
      key: 'temporal.tls',
      ...from('TEMPORAL_TLS_CLIENT_CERT_PATH', tls === undefined || tls === false ? 'off' : 'on'),
    },
  ]
}
