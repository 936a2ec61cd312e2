/** The settings that can come from a flag, a variable or a key of the config file. All readers use this list. */
import type { ConfigFile, ListedAccount } from './config-file.ts'
import { DEFAULTS } from './defaults.ts'
import type { Environment } from './secret-from.ts'

/** The settings of the command line; secrets are not among them. */
export interface Flags {
  config?: string
  account?: string
  baseUrl?: string
  lake?: string
  lakeData?: string
  out?: string
  timezone?: string
  csvProfile?: string
  metrics?: string
}

interface Option {
  flag: keyof Flags
  variable?: string
  /** A key of the config file. */
  key?: string
  /** The default. */
  otherwise: string
}

export const OPTIONS = {
  config: { flag: 'config', variable: 'TIEOUT_CONFIG', otherwise: DEFAULTS.config },
  account: {
    flag: 'account',
    variable: 'TIEOUT_ACCOUNT',
    key: 'account',
    otherwise: DEFAULTS.account,
  },
  base_url: { flag: 'baseUrl', variable: 'TIEOUT_BASE_URL', key: 'base_url', otherwise: '' },
  timezone: {
    flag: 'timezone',
    variable: 'TIEOUT_TIMEZONE',
    key: 'timezone',
    otherwise: DEFAULTS.timezone,
  },
  lake: { flag: 'lake', variable: 'TIEOUT_LAKE', key: 'lake', otherwise: DEFAULTS.lake },
  lake_data: {
    flag: 'lakeData',
    variable: 'TIEOUT_LAKE_DATA',
    key: 'lake_data',
    otherwise: '',
  },
  out: { flag: 'out', variable: 'TIEOUT_OUT', key: 'out', otherwise: DEFAULTS.out },
  metrics: {
    flag: 'metrics',
    variable: 'TIEOUT_METRICS',
    key: 'metrics',
    otherwise: DEFAULTS.metrics,
  },
  csv_profile: { flag: 'csvProfile', key: 'csv_profile', otherwise: DEFAULTS.csv_profile },
} as const satisfies Record<string, Option>
export type OptionName = keyof typeof OPTIONS

/** The sources of a setting. */
export interface Places {
  flags: Flags
  env: Environment
  file?: ConfigFile | undefined
  /** A listed account. Its own keys precede the variables, which apply to all accounts. */
  account?: ListedAccount | undefined
}

/** The origin of a value; `name` is the flag, the variable, or the file with the key. */
export interface Origin {
  from: 'default' | 'environment' | 'file' | 'flag'
  name: string
}

export interface Chosen extends Origin {
  value: string
}

/**
 * Chooses a value by precedence: flag, environment, file, default. An empty value counts as absent.
 */
export function chosen(name: OptionName, { flags, env, file, account }: Places): Chosen {
  const { flag, variable = '', key = '', otherwise }: Option = OPTIONS[name]
  const path = file?.path ?? ''
  const candidates: Chosen[] = [
    { value: flags[flag] ?? '', from: 'flag', name: flagName(flag) },
    {
      value: textIn(account?.given[key]),
      from: 'file',
      name: `${path}:accounts.${account?.name ?? ''}.${key}`,
    },
    { value: env[variable] ?? '', from: 'environment', name: variable },
    { value: textIn(file?.given[key]), from: 'file', name: `${path}:${key}` },
  ]
  return (
    candidates.find(({ value }) => value !== '') ?? { value: otherwise, from: 'default', name: '' }
  )
}

/** The origin of a value in a message; `variable` stands for a default. */
export const nameOf = ({ name }: Pick<Chosen, 'name'>, variable: string): string =>
  name === '' ? variable : name

const textIn = (value: unknown) => (typeof value === 'string' ? value : '')

/** Returns the flag as a person types it. */
const flagName = (flag: keyof Flags) =>
  `--${flag.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
