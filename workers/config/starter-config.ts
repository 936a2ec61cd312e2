/** The config file that `init` writes. A commented key shows its default or a harmless example. */
import { DEFAULT_CHART } from '../../domain/chart.ts'
import { IMPORT_LISTS, importFields } from '../../domain/import.ts'
import { wordFields } from './import-config.ts'

const HEAD = `# tieout.yaml: what a variable can't say. Every key is here; a line that begins with # and a word shows what holds
# without it, or an example where nothing does. Take the # away to change it, from the lines above it that end in a
# colon, too. A key that isn't known is an error. tieout config show tells what holds and who said it: a flag goes
# before a variable, a variable before this file. No secret belongs here: passwords and keys come from the environment.

# Short name of the account, first column of most files (TIEOUT_ACCOUNT).
#account: default

# Base address of the payments service, with its path if it has one (TIEOUT_BASE_URL).
#base_url: https://payments.example.com/v1

# IANA zone of the business day and of the nightly run (TIEOUT_TIMEZONE).
timezone: UTC

# Of all amounts, ISO 4217.
currency: USD

# The lake's catalog and its data (TIEOUT_LAKE, TIEOUT_LAKE_DATA); without lake_data it lies below the lake's folder.
#lake: ./data
#lake_data: ./data/parquet

# Where packs are written (TIEOUT_OUT). The profile excel begins each CSV with a byte order mark.
#out: ./out
#csv_profile: machine

# Where a worker serves its metrics (TIEOUT_METRICS): an address of this machine and a port, or off.
#metrics: 127.0.0.1:9464

# What DuckDB may take of a worker's machine.
#duckdb:
#  memory_limit: 4GB
#  threads: 2

# Ids of the terminals to include; without them all that the service lists.
#terminals: []

# Business days that a run without dates covers.
#lookback_days: 35

# The nightly run: its local time; for how long missed nights are made up for; how much later it may begin, so that many
# accounts don't begin in one second. tieout schedule apply brings the schedule up to date.
schedule:
  at: "04:15"
#  catch_up_days: 7
#  jitter_seconds: 60

# When something open is an exception. How long before a settlement its cut-off lies is learned for each terminal from its
# data; cutoff_tolerance_hours is an upper bound for it.
#thresholds:
#  pending_stale_days: 3
#  unsettled_days: 5
#  cutoff_tolerance_hours: 96

# How much a night reads again: all that is not older than lookback_days, what is open and not older than open_days, and
# the whole list every audit_days.
#sweeps:
#  audit_days: 7
#  lookback_days: 7
#  open_days: 30

# How the service is asked. Query parameters and headers are sent with every request: none unless it needs them.
#source:
#  paths:
#    terminals: /terminals
#    settlements: /settlements
#    transactions: /transactions
#  query: {}
#  headers: {}
#  page_size: 1000
#  timeout_ms: 60000
#  retry_budget_ms: 120000

# Dates on which the banks are closed or open against the Federal Reserve's calendar.
#bank_holidays:
#  closed: []
#  open: []

# Where transactions come from: list, the service's own, or import, the files that tieout import was given.
#transactions:
#  source: list
`

const LISTED = `
# Several accounts. Each may say for itself whatever is above here, but account, lake, lake_data, out, csv_profile, metrics
# and duckdb; secrets are named by their variables. Without credentials they are TIEOUT_API_USER and its like.
#accounts:
#  - name: acme
#    credentials:
#      user: ACME_API_USER
#      password: ACME_API_PASSWORD
#      application_key: ACME_APPLICATION_KEY
#    hash_key: ACME_HASH_KEY
#    base_url: https://payments.example.com/v1
#    timezone: America/New_York
`

const PROGRAMS = [
  'quickbooks_online',
  'quickbooks_desktop',
  'xero',
  'netsuite',
  'sage_intacct',
  'business_central',
]

/** The keys of a program. Empty ones keep the program's own form; the others are examples. */
const PROGRAM = [
  'headings: {}',
  'cells: {}',
  'accounts: {}',
  'names: {}',
  'account_form: number name',
  'date: YYYY-MM-DD',
  'max_lines: 1000',
  'max_bytes: 1000000',
]

/** Makes a whole file, which is valid as it is and with every `#` before a key removed. */
export const starterConfig = (): string =>
  [HEAD, importLines(), chartLines(), programLines()].join('\n') + LISTED

function importLines(): string {
  return [
    '# How exports are read by tieout import: the column of each field, amounts as decimal (12.30), number (12.3 and 12 too)',
    '# or cents (1230), and what else a file writes otherwise. tieout import --check proposes these lines for a file.',
    '#import:',
    ...IMPORT_LISTS.flatMap((list) => [
      `#  ${list}:`,
      '#    amounts: decimal',
      "#    delimiter: ','",
      '#    encoding: utf-8',
      '#    title_lines: 0',
      '#    total_lines: 0',
      "#    decimal_mark: '.'",
      "#    thousands_mark: ''",
      '#    currency_marks: []',
      '#    negative_refunds: false',
      '#    dates: { pattern: DD/MM/YYYY HH:mm:ss, zone: America/New_York }',
      '#    words:',
      ...wordFields(list).map((field) => `#      ${field}: ${WORDS[`${list}.${field}`] ?? '{}'}`),
      '#    columns:',
      ...importFields(list).map(([field]) => `#      ${field}: ${field}`),
    ]),
    '',
  ].join('\n')
}

/** Examples of value maps. */
const WORDS: Readonly<Record<string, string>> = {
  'transactions.action': '{ Sale: CHARGE, Credit: REFUND }',
  'settlements.status': '{ Completed: COMPLETE }',
}

function chartLines(): string {
  return [
    '# Ledger account and name for each account of the journal.',
    '#chart_of_accounts:',
    ...Object.entries(DEFAULT_CHART).map(
      ([key, { account, name }]) => `#  ${key}: { account: '${account}', name: ${name} }`,
    ),
    '',
  ].join('\n')
}

function programLines(): string {
  return [
    '# The files of the accounting programs; here the form, date and limits are examples. docs/accounting.md says what each means.',
    '#accounting:',
    ...PROGRAMS.flatMap((program) => [`#  ${program}:`, ...PROGRAM.map((line) => `#    ${line}`)]),
    '#  plain_text:',
    '#    accounts: {}',
    '',
  ].join('\n')
}
