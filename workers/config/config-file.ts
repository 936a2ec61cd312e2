/** The schema of the config file. The schema is strict, so that a mistyped key is an error and not a default. */
import { availableParallelism } from 'node:os'
import { z } from 'zod'
import { baseAddressFault } from '../../api/http/address.ts'
import { isSendable } from '../../api/http/request-headers.ts'
import { DAY_MS } from '../../domain/business-day.ts'
import {
  ACCOUNTING_GROUPS,
  ACCOUNTING_PROGRAMS,
  DEFAULT_GATHERING,
} from '../../domain/accounting.ts'
import { DEFAULT_CHART } from '../../domain/chart.ts'
import { WEB_ROLES } from '../../domain/web-roles.ts'
import { WEBHOOK_EVENTS, WEBHOOK_RULES, WEBHOOK_SEVERITIES } from '../../domain/webhook.ts'
import { DEFAULTS } from './defaults.ts'
import { importReading } from './import-config.ts'
import { SWEEP_RULES, USUAL_SCHEDULE } from '../../domain/settings.ts'

const positive = z.number().int().positive()
const path = z.string().startsWith('/')
const date = z.iso.date('is not a date such as 2026-12-24')

/** Timers of Node can't wait longer than 24 days, and DuckDB limits ages as well. */
const days = z.number().int().nonnegative().max(36_600)

/** An empty text counts as absent. */
const baseUrl = z.string().superRefine((text, context) => {
  const fault = text === '' ? undefined : baseAddressFault(text)
  if (fault !== undefined) context.addIssue(fault)
})

const words = z.record(z.string(), z.string())
const headers = words.superRefine((given, context) => {
  const wrong = Object.entries(given).filter((header) => !isSendable(header))
  for (const [name] of wrong) {
    context.addIssue({ code: 'custom', path: [name], message: 'can not be sent as a header' })
  }
})
const environmentName = z.string().regex(/^[A-Z_][A-Z0-9_]*$/, 'is not the name of a variable')
const LARGEST_ID = 2n ** 63n - 1n
// YAML reads a number without quotes as a double.
const plainId = z
  .int({
    error: ({ code }) => (code === 'too_big' ? 'needs quotes, since it is above 2^53' : undefined),
  })
  .positive()
const id = z
  .union(
    [plainId, z.string().regex(/^[1-9]\d{0,18}$/, 'is not an id of digits')],
    'is not an id of digits',
  )
  .transform(String)
  .refine((digits) => BigInt(digits) <= LARGEST_ID, 'is not an id of digits')

const BYTES: Readonly<Record<string, number>> = { k: 1e3, m: 1e6, g: 1e9, t: 1e12 }

/** The smallest lake needs 80 MB. DuckDB takes no number above 2^64. */
const MEMORY_BYTES = { least: 100e6, most: 1000e12 }

const memory = z
  .string()
  .regex(/^\d+(\.\d+)? ?([KMGT](i?B)?|B)$/i, { error: 'is not a size such as 4GB', abort: true })
  .refine((size) => {
    const unit = /[kmgt]/.exec(size.toLowerCase())?.[0] ?? ''
    const bytes = parseFloat(size) * (BYTES[unit] ?? 1)
    return bytes >= MEMORY_BYTES.least && bytes <= MEMORY_BYTES.most
  }, 'is not between 100MB and 1000TB')

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

/**
 * With many more threads than cores, DuckDB's threads wait for each other. Up to 16 threads are accepted on any machine.
 */
const MOST_THREADS = Math.max(16, 4 * availableParallelism())

