/** The list of settlements of the newest run. */
import type { Column } from '../parts/frame.tsx'
import { AMOUNT, DAY, ID } from '../parts/fields.ts'
import { Link } from '../parts/link.tsx'
import type { Filter, Listed, ListSpec } from '../parts/listing.ts'

const FILTERS: readonly Filter[] = [
  { name: 'id', title: 'Settlement', where: '"settlementId" = ?::bigint', read: ID },
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

/** The way to a settlement that the list does not have, because it is older or newer than the range. */
export const ofOtherRange = ({ rows, set: { id } }: Listed) =>
  id === undefined || rows.length > 0 ? null : (
    <p class="note">
      The list holds the range of the newest run.{' '}
      <Link href={`/settlements/${id}`}>{`Look for ${id} in all records`}</Link>
    </p>
  )
