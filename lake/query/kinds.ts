/** The kinds of view columns: the type, and the unit for the data dictionary. */
export const KINDS = {
  money: { type: 'DECIMAL(18,2)', unit: "the account's currency, exact, two places" },
  id: { type: 'BIGINT', unit: 'id of 64 bits' },
  sequence: { type: 'BIGINT', unit: 'number that only grows' },
  count: { type: 'BIGINT', unit: 'count' },
  days: { type: 'BIGINT', unit: 'calendar days' },
  hours: { type: 'BIGINT', unit: 'hours' },
  percent: { type: 'DECIMAL(9,4)', unit: 'percent' },
  instant: { type: 'TIMESTAMP', unit: 'instant, UTC' },
  date: { type: 'DATE', unit: "date in the account's time zone" },
  month: { type: 'VARCHAR', unit: 'YYYY-MM' },
  flag: { type: 'BOOLEAN', unit: 'true or false' },
  name: { type: 'VARCHAR', unit: 'name' },
  word: { type: 'VARCHAR', unit: 'word' },
  text: { type: 'VARCHAR', unit: 'text' },
  hash: { type: 'VARCHAR', unit: 'hexadecimal' },
  json: { type: 'VARCHAR', unit: 'JSON' },
} as const

export type Kind = keyof typeof KINDS

export const isKind = (word: string): word is Kind => Object.hasOwn(KINDS, word)
