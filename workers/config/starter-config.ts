/** The config file that `init` writes. A commented key shows its default or a harmless example. */
import { ACCOUNTING_PROGRAMS, DEFAULT_GATHERING } from '../../domain/accounting.ts'
import { DEFAULT_CHART } from '../../domain/chart.ts'
import { IMPORT_LISTS, importFields } from '../../domain/import.ts'
import { DEFAULTS } from './defaults.ts'
import { wordFields } from './import-config.ts'

const HEAD = `# tieout.yaml: every key of the config file. A line that begins with # and a key shows the default, or an example if
# there is none. To change a key, remove its # and the # of the lines above it that end in a colon. An unknown key is
# an error. A flag precedes a variable, and a variable precedes this file; tieout config show lists every value with
# its origin. No secret belongs here: passwords and keys come from the environment.

# Short name of the account, the first column of most files (TIEOUT_ACCOUNT).
#account: ${DEFAULTS.account}

# Base address of the payments service, with its path if it has one (TIEOUT_BASE_URL).
#base_url: https://payments.example.com/v1

# IANA zone of the business day and of the nightly run (TIEOUT_TIMEZONE).
timezone: ${DEFAULTS.timezone}

# Currency of all amounts, ISO 4217.
currency: USD

# Catalog and data of the lake (TIEOUT_LAKE, TIEOUT_LAKE_DATA). By default the data lies below the lake's folder.
#lake: ${DEFAULTS.lake}
#lake_data: ${DEFAULTS.lake}/parquet

# Folder for the packs (TIEOUT_OUT). The profile excel adds a byte order mark to each CSV.
#out: ${DEFAULTS.out}
#csv_profile: ${DEFAULTS.csv_profile}

# Folders beside out that a command may name to a worker on a shared Temporal service.
#allowed_paths: [/srv/imports]

# Address of a worker's metrics (TIEOUT_METRICS): a local address and a port, or off.
#metrics: ${DEFAULTS.metrics}

# The console of a team (tieout worker --web ADDRESS), behind a proxy that names the user in a header. Roles: viewer,
# preparer, reviewer. Without this key only tieout open serves the console, on this machine.
#web:
#  user_header: X-Forwarded-User
#  proxies: [10.0.0.7]
#  hosts: [tieout.example.com]
#  users: { ann@example.com: preparer, ben@example.com: reviewer }

# Limits for DuckDB on a worker's machine.
#duckdb:
#  memory_limit: 4GB
#  threads: 2

# Ids of the terminals to include; by default all that the service lists.
#terminals: []

# Number of business days in a run without dates.
#lookback_days: 35

# The nightly run: its local time, the days within which missed nights are made up, and the longest random delay. The
# delay spreads the starts of many accounts. tieout schedule apply updates the schedule.
schedule:
  at: "04:15"
#  catch_up_days: 7
#  jitter_seconds: 60

# Messages to the address in TIEOUT_WEBHOOK_URL: the outcomes, the least severity (info, warning, error), an address for
# the reader with {account}, {from}, {to} and {runId}, and the hours after which a scheduled run is late.
#webhook:
#  events: [published, withheld, failed, late]
#  least_severity: info
#  link: https://tieout.example.com/packs/{runId}
#  late_after_hours: 4

# Ages at which open items become exceptions. tieout learns from each terminal's data how long before a settlement its
# cut-off lies; cutoff_tolerance_hours limits that time.
#thresholds:
#  pending_stale_days: 3
#  unsettled_days: 5
#  cutoff_tolerance_hours: 96

# Transactions that a night reads again: all that are not older than lookback_days, and open ones that are not older
# than open_days. Every audit_days it reads the whole list.
#sweeps:
#  audit_days: 7
#  lookback_days: 7
#  open_days: 30

# Requests to the service. Query parameters and headers go with every request; set them only if the service needs them.
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
#  allow_link_local: false

# Dates on which the banks are closed or open, contrary to the Federal Reserve's calendar.
#bank_holidays:
#  closed: []
#  open: []

# Source of transactions: list (the service's own list) or import (files given to tieout import).
#transactions:
#  source: list
`

const LISTED = `
# Several accounts. Each may set all keys above, except account, lake, lake_data, out, csv_profile, metrics and duckdb.
# Each names the variables of its secrets; by default these are TIEOUT_API_USER and the like.
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
    '# Form of the files for tieout import: the column of each field, amounts as decimal (12.30), number (12.3, also 12)',
    '# or cents (1230), and other differences. tieout import --check proposes these lines for a file.',
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
    '# Files for accounting programs. group is entry, day, settlement or month. by_terminal gives each terminal lines of',
    '# its own. programs are by default those that have a key. Forms, dates and limits are examples; docs/accounting.md',
    '# explains each key.',
    '#accounting:',
    `#  group: ${DEFAULT_GATHERING.group}`,
    `#  by_terminal: ${DEFAULT_GATHERING.by_terminal}`,
    '#  programs: [xero]',
    ...ACCOUNTING_PROGRAMS.flatMap((program) => [
      `#  ${program}:`,
      ...PROGRAM.map((line) => `#    ${line}`),
    ]),
    '#  plain_text:',
    '#    accounts: {}',
    '',
  ].join('\n')
}
