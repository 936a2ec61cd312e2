/**
 * A text for each key of the config file. The starter file has them as comments, and the JSON Schema as descriptions.
 * `*` stands for any list of records or any accounting program.
 */
const KEY_TEXTS: Readonly<Record<string, string>> = {
  account: 'Short name of the account, the first column of most files (TIEOUT_ACCOUNT).',
  base_url: 'Base address of the payments service, with its path if it has one (TIEOUT_BASE_URL).',
  timezone: 'IANA zone of the business day and of the nightly run (TIEOUT_TIMEZONE).',
  currency: 'Currency of all amounts, ISO 4217.',
  lake: 'Catalog of the lake: a folder, or the address of a database (TIEOUT_LAKE).',
  lake_data:
    "Data of the lake (TIEOUT_LAKE_DATA). By default the data lies below the lake's folder.",
  out: 'Folder for the packs, or an address such as s3://bucket/prefix (TIEOUT_OUT).',
  csv_profile: 'The form of the CSV files. The profile excel adds a byte order mark to each.',
  allowed_paths:
    'Folders, or s3:// addresses for packs, beside out that a command may name to a worker on a shared Temporal service.',
  metrics: "Address of a worker's metrics (TIEOUT_METRICS): a local address and a port, or off.",
  duckdb: "Limits for DuckDB on a worker's machine.",
  'duckdb.memory_limit': 'The most memory of one DuckDB, such as 4GB; at least 100MB.',
  'duckdb.threads': 'The number of threads of one DuckDB. A small lake takes one.',
  web: 'The console of a team, behind a proxy that names the user. Without this key, only tieout open serves it.',
  'web.user_header': 'The header in which the proxy names the user, such as X-Forwarded-User.',
  'web.proxies': 'The addresses of the proxy. Requests from others are refused.',
  'web.hosts': 'The names by which people reach the console, such as tieout.example.com.',
  'web.users': 'The role of each user.',
  terminals: 'Ids of the terminals to include; by default all that the service lists.',
  lookback_days: 'Number of business days in a run without dates.',
  schedule:
    'The nightly run: its local time, the days within which missed nights are made up, and the longest random delay. The delay spreads the starts of many accounts. tieout schedule apply updates the schedule.',
  'schedule.at': 'The local time at which the nightly run starts, such as 04:15.',
  'schedule.catch_up_days': 'Missed nights of so many days are made up.',
  'schedule.jitter_seconds': 'The longest random delay of a start.',
  webhook:
    'The messages to the address in TIEOUT_WEBHOOK_URL. Its link may hold {account}, {from}, {to} and {runId}.',
  'webhook.events': 'The outcomes of a run that are posted.',
  'webhook.least_severity': 'Less urgent messages are not posted.',
  'webhook.link': 'An address for the reader of a message.',
  'webhook.late_after_hours': 'A scheduled run that takes longer is late.',
  thresholds:
    "Ages at which open items become exceptions. tieout learns from each terminal's data how long before a settlement its cut-off lies; cutoff_tolerance_hours limits that time.",
  'thresholds.pending_stale_days':
    'Calendar days after which a PENDING settlement becomes PENDING_STALE.',
  'thresholds.unsettled_days':
    'Calendar days after which a captured transaction becomes UNSETTLED_AGED.',
  'thresholds.cutoff_tolerance_hours':
    'The most hours before a settlement at which its cut-off is looked for.',
  sweeps:
    'Transactions that a night reads again: all that are not older than lookback_days, and open ones that are not older than open_days. Every audit_days it reads the whole list.',
  'sweeps.audit_days': 'The whole list is read again this often.',
  'sweeps.lookback_days': 'All transactions that are not older are read again.',
  'sweeps.open_days': 'Open or unreadable transactions that are not older are read again.',
  source:
    'Requests to the service. Query parameters and headers go with every request; set them only if the service needs them.',
  'source.paths': 'Paths of the lists below the base address.',
  'source.paths.terminals': 'Path of the list of terminals.',
  'source.paths.settlements': 'Path of the list of settlements.',
  'source.paths.transactions': 'Path of the list of transactions.',
  'source.query': 'Query parameters of every request. No secret belongs here.',
  'source.headers': 'Headers of every request. No secret belongs here.',
  'source.page_size': 'Number of records that a request asks for.',
  'source.timeout_ms': 'Milliseconds after which a request without an answer is given up.',
  'source.retry_budget_ms': 'The most milliseconds that a request may wait and be repeated.',
  'source.allow_link_local':
    'Whether the service may have a link-local address, which clouds use for their secrets.',
  bank_holidays:
    "Dates on which the banks are closed or open, contrary to the Federal Reserve's calendar.",
  'bank_holidays.closed': 'Dates on which the banks are closed as well.',
  'bank_holidays.open': 'Holidays on which the banks are open.',
  report: 'The files of packs in a folder.',
  'report.mode':
    'The mode of these files, such as "0640" for a group that reads them, whatever the umask is. Folders get the right to enter for whoever reads.',
  transactions:
    "Source of transactions: list (the service's own list) or import (files given to tieout import).",
  'transactions.source': 'list or import.',
  import:
    'Form of the files for tieout import: the column of each field, amounts as decimal (12.30), number (12.3, also 12) or cents (1230), and other differences. tieout import --check proposes these lines for a file.',
  'import.*': 'Form of the files with this list of records.',
  'import.*.columns': 'The column of each field.',
  'import.*.amounts': 'Amounts as decimal (12.30), number (12.3, also 12) or cents (1230).',
  'import.*.delimiter': 'The character between two cells.',
  'import.*.encoding': 'The encoding of the file.',
  'import.*.title_lines': 'Number of lines before the header.',
  'import.*.total_lines': 'Number of lines after the last record.',
  'import.*.decimal_mark': 'The mark before the cents.',
  'import.*.thousands_mark': 'The mark between thousands; empty for none.',
  'import.*.currency_marks':
    'Marks of a currency that may stand beside an amount, such as $ or USD.',
  'import.*.negative_refunds': 'Whether refunds have a minus.',
  'import.*.dates': 'The form of dates, if it is not ISO 8601.',
  'import.*.dates.pattern': 'A pattern such as DD/MM/YYYY HH:mm:ss.',
  'import.*.dates.zone': 'IANA zone of the dates.',
  'import.*.words': "The meaning of the file's own words, field by field.",
  chart_of_accounts: 'Ledger account and name for each account of the journal.',
  accounting:
    'Files for accounting programs. group is entry, day, settlement or month. by_terminal gives each terminal lines of its own. programs are by default those that have a key. Forms, dates and limits are examples; docs/accounting.md explains each key.',
  'accounting.group': 'The journal entries that are gathered into one entry of a program.',
  'accounting.by_terminal': 'Whether each terminal has lines of its own.',
  'accounting.programs': 'The programs that get files; by default those that have a key.',
  'accounting.*': 'The file of this program.',
  'accounting.*.headings': "Other headings for columns of the program's file.",
  'accounting.*.cells': 'Fixed texts for columns.',
  'accounting.*.accounts': "The program's own name for accounts of the chart.",
  'accounting.*.names': 'Names that the program needs beside accounts.',
  'accounting.*.account_form': 'How an account is written: number, name, or number name.',
  'accounting.*.date': 'The form of dates, such as YYYY-MM-DD.',
  'accounting.*.max_lines': 'The most lines of a file. Longer files are split.',
  'accounting.*.max_bytes': 'The most bytes of a file. Longer files are split.',
  accounts:
    'Several accounts. Each may set all keys above, except account, lake, lake_data, out, csv_profile, metrics and duckdb. Each names the variables of its secrets; by default these are TIEOUT_API_USER and the like.',
  'accounts.name': 'Short name of the account.',
  'accounts.credentials': 'The variables of the credentials, never the credentials themselves.',
  'accounts.credentials.user': 'The variable of the user.',
  'accounts.credentials.password': 'The variable of the password.',
  'accounts.credentials.application_key': 'The variable of the application key.',
  'accounts.hash_key': 'The variable of the hash key.',
}

/** The text of a key; undefined where none is needed, such as for a single field of an import. */
export function keyText(path: readonly string[]): string | undefined {
  const [top = '', , ...rest] = path
  return KEY_TEXTS[path.join('.')] ?? KEY_TEXTS[[top, '*', ...rest].join('.')]
}
