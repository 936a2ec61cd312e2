/** The file form of each accounting program, and its changes by the configuration. */
import {
  type AccountingProgram,
  type AccountingSettings,
  gatheringOf,
  programsOf,
} from '../../domain/accounting.ts'
import { Failure } from '../../domain/failure.ts'

export interface Column {
  heading: string
  /** A template, such as `{entryId:21}`; see cell-template.ts. */
  cell: string
  /** Only the first line of an entry has it. */
  firstLineOnly?: boolean
  /** The cell if each terminal has lines of its own. */
  cellByTerminal?: string
}

export interface ProgramFormat {
  /** Name of the file and of its first part. */
  file: string
  /** Key of the configuration. */
  key: string
  layout: 'csv' | 'iif'
  /** Name of a workbook with the same rows, for a program that takes no text, and of its sheet. */
  workbook?: string
  sheet?: string
  columns: readonly Column[]
  /** Columns that exist only if each terminal has lines of its own. */
  columnsByTerminal?: readonly Column[]
  /** The text for an account that `accounts` leaves out. */
  accountForm: 'number' | 'name' | 'number name'
  /** Names of the program by chart key or ledger account. */
  accounts: Readonly<Record<string, string>>
  /** Customer, vendor or agency by chart key or ledger account, for programs that need one. */
  names: Readonly<Record<string, string>>
  date: string
  /** Lines of a file, including its header. */
  maxLines: number
  maxBytes: number
  /** A larger amount is split into several lines. */
  max_cents: bigint
}

/** The keys of the configuration for one program; all else stays as in the preset. */
export interface FormatOverride {
  /** The preset's heading, and the one of your own template. */
  headings?: Record<string, string> | undefined
  /** The preset's heading with its cell template; a new heading adds a column. */
  cells?: Record<string, string> | undefined
  accounts?: Record<string, string> | undefined
  names?: Record<string, string> | undefined
  account_form?: ProgramFormat['accountForm'] | undefined
  date?: string | undefined
  max_lines?: number | undefined
  max_bytes?: number | undefined
}

const UNLIMITED = {
  accounts: {},
  names: {},
  maxLines: Number.MAX_SAFE_INTEGER,
  maxBytes: Number.MAX_SAFE_INTEGER,
  max_cents: 10n ** 15n - 1n,
} as const

const MEGABYTE = 1_000_000
const TERMINAL = '{terminalId}'

const quickbooksOnline: ProgramFormat = {
  ...UNLIMITED,
  ...{ file: 'quickbooks-online.csv', key: 'quickbooks_online', layout: 'csv' },
  ...{ accountForm: 'name', date: 'MM/DD/YYYY', maxLines: 1000, maxBytes: 2 * MEGABYTE },
  columns: [
    { heading: 'JournalNo', cell: '{entryId:21}' },
    { heading: 'JournalDate', cell: '{date}' },
    { heading: 'AccountName', cell: '{account}' },
    { heading: 'Debits', cell: '{debit}' },
    { heading: 'Credits', cell: '{credit}' },
    { heading: 'Description', cell: '{entryId} {memo}' },
    { heading: 'Name', cell: '{name}' },
    { heading: 'Memo', cell: '{memo}' },
    { heading: 'Currency', cell: '{currency}' },
    { heading: 'Class', cell: '', cellByTerminal: TERMINAL },
    { heading: 'Location', cell: '' },
  ],
}

const quickbooksDesktop: ProgramFormat = {
  ...UNLIMITED,
  ...{ file: 'quickbooks-desktop.iif', key: 'quickbooks_desktop', layout: 'iif' },
  ...{ accountForm: 'name', date: 'MM/DD/YYYY' },
  columns: [
    { heading: 'TRNSTYPE', cell: 'GENERAL JOURNAL' },
    { heading: 'DATE', cell: '{date}' },
    { heading: 'ACCNT', cell: '{account}' },
    { heading: 'NAME', cell: '{name}' },
    { heading: 'CLASS', cell: '', cellByTerminal: TERMINAL },
    { heading: 'AMOUNT', cell: '{amount}' },
    { heading: 'DOCNUM', cell: '{entryId:11}' },
    { heading: 'MEMO', cell: '{entryId} {memo}' },
  ],
}

const xero: ProgramFormat = {
  ...UNLIMITED,
  ...{ file: 'xero.csv', key: 'xero', layout: 'csv' },
  ...{ accountForm: 'number', date: 'DD/MM/YYYY', maxLines: 300 },
  columns: [
    // Lines of one narration and date form one journal, so the narration begins with the entry's
    // id.
    { heading: '*Narration', cell: '{entryId} {memo}' },
    { heading: '*Date', cell: '{date}' },
    { heading: 'Description', cell: '{memo}' },
    { heading: '*AccountCode', cell: '{account}' },
    { heading: '*TaxRate', cell: 'Tax Exempt' },
    { heading: '*Amount', cell: '{amount}' },
    { heading: 'TrackingName1', cell: '', cellByTerminal: 'Terminal' },
    { heading: 'TrackingOption1', cell: '', cellByTerminal: TERMINAL },
    { heading: 'TrackingName2', cell: '' },
    { heading: 'TrackingOption2', cell: '' },
  ],
}

