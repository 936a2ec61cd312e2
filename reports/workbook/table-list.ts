/** The sheets with tables: their rows, the order of their columns, and what is printed of them. */
import { assert } from '../../domain/failure.ts'
import {
  type ColumnKind,
  PACK_FILES,
  type PackColumn,
  SHEET_TABLES,
  TABLES,
} from '../pack/pack-files.ts'

export interface TableSheet {
  name: string
  /** The file of the pack with the same rows. */
  file: string
  table: string
  columns: readonly PackColumn[]
  /** The number of columns that are printed, from the first. */
  printed: number
  /** Columns with a meaningful sum. */
  sums: readonly string[]
  isPortrait?: boolean
}

/** The age in bank days, which only the sheet Ageing has. */
export const BANK_AGE: PackColumn = { name: 'ageBusinessDays', kind: 'integer', required: true }

/** Columns whose words or amounts are coloured. */
export const WORDS = ['verdict', 'severity', 'certainty', 'certificate', 'bucket']
export const DIFFERENCES = ['difference', 'unexplainedAmount']

const SUMS = {
  settlements: `reportedNet computedNet difference explainedAmount unexplainedAmount
    transactionCount chargeCount chargeTotal refundCount refundTotal`,
  lines: `signedAmount amountBase amountTax amountShipping amountTip amountSurcharge
    amountUnallocated`,
}

export const TABLE_SHEETS: readonly TableSheet[] = [
  sheet('Worklist', columnsOf(TABLES.worklist), {
    first: `rank askWhom subjectType subjectId terminalName amount since ageDays certainty cause
      nextStep assignee`,
  }),
  sheet('Settlements', SHEET_TABLES.settlements, {
    first: `settlementId terminalId terminalName businessDate status reportedNet computedNet
      difference verdict explanation explainedAmount unexplainedAmount certificate
      transactionCount`,
    sums: SUMS.settlements,
  }),
  sheet('Exceptions', columnsOf(TABLES.exceptions), {
    first: `code severity certainty subjectType subjectId terminalId amount ageDays state assignee
      detail`,
  }),
  sheet('Ageing', columnsOf(TABLES.unsettled, BANK_AGE), {
    first: `transactionId terminalId created action status amountTotal signedAmount ageDays
      ageBusinessDays bucket`,
    sums: 'signedAmount',
    isPortrait: true,
  }),
  sheet('Roll-forward', columnsOf(TABLES.rollforward), {
    first: 'terminalId date openingUnsettled charges refunds voids settled closingUnsettled',
    sums: 'charges refunds voids settled',
    isPortrait: true,
  }),
  sheet('Refund ceiling', columnsOf(TABLES.refundCeiling), {
    first: `transactionId terminalId created cardKey refundAmount chargedFine chargedCoarse
      refundedBefore certainty`,
    sums: 'refundAmount',
  }),
  sheet('Journal', columnsOf(TABLES.journal), {
    first: 'date entryId account accountName debit credit currency memo',
    sums: 'debit credit',
  }),
  sheet('Lines', SHEET_TABLES.lines, {
    first: `settlementId transactionId terminalId created action status amountTotal signedAmount
      method`,
    sums: SUMS.lines,
    isPortrait: true,
  }),
]

interface Rows {
  file: string
  table: string
  columns: readonly PackColumn[]
}

/** `first` names the columns that come first and are printed; the others follow in their order. */
function sheet(
  name: string,
  { file, table, columns }: Rows,
  more: { first: string; sums?: string; isPortrait?: boolean },
): TableSheet {
  const first = namesIn(more.first).map((word) => {
    const column = columns.find((one) => one.name === word)
    assert(column !== undefined, `the sheet ${name} has a column ${word}`)
    return column
  })
  return {
    ...{ name, file, table, printed: first.length, sums: namesIn(more.sums ?? '') },
    columns: [...first, ...columns.filter((column) => !first.includes(column))],
    isPortrait: more.isPortrait === true,
  }
}

function namesIn(text: string): string[] {
  return text.split(/\s+/).filter((name) => name !== '')
}

function columnsOf(table: string, ...more: readonly PackColumn[]): Rows {
  const packFile = PACK_FILES.find((file) => file.table === table)
  assert(packFile !== undefined, `${table} is a table of the pack`)
  return { file: packFile.name, table, columns: [...packFile.columns, ...more] }
}

const WIDTHS: Readonly<Record<ColumnKind, number>> = {
  text: 28,
  word: 15,
  id: 20,
  integer: 9,
  money: 15,
  figure: 15,
  date: 13,
  instant: 21,
  boolean: 8,
}

/** Columns that are wider or narrower than others of their kind. */
const WIDTH_OF: Readonly<Record<string, number>> = {
  account: 14,
  accountId: 38,
  cause: 40,
  code: 27,
  detail: 62,
  entryId: 32,
  exceptionId: 20,
  exceptionIds: 24,
  explainedBy: 24,
  explanation: 25,
  memo: 44,
  nextStep: 50,
  stateReason: 44,
  subjectId: 22,
}

/** Long texts, which take several lines of their cell. */
export const WRAPPED = ['cause', 'detail', 'nextStep', 'stateReason', 'memo']

/** A heading is one word, and the button of its filter stands beside it. */
const BUTTON = 5

/** The width of a column in characters, at least that of its heading. */
export const widthOf = ({ name, kind }: PackColumn): number =>
  Math.max(WIDTH_OF[name] ?? WIDTHS[kind], name.length + BUTTON)
