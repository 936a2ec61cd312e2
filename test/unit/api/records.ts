/** Records as JSON texts: a valid one per list, in which one field can be replaced by any text. */
import { parseJson } from '../../../api/json/json.ts'
import { readRecord, type ReadRecord } from '../../../api/record/record.ts'
import type { List } from '../../../domain/run.ts'
import { Secret } from '../../../domain/settings.ts'

export const HASH_KEY = new Secret('a key for tests')

type Fields = Record<string, string>

export const VALID: Record<List, Fields> = {
  transactions: {
    transactionId: '70001',
    terminalId: '41',
    action: '"CHARGE"',
    status: '"CAPTURE"',
    created: '"2026-03-01T10:00:00Z"',
    amountTotal: '"12.30"',
  },
  settlements: {
    settlementId: '880',
    terminalId: '41',
    created: '"2026-03-01T23:00:00Z"',
    amountNet: '12.30',
    status: '"COMPLETE"',
  },
  terminals: { terminalId: '41', nickName: '"Front desk"', type: '"CARD"', enabled: 'true' },
}

/** The text of the valid record with one field replaced, added or, where the value is `(absent)`, left out. */
export function recordText(list: List, field: string, value: string): string {
  const fields = Object.entries({ ...VALID[list], [field]: value })
  const sent = fields.filter(([, text]) => text !== '(absent)')
  return `{${sent.map(([name, text]) => `"${name}":${text}`).join(',')}}`
}

export const read = (list: List, text: string): ReadRecord =>
  readRecord(list, parseJson(text), HASH_KEY)

/** A line of a table: the value that is sent, and the result. */
export interface Line {
  field: string
  sent: string
  expected: string
}

/** Reads `field | JSON | expected`, a line each; `<3 x ab>` stands for `ababab`. */
export function tableOf(text: string): Line[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => {
      const [field = '', sent = '', expected = ''] = line.split(/ +\| +/).map(grown)
      return { field, sent, expected }
    })
}

/** `column=value` of a row, or `field: reason [excerpt]` of a reject; the column is the one that `expected` names. */
export function outcomeOf(record: ReadRecord, expected: string): string {
  if ('reject' in record) {
    const { field, reason, excerpt } = record.reject
    return `${field}: ${reason} [${excerpt}]`
  }
  const column = /^[a-z_]+(?==)/.exec(expected)?.[0] ?? ''
  const row: Record<string, unknown> = record.row
  return column in row ? `${column}=${String(row[column])}` : 'a row'
}

function grown(cell: string): string {
  return cell.replace(/<([0-9]+) x ([^>]+)>/g, (_, times: string, piece: string) =>
    piece.repeat(Number(times)),
  )
}
