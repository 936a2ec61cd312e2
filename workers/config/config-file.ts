/** The config file: what it may hold, read strictly, so that a mistyped key is an error and not a default. */
import { availableParallelism } from 'node:os'
import { z } from 'zod'
import { DEFAULT_CHART } from '../../domain/chart.ts'
import { importReading } from './import-config.ts'

const positive = z.number().int().positive()
const path = z.string().startsWith('/')
const date = z.iso.date('is no date such as 2026-12-24')

/** A timer of Node's can't wait for longer than 24 days, and an age of DuckDB's has an end, too. */
const DAY_MS = 86_400_000
const days = z.number().int().nonnegative().max(36_600)

const words = z.record(z.string(), z.string())
const environmentName = z.string().regex(/^[A-Z_][A-Z0-9_]*$/, 'is no name of a variable')
const LARGEST_ID = 2n ** 63n - 1n
const id = z
  .union(
    [positive, z.string().regex(/^[1-9]\d{0,18}$/, 'is no id of digits')],
    'is no id of digits',
  )
  .transform(String)
  .refine((digits) => BigInt(digits) <= LARGEST_ID, 'is no id of digits')

const programFile = z
  .strictObject({
    headings: words,
    cells: words,
    accounts: words,
    names: words,
    account_form: z.enum(['number', 'name', 'number name']),
    date: z.string(),
    max_lines: positive,
    max_bytes: positive,
  })
  .partial()

/** Far more threads than cores make DuckDB wait for itself; a small number is let be on any machine. */
const MOST_THREADS = Math.max(16, 4 * availableParallelism())

/** What each account may say for itself, and the file for all of them. */
export const general = {
  base_url: z.string().optional(),
  timezone: z.string().optional(),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, 'is no currency such as USD')
    .default('USD'),
  terminals: z.array(id).default([]),
  /** Business days that a run without dates covers. */
  lookback_days: positive.max(3660).default(35),
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
      timeout_ms: positive.max(DAY_MS).default(60_000),
      retry_budget_ms: positive.max(DAY_MS).default(120_000),
    })
    .prefault({}),
  sweeps: z
    .strictObject({
      /** A whole sweep is made when the last one is older. */
      audit_days: positive.max(3660).default(7),
      lookback_days: positive.max(3660).default(7),
      open_days: positive.max(3660).default(30),
    })
    .prefault({}),
  thresholds: z
    .strictObject({
      pending_stale_days: days.default(3),
      unsettled_days: days.default(5),
      cutoff_tolerance_hours: positive.max(240).optional(),
    })
    .prefault({}),
  bank_holidays: z
    .strictObject({ closed: z.array(date).default([]), open: z.array(date).default([]) })
    .prefault({}),
  chart_of_accounts: z
    .partialRecord(
      z.enum(Object.keys(DEFAULT_CHART)),
      z.strictObject({ account: z.string().min(1), name: z.string().min(1) }),
    )
    .default({}),
  schedule: z
    .strictObject({
      at: z
        .string()
        .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'is no time such as 04:15')
        .default('04:15'),
      /** Nights missed for longer are not made up for. */
      catch_up_days: positive.max(60).default(7),
      /** Begun so much later at most, so that many accounts don't begin in the same second. */
      jitter_seconds: z.number().int().nonnegative().max(3600).default(60),
    })
    .prefault({}),
  transactions: z.strictObject({ source: z.enum(['list', 'import']).default('list') }).prefault({}),
  import: z
    .strictObject({
      transactions: importReading('transactions'),
      settlements: importReading('settlements'),
    })
    .prefault({}),
  accounting: z
    .strictObject({
      quickbooks_online: programFile,
      quickbooks_desktop: programFile,
      xero: programFile,
      netsuite: programFile,
      sage_intacct: programFile,
      business_central: programFile,
      plain_text: z.strictObject({ accounts: words.optional() }),
    })
    .partial()
    .default({}),
}

export const General = z.strictObject(general)
export type General = z.infer<typeof General>

/** One account of several: names of variables where its secrets lie, never the secrets. */
export const Account = z.strictObject({
  name: z.string(),
  credentials: z
    .strictObject({
      user: environmentName,
      password: environmentName,
      application_key: environmentName,
    })
    .partial()
    .default({}),
  hash_key: environmentName.optional(),
  ...general,
})

/** Everything that the file may hold. */
export const configSchema = z.strictObject({
  account: z.string().optional(),
  lake: z.string().default('./data'),
  lake_data: z.string().optional(),
  out: z.string().default('./out'),
  csv_profile: z.enum(['machine', 'excel']).default('machine'),
  /** Where a worker serves its metrics, or `off`. */
  metrics: z.string().default('127.0.0.1:9464'),
  duckdb: z
    .strictObject({
      memory_limit: z
        .string()
        .regex(/^\d+(\.\d+)? ?([KMGT](i?B)?|B)$/i, 'is no size such as 4GB')
        .default('4GB'),
      threads: positive
        .max(
          MOST_THREADS,
          `is more than this machine of ${availableParallelism()} cores can use; ${MOST_THREADS} at most`,
        )
        .default(2),
    })
    .prefault({}),
  ...general,
  accounts: z.array(Account).default([]),
})

/** An account as it is listed; `general` is what the file says for all, changed by what it says for this one. */
export interface ListedAccount extends Pick<
  z.infer<typeof Account>,
  'name' | 'credentials' | 'hash_key'
> {
  general: General
  /** What the file says for this account, and no default. */
  said: Said
}

export interface ConfigFile extends Omit<z.infer<typeof configSchema>, 'accounts'> {
  accounts: readonly ListedAccount[]
  /** Where it lies; absent: there is none. */
  path?: string
  /** What the file says for all accounts, and no default. */
  said: Said
}

export type Said = Readonly<Record<string, unknown>>

/** What holds where there is no file. */
export const defaultConfig = (): ConfigFile => ({
  ...configSchema.parse({}),
  accounts: [],
  said: {},
})
