/** The files of a pack: a closed list in a fixed order, and the one definition of each column. */
import { assert } from '../../domain/failure.ts'

/**
 * The permitted cells of each kind, by pattern. `text` is free text, the only kind that the lake
 * guards against formulas. `word` is a code, a short name or a list of ids; `figure` is money or a
 * count.
 */
export const CELLS = {
  text: /^(?![=+\-@\t\r])/,
  word: /^(?![=+\-@])[^\p{Cc}]*$/u,
  id: /^\d{1,19}$/,
  integer: /^-?\d{1,18}$/,
  money: /^(?!-0\.00$)-?\d{1,16}\.\d{2}$/,
  figure: /^(?!-0(\.0+)?$)-?\d{1,18}(\.\d{1,2})?$/,
  date: /^\d{4}-\d{2}-\d{2}$/,
  instant: /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,6})?Z$/,
  boolean: /^(true|false)$/,
} as const

export type ColumnKind = keyof typeof CELLS

export interface PackColumn {
  name: string
  kind: ColumnKind
  /** False: the cell may be empty. */
  required: boolean
}

export interface PackFile {
  /** Path inside the pack, with `/`. */
  name: string
  /** The name of its rows in the lake; the model `pack_<table>` makes them. */
  table: string
  columns: readonly PackColumn[]
  /**
   * Lists of columns. Within a row, the first column is the sum of the others; a `-` subtracts. Rows with an empty
   * cell among them are exempt.
   */
  adds: readonly (readonly string[])[]
  /** Two columns whose totals over the file are equal. */
  balances?: readonly [string, string]
}

const settlements = file('settlements.csv', {
  columns: `
    account word, settlementId id, terminalId id, terminalName text?, created instant, businessDate date,
    status word, reportedNet money, computedNet money?, difference money?, verdict word, method word,
    certificate word?, transactionCount integer?, chargeCount integer?, chargeTotal money?,
    refundCount integer?, refundTotal money?, cutoff instant?, explanation word?, explainedAmount money?,
    unexplainedAmount money?, explainedBy word?, firstSeen instant, lastChanged instant`,
  adds: [
    ['difference', 'computedNet', '-reportedNet'],
    ['difference', 'explainedAmount', 'unexplainedAmount'],
  ],
})

const attributions = file('attributions.csv', {
  columns: `
    account word, transactionId id, settlementId id, terminalId id, created instant, action word,
    status word, amountTotal money, signedAmount money, method word`,
})

const exceptions = file('exceptions.csv', {
  columns: `
    account word, exceptionId word, code word, severity word, certainty word?, subjectType word,
    subjectId word, terminalId id?, amount money?, detail text?, firstSeen instant, lastSeen instant,
    ageDays integer?, state word, stateBy text?, stateReason text?, assignee text?`,
})

const worklist = file('worklist.csv', {
  columns: `
    account word, rank integer, subjectType word, subjectId word, terminalId id?, terminalName text?,
    amount money?, since date?, ageDays integer?, certainty word, cause word, askWhom word,
    nextStep word, assignee text?, exceptionIds word?`,
})

const pending = file('pending.csv', {
  columns: `
    account word, settlementId id, terminalId id, created instant, observedAt instant, status word,
    reportedNet money, change money?, hoursPending figure`,
})

const refundCeiling = file('refund_ceiling.csv', {
  columns: `
    account word, transactionId id, terminalId id, created instant, cardKey word, refundAmount money,
    chargedCoarse money, chargedFine money, refundedBefore money, certainty word, historyFrom instant?`,
})

const unsettled = file('unsettled.csv', {
  columns: `
    account word, transactionId id, terminalId id, created instant, action word, status word,
    amountTotal money, signedAmount money, ageDays integer, bucket word, lastObserved instant`,
})

const rollforward = file('rollforward.csv', {
  columns: `
    account word, terminalId id, date date, openingUnsettled money, charges money, refunds money,
    voids money, settled money, closingUnsettled money`,
  adds: [['closingUnsettled', 'openingUnsettled', 'charges', '-refunds', '-voids', '-settled']],
})

const controlTotals = file('control_totals.csv', {
  columns: `check word, expected figure, actual figure, difference figure, pass boolean`,
})

const sweeps = file('sweeps.csv', {
  columns: `
    account word, list word, terminalId id?, startedAt instant, endedAt instant, pages integer,
    records integer, newVersions integer, quarantined integer, rewinds integer, requests integer,
    throttled integer, certificate word, bodiesSha256 word`,
})

const journal = file('accounting/journal.csv', {
  columns: `
    entryId word, date date, period word, account word, accountName text, debit money?, credit money?,
    currency word, memo text?, settlementId id?, terminalId id?, source word`,
  balances: ['debit', 'credit'],
})

/** Every CSV of a pack, in the order in which they are written and listed. */
export const PACK_FILES: readonly PackFile[] = [
  settlements,
  attributions,
  exceptions,
  worklist,
  pending,
  refundCeiling,
  unsettled,
  rollforward,
  controlTotals,
  sweeps,
  journal,
]

/** The tables that the summaries and the control totals are read from. */
export const TABLES = {
  settlements: settlements.table,
  attributions: attributions.table,
  exceptions: exceptions.table,
  worklist: worklist.table,
  pending: pending.table,
  refundCeiling: refundCeiling.table,
  unsettled: unsettled.table,
  rollforward: rollforward.table,
  controlTotals: controlTotals.table,
  journal: journal.table,
  /** The entries for accounting programs; no file of its own has them. */
  gathered: 'gathered',
}

/** Tables of the workbook with the rows of a file and further columns of the records. */
export const SHEET_TABLES = {
  settlements: {
    file: settlements.name,
    table: 'sheet_settlements',
    columns: [
      ...settlements.columns,
      ...columnsOf('merchantNumber text?, accountId text?, companyDba text?'),
    ],
  },
  lines: {
    file: attributions.name,
    table: 'sheet_lines',
    columns: [
      ...attributions.columns,
      ...columnsOf(`
        invoiceNumber text?, purchaseOrderNumber text?, amountBase money?, amountTax money?,
        amountShipping money?, amountTip money?, amountSurcharge money?, amountUnallocated money?`),
    ],
  },
} as const

/** The header line of a file, as the contract has it. */
export const headerOf = (packFile: PackFile): string =>
  packFile.columns.map(({ name }) => name).join(',')

/** Names of the columns whose text is guarded, by file; for the manifest. */
export function guardedColumns(): Record<string, string[]> {
  const guarded = PACK_FILES.map(({ name, columns }): [string, string[]] => [
    name,
    columns.filter(({ kind }) => kind === 'text').map((column) => column.name),
  ])
  return Object.fromEntries(guarded.filter(([, columns]) => columns.length > 0))
}

function file(
  name: string,
  more: { columns: string; adds?: PackFile['adds']; balances?: [string, string] },
): PackFile {
  const { columns, adds = [], ...rest } = more
  const table = name.replace('accounting/', '').replace('.csv', '')
  return { name, table, columns: columnsOf(columns), adds, ...rest }
}

function columnsOf(text: string): PackColumn[] {
  return text.split(',').map(columnOf)
}

/** Reads `name kind` or, where the cell may be empty, `name kind?`. */
function columnOf(text: string): PackColumn {
  const [name = '', words = ''] = text.trim().split(' ')
  const kind = words.replace('?', '')
  assert(isKind(kind), `column ${name} has a known kind`)
  return { name, kind, required: !words.endsWith('?') }
}

function isKind(text: string): text is ColumnKind {
  return Object.hasOwn(CELLS, text)
}
