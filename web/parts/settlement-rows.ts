/** Rows of an explanation as cells of a table. */
import type { Cells } from './reader.ts'

export const settlementLink = ({ otherSettlement }: Cells) =>
  /^\d+$/.test(otherSettlement ?? '') ? `/settlements/${otherSettlement}` : undefined

/** Items with lists and flags as cells. */
export const rowsOf = (items: readonly object[]): Cells[] =>
  items.map((item) =>
    Object.fromEntries(Object.entries(item).map(([name, value]) => [name, textOf(value)])),
  )

const textOf = (value: unknown): string => {
  if (typeof value === 'boolean') return value ? 'yes' : ''
  return Array.isArray(value) ? value.join(', ') : String(value ?? '')
}