const netsuite: ProgramFormat = {
  ...UNLIMITED,
  ...{ file: 'netsuite.csv', key: 'netsuite', layout: 'csv' },
  ...{ accountForm: 'number', date: 'MM/DD/YYYY' },
  ...{ maxLines: 25_000, maxBytes: 50 * MEGABYTE, max_cents: 10n ** 12n - 1n },
  columns: [
    { heading: 'External ID', cell: '{entryId}' },
    { heading: 'Date', cell: '{date}' },
    { heading: 'Subsidiary', cell: '' },
    { heading: 'Currency', cell: '{currency}' },
    { heading: 'Memo', cell: '{memo}' },
    { heading: 'Account', cell: '{account}' },
    { heading: 'Debit', cell: '{debit}' },
    { heading: 'Credit', cell: '{credit}' },
    { heading: 'Line Memo', cell: '{memo}' },
    { heading: 'Department', cell: '' },
    { heading: 'Class', cell: '' },
    { heading: 'Location', cell: '', cellByTerminal: TERMINAL },
    { heading: 'Posting Period', cell: '' },
  ],
}

const sageIntacct: ProgramFormat = {
  ...UNLIMITED,
  ...{ file: 'sage-intacct.csv', key: 'sage_intacct', layout: 'csv' },
  ...{ accountForm: 'number', date: 'MM/DD/YYYY' },
  columns: [
    { heading: 'JOURNAL', cell: 'GJ', firstLineOnly: true },
    { heading: 'DATE', cell: '{date}', firstLineOnly: true },
    { heading: 'DESCRIPTION', cell: '{entryId:30}', firstLineOnly: true },
    { heading: 'REFERENCE_NO', cell: '{entryId}', firstLineOnly: true },
    { heading: 'LINE_NO', cell: '{line}' },
    { heading: 'ACCT_NO', cell: '{account}' },
    { heading: 'LOCATION_ID', cell: '', cellByTerminal: TERMINAL },
    { heading: 'DEPT_ID', cell: '' },
    { heading: 'MEMO', cell: '{memo}' },
    { heading: 'DEBIT', cell: '{debit}' },
    { heading: 'CREDIT', cell: '{credit}' },
  ],
}

const businessCentral: ProgramFormat = {
  ...UNLIMITED,
  ...{ file: 'business-central.csv', key: 'business_central', layout: 'csv' },
  ...{ workbook: 'business-central.xlsx', sheet: 'Gen. Journal Line' },
  // The rows of one sheet, since users paste or package the file with Excel.
  ...{ accountForm: 'number', date: 'YYYY-MM-DD', maxLines: 1_048_576 },
  columns: [
    { heading: 'Journal Template Name', cell: 'GENERAL' },
    { heading: 'Journal Batch Name', cell: 'DEFAULT' },
    { heading: 'Line No.', cell: '{row}' },
    { heading: 'Posting Date', cell: '{date}' },
    { heading: 'Document No.', cell: '{entryId:20}' },
    { heading: 'Account Type', cell: 'G/L Account' },
    { heading: 'Account No.', cell: '{account}' },
    { heading: 'Description', cell: '{memo:100}' },
    { heading: 'Amount', cell: '{amount}' },
  ],
  columnsByTerminal: [{ heading: 'Shortcut Dimension 1 Code', cell: TERMINAL }],
}

const PRESETS: Readonly<Record<AccountingProgram, ProgramFormat>> = {
  quickbooks_online: quickbooksOnline,
  quickbooks_desktop: quickbooksDesktop,
  xero,
  netsuite,
  sage_intacct: sageIntacct,
  business_central: businessCentral,
}

/**
 * The formats of the programs that get files, each changed by the configuration under its key. Throws config_invalid
 * with the key for a heading that the preset lacks, and for a terminal in lines that sum several terminals.
 */
export function programFormats(
  accounting: AccountingSettings,
  programs: readonly AccountingProgram[] = programsOf(accounting),
): ProgramFormat[] {
  const { group, byTerminal } = gatheringOf(accounting)
  return programs.map((program) => {
    const override: FormatOverride = accounting[program] ?? {}
    const format = changed(
      byTerminal ? withTerminals(PRESETS[program]) : PRESETS[program],
      override,
    )
    if (group !== 'entry' && !byTerminal) refuseTerminals(format)
    return format
  })
}

const withTerminals = (preset: ProgramFormat): ProgramFormat => ({
  ...preset,
  columns: [
    ...preset.columns.map(({ cellByTerminal, ...column }) => ({
      ...column,
      cell: cellByTerminal ?? column.cell,
    })),
    ...(preset.columnsByTerminal ?? []),
  ],
})

function refuseTerminals({ columns, key }: ProgramFormat): void {
  const column = columns.find(({ cell }) => /\{terminalId[:}]/.test(cell))
  if (column === undefined) return
  throw new Failure(
    'config_invalid',
    `accounting.${key}.cells.${column.heading}: {terminalId} needs accounting.by_terminal: true, or accounting.group: entry`,
  )
}

function changed(preset: ProgramFormat, override: FormatOverride): ProgramFormat {
  return {
    ...preset,
    columns: columnsOf(preset, override),
    accountForm: override.account_form ?? preset.accountForm,
    accounts: override.accounts ?? preset.accounts,
    names: override.names ?? preset.names,
    date: override.date ?? preset.date,
    maxLines: override.max_lines ?? preset.maxLines,
    maxBytes: override.max_bytes ?? preset.maxBytes,
  }
}

function columnsOf({ columns, key }: ProgramFormat, override: FormatOverride): Column[] {
  const { headings = {}, cells = {} } = override
  const known = columns.map(({ heading }) => heading)
  const unknown = Object.keys(headings).find((heading) => !known.includes(heading))
  if (unknown !== undefined) {
    throw new Failure(
      'config_invalid',
      `accounting.${key}.headings.${unknown} is not a heading; known are ${known.join(', ')}`,
    )
  }
  const added = Object.entries(cells).filter(([heading]) => !known.includes(heading))
  return [
    ...columns.map((column) => ({
      ...column,
      heading: headings[column.heading] ?? column.heading,
      cell: cells[column.heading] ?? column.cell,
    })),
    ...added.map(([heading, cell]) => ({ heading, cell })),
  ]
}
