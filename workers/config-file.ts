/** The config file: what it may hold, read strictly, so that a mistyped key is an error and not a default. */
import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { z } from 'zod'
import { DEFAULT_CHART } from '../domain/chart.ts'
import { Failure } from '../domain/failure.ts'
import { nearestName } from './nearest-name.ts'

const positive = z.number().int().positive()
const path = z.string().startsWith('/')

const ConfigFile = z.strictObject({
  account: z.string().default('default'),
  base_url: z.string().optional(),
  timezone: z.string().default('UTC'),
  currency: z.string().length(3).default('USD'),
  lake: z.string().default('./data'),
  lake_data: z.string().optional(),
  out: z.string().default('./out'),
  /** Business days that a run without dates covers. */
  lookback_days: positive.max(3660).default(35),
  csv_profile: z.enum(['machine', 'excel']).default('machine'),
  source: z
    .strictObject({
      paths: z
        .strictObject({
          terminals: path.default('/terminals'),
          settlements: path.default('/settlements'),
          transactions: path.default('/transactions'),
        })
        .prefault({}),
      query: z.record(z.string(), z.string()).default({}),
      headers: z.record(z.string(), z.string()).default({}),
      page_size: positive.max(100_000).default(1000),
      timeout_ms: positive.default(60_000),
      retry_budget_ms: positive.default(120_000),
    })
    .prefault({}),
  thresholds: z
    .strictObject({
      pending_stale_days: z.number().int().nonnegative().default(3),
      unsettled_days: z.number().int().nonnegative().default(5),
      cutoff_tolerance_hours: positive.max(240).default(12),
    })
    .prefault({}),
  chart_of_accounts: z
    .partialRecord(
      z.enum(Object.keys(DEFAULT_CHART)),
      z.strictObject({ account: z.string().min(1), name: z.string().min(1) }),
    )
    .default({}),
  duckdb: z
    .strictObject({ memory_limit: z.string().default('4GB'), threads: positive.default(2) })
    .prefault({}),
  schedule: z
    .strictObject({
      at: z
        .string()
        .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'is no time such as 04:15')
        .default('04:15'),
    })
    .prefault({}),
})
export type ConfigFile = z.infer<typeof ConfigFile>

/** What holds where there is no file. */
export const defaultConfig = (): ConfigFile => ConfigFile.parse({})

/** Reads a YAML file. Throws config_invalid naming the key at fault; secrets have no keys here. */
export function readConfigFile(file: string): ConfigFile {
  let content: unknown
  try {
    content = parse(readFileSync(file, 'utf8')) ?? {}
  } catch (cause) {
    throw new Failure('config_invalid', `the config file ${file} can't be read as YAML`, { cause })
  }
  const read = ConfigFile.safeParse(content)
  if (read.success) return read.data
  throw new Failure('config_invalid', `the config file ${file}: ${described(read.error)}`)
}

/** The first thing that is wrong, without any value of the file. */
function described({ issues: [issue] }: z.ZodError): string {
  if (issue === undefined) return 'is not as expected'
  const at = issue.path.map(String)
  if (issue.code !== 'unrecognized_keys') return `${at.join('.')}: ${issue.message}`
  const [key = ''] = issue.keys
  const known = keysAt(defaultConfig(), at)
  const near = nearestName(key, known)
  const hint = near === undefined ? `known here: ${known.join(', ')}` : `did you mean ${near}?`
  return `${[...at, key].join('.')} is no key; ${hint}`
}

/** Keys without a default aren't in the defaults, so the schema's own are asked at the top. */
function keysAt(defaults: ConfigFile, at: readonly string[]): string[] {
  if (at.length === 0) return Object.keys(ConfigFile.shape)
  let inner: unknown = defaults
  for (const key of at) inner = Object(inner)[key]
  return Object.keys(Object(inner))
}
