/** The config file that `init` writes. A commented key shows its default or a harmless example. */
import { ACCOUNTING_PROGRAMS, DEFAULT_GATHERING } from '../../domain/accounting.ts'
import { DEFAULT_CHART } from '../../domain/chart.ts'
import { IMPORT_LISTS, importFields } from '../../domain/import.ts'
import { WEB_ROLES } from '../../domain/web-roles.ts'
import { DEFAULTS } from './defaults.ts'
import { wordFields } from './import-config.ts'
import { SCHEMA_FILE } from './json-schema.ts'
import { keyText } from './key-texts.ts'

/** Room for a comment beside its `# `. */
const WIDTH = 116

/** The text of a key, wrapped to lines that begin with `# `. */
function comment(key: string): string {
  const lines = ['']
  for (const word of (keyText([key]) ?? '').split(' ')) {
    const last = lines.at(-1) ?? ''
    if (last === '') lines[lines.length - 1] = word
    else if (last.length + word.length < WIDTH) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines.map((line) => `# ${line}`).join('\n')
}

const HEAD = `# yaml-language-server: $schema=${SCHEMA_FILE}
# tieout.yaml: every key of the config file. A line that begins with # and a key shows the default, or an example if
# there is none. To change a key, remove its # and the # of the lines above it that end in a colon. An unknown key is
# an error. A flag precedes a variable, and a variable precedes this file; tieout config show lists every value with
# its origin. No secret belongs here: passwords and keys come from the environment.

${comment('account')}
#account: ${DEFAULTS.account}

${comment('base_url')}
#base_url: https://payments.example.com/v1

${comment('timezone')}
timezone: ${DEFAULTS.timezone}

${comment('currency')}
currency: USD

${comment('lake')}
#lake: ${DEFAULTS.lake}

${comment('lake_data')}
#lake_data: ${DEFAULTS.lake}/parquet

${comment('out')}
#out: ${DEFAULTS.out}

${comment('csv_profile')}
#csv_profile: ${DEFAULTS.csv_profile}

${comment('allowed_paths')}
#allowed_paths: [/srv/imports]

${comment('metrics')}
#metrics: ${DEFAULTS.metrics}

${comment('web')}
#web:
#  user_header: X-Forwarded-User
#  proxies: [10.0.0.1]
#  hosts: [tieout.example.com]
#  users: { ann: ${WEB_ROLES[0]} }

${comment('duckdb')}
#duckdb:
#  memory_limit: 4GB
#  threads: 2

${comment('terminals')}
#terminals: []

${comment('lookback_days')}
#lookback_days: 35

${comment('schedule')}
schedule:
  at: "04:15"
#  catch_up_days: 7
#  jitter_seconds: 60

${comment('webhook')}
#webhook:
#  events: [published, withheld, failed, late]
#  least_severity: info
#  link: https://tieout.example.com/packs/{runId}
#  late_after_hours: 4

${comment('thresholds')}
#thresholds:
#  pending_stale_days: 3
#  unsettled_days: 5
#  cutoff_tolerance_hours: 96

${comment('sweeps')}
#sweeps:
#  audit_days: 7
#  lookback_days: 7
#  open_days: 30

${comment('source')}
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

${comment('bank_holidays')}
#bank_holidays:
#  closed: []
#  open: []

${comment('report')}
#report:
#  mode: "0600"

${comment('transactions')}
#transactions:
#  source: list
`

const LISTED = `
${comment('accounts')}
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
    comment('import'),
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
    comment('chart_of_accounts'),
    '#chart_of_accounts:',
    ...Object.entries(DEFAULT_CHART).map(
      ([key, { account, name }]) => `#  ${key}: { account: '${account}', name: ${name} }`,
    ),
    '',
  ].join('\n')
}

function programLines(): string {
  return [
    comment('accounting'),
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