/** The keys that may stand for all accounts, or within one account. */
export const general = {
  base_url: baseUrl.optional(),
  timezone: z.string().optional(),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, 'is not a currency such as USD')
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
      query: words.default({}),
      headers: headers.default({}),
      page_size: positive.max(100_000).default(1000),
      timeout_ms: positive.max(DAY_MS).default(60_000),
      retry_budget_ms: positive.max(DAY_MS).default(120_000),
      /** True: the base address may be a link-local one, which clouds use for their secrets. */
      allow_link_local: z.boolean().default(false),
    })
    .prefault({}),
  sweeps: z
    .strictObject({
      /** A whole sweep is made if the last one is older than this. */
      audit_days: positive.max(3660).default(SWEEP_RULES.wholeEveryDays),
      lookback_days: positive.max(3660).default(SWEEP_RULES.lookbackDays),
      open_days: positive.max(3660).default(SWEEP_RULES.openDays),
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
        .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'is not a time such as 04:15')
        .default('04:15'),
      /** Missed nights that lie further back are not made up. */
      catch_up_days: positive.max(60).default(USUAL_SCHEDULE.catchUp_days),
      /** The longest delay of a start, so that many accounts don't start in the same second. */
      jitter_seconds: z
        .number()
        .int()
        .nonnegative()
        .max(3600)
        .default(USUAL_SCHEDULE.jitter_seconds),
    })
    .prefault({}),
  webhook: z
    .strictObject({
      /** The outcomes that are posted. */
      events: z.array(z.enum(WEBHOOK_EVENTS)).default([...WEBHOOK_RULES.events]),
      least_severity: z.enum(WEBHOOK_SEVERITIES).default(WEBHOOK_RULES.leastSeverity),
      /** An address for the reader, with {account}, {from}, {to} and {runId}. */
      link: z.url({ protocol: /^https?$/ }).optional(),
      late_after_hours: z.number().positive().max(168).default(WEBHOOK_RULES.lateAfter_hours),
    })
    .prefault({}),
  report: z
    .strictObject({
      /** The owner reads and writes, the group may, and others read at most. */
      mode: z
        .string({ error: 'is not a text such as "0640"' })
        .regex(/^0?6[046][04]$/, 'is not a mode such as "0640", without write access for others')
        .default('0600'),
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
      group: z.enum(ACCOUNTING_GROUPS).default(DEFAULT_GATHERING.group),
      by_terminal: z.boolean().default(DEFAULT_GATHERING.by_terminal),
      /** Absent: the programs that have a key below. */
      programs: z.array(z.enum(ACCOUNTING_PROGRAMS)).optional(),
      quickbooks_online: programFile.optional(),
      quickbooks_desktop: programFile.optional(),
      xero: programFile.optional(),
      netsuite: programFile.optional(),
      sage_intacct: programFile.optional(),
      business_central: programFile.optional(),
      plain_text: z.strictObject({ accounts: words.optional() }).optional(),
    })
    .prefault({}),
}

export const General = z.strictObject(general)
export type General = z.infer<typeof General>

/** An entry of `accounts`. The entry names the variables of its secrets, and never contains the secrets. */
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

/** All keys of the file. */
export const configSchema = z.strictObject({
  account: z.string().optional(),
  lake: z.string().default(DEFAULTS.lake),
  lake_data: z.string().optional(),
  out: z.string().default(DEFAULTS.out),
  csv_profile: z.enum(['machine', 'excel']).default(DEFAULTS.csv_profile),
  /** Folders that an order from a shared Temporal may name, beside `out`. */
  allowed_paths: z.array(z.string()).default([]),
  /** The address of a worker's metrics, or `off`. */
  metrics: z.string().default(DEFAULTS.metrics),
  /** The console of a team, behind a proxy that names the user. Absent: `tieout open` alone serves it. */
  web: z
    .strictObject({
      /** The header in which the proxy names the user, such as X-Forwarded-User. */
      user_header: z.string().regex(/^[A-Za-z][A-Za-z0-9-]*$/, 'is not the name of a header'),
      /** The addresses of the proxy; requests from others are refused. */
      proxies: z.array(z.union([z.ipv4(), z.ipv6()])).min(1),
      /** The names by which people reach the console, such as tieout.example.com. */
      hosts: z.array(z.string().min(1)).min(1),
      users: z.record(z.string(), z.enum(WEB_ROLES)),
    })
    .optional(),
  duckdb: z
    .strictObject({
      memory_limit: memory.default('4GB'),
      threads: positive
        .max(
          MOST_THREADS,
          `is more than this machine of ${availableParallelism()} cores can use; give at most ${MOST_THREADS}`,
        )
        .default(2),
    })
    .prefault({}),
  ...general,
  accounts: z.array(Account).default([]),
})

/** A listed account; `general` holds the keys for all accounts, overridden by those of this one. */
export interface ListedAccount extends Pick<
  z.infer<typeof Account>,
  'name' | 'credentials' | 'hash_key'
> {
  general: General
  /** The keys that the file sets for this account, without defaults. */
  given: GivenKeys
}

export interface ConfigFile extends Omit<z.infer<typeof configSchema>, 'accounts'> {
  accounts: readonly ListedAccount[]
  /** The path of the file; absent: there is none. */
  path?: string
  /** The keys that the file sets for all accounts, without defaults. */
  given: GivenKeys
}

export type GivenKeys = Readonly<Record<string, unknown>>

/** The settings without a file. */
export const defaultConfig = (): ConfigFile => ({
  ...configSchema.parse({}),
  accounts: [],
  given: {},
})
