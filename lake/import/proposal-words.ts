/** Describes a proposal to a person, one short phrase for each difference. */
import type { ImportReading } from '../../domain/import.ts'

export interface ProposedWords {
  columns: Readonly<Record<string, string>>
  words: ImportReading['words']
}

/** Describes each difference from the confirmed reading. */
export const saidOf = (
  change: Partial<ImportReading>,
  { columns, words }: ProposedWords,
): string[] => [
  ...Object.entries(change).flatMap(([key, value]) => sentences[key]?.(value, change) ?? []),
  ...Object.entries(columns).map(([field, name]) => `${field} is column ${JSON.stringify(name)}`),
  ...Object.entries(words).map(([field, meant]) => `${field}: ${meanings(meant)}`),
]

const meanings = (meant: Readonly<Record<string, string>>) =>
  Object.entries(meant)
    .map(([word, one]) => `${word} means ${one}`)
    .join(', ')

const shown = (mark: string) => (mark === '\t' ? 'tab' : JSON.stringify(mark))
const lines = (count: number) => (count === 1 ? '1 line stands' : `${count} lines stand`)

type Sentence = (value: unknown, change: Partial<ImportReading>) => string[]

const sentences: Readonly<Record<string, Sentence>> = {
  encoding: (value) => [`the encoding is ${String(value)}`],
  delimiter: (value) => [`the delimiter is ${shown(String(value))}`],
  titleLines: (value) => [`${lines(Number(value))} above the header`],
  totalLines: (value) => [`${lines(Number(value))} below the records`],
  decimalMark: (value) => [`the decimal mark is ${shown(String(value))}`],
  thousandsMark: (value) => [
    value === '' ? 'there is no thousands mark' : `the thousands mark is ${shown(String(value))}`,
  ],
  amounts: (value) => [
    value === 'number' ? 'some amounts have fewer than two decimals' : 'amounts have two decimals',
  ],
  currencyMarks: (_value, { currencyMarks = [] }) => [`amounts carry ${currencyMarks.join(', ')}`],
  negativeRefunds: () => ['the amounts of refunds carry a minus'],
  dates: (_value, { dates }) =>
    dates === undefined ? [] : [`times are ${dates.pattern}, by the clocks of ${dates.zone}`],
}
