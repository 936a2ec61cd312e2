/** The list of settlements of the newest run. */
import { isDate } from '../../domain/business-day.ts'
import type { Column } from '../parts/frame.tsx'
import type { Filter, ListSpec } from '../parts/listing.ts'

const MOST_ID = 9_223_372_036_854_775_807n

export const ID = (text: string) =>
  /^\d{1,19}$/.test(text) && BigInt(text) <= MOST_ID ? text : undefined
export const AMOUNT = (text: string) => (/^-?\d{1,13}(\.\d{1,2})?$/.test(text) ? text : undefined)
export const DAY = (text: string) => (isDate(text) ? text : undefined)

const FILTERS: readonly Filter[] = [
  {
    ...{ name: 'verdict', title: 'Verdict', where: 'verdict = ?' },
    choices: ['TIED', 'EXPLAINED', 'BREAK', 'PENDING', 'NO_DATA'],
  },
  {
    ...{ name: 'certificate', title: 'Certificate', where: 'certificate = ?' },
    choices: ['UNIQUE', 'AMBIGUOUS', 'UNSOLVED'],
  },
  { name: 'terminal', title: 'Terminal', where: '"terminalId" = ?::bigint', read: ID },
  {
    ...{ name: 'least', title: 'Difference of at least', input: 'number', read: AMOUNT },
    where: 'abs(difference) >= ?::decimal(18, 2)',
  },
  { name: 'from', title: 'From', where: '"businessDate" >= ?::date', input: 'date', read: DAY },
  { name: 'to', title: 'Before', where: '"businessDate" < ?::date', input: 'date', read: DAY },
]

export const SETTLEMENTS: ListSpec = {
  path: '/settlements',
  from: 'select * from settlements',
  id: 'settlementId',
  filters: FILTERS,
  sorts: {
    settlementId: 'bigint',
    created: 'timestamp',
    businessDate: 'date',
    reportedNet: 'decimal(18, 2)',
    computedNet: 'decimal(18, 2)',
    difference: 'decimal(18, 2)',
    verdict: 'varchar',
  },
  sortedBy: '-created',
}

export const SETTLEMENT_COLUMNS: readonly Column[] = [
  {
    ...{ name: 'settlementId', title: 'Settlement' },
    link: ({ settlementId }) => `/settlements/${settlementId}`,
  },
  {
    ...{ name: 'terminalName', title: 'Terminal' },
    link: ({ terminalId }) => `/terminals/${terminalId}`,
  },
  { name: 'businessDate', title: 'Business day' },
  { name: 'created', title: 'Created, UTC', as: 'instant', isWide: true },
  { name: 'reportedNet', title: 'Reported', as: 'money', isWide: true },
  { name: 'computedNet', title: 'Computed', as: 'money', isWide: true },
  { name: 'difference', title: 'Difference', as: 'off' },
  { name: 'verdict', title: 'Verdict', as: 'word' },
  { name: 'certificate', title: 'Certificate', isWide: true },
  { name: 'explanation', title: 'Explanation', isWide: true },
]
