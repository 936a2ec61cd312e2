/** The first sheet of summary.xlsx, with the contents of the page in blocks. */
import type { PackAbout } from '../pack/pack-source.ts'
import { preparationFacts } from '../pack/preparation.ts'
import { KINDS, MEANINGS, OPEN_PARTS, PARTS, SIGNS } from '../pack/summary-words.ts'
import type { Summary } from '../pack/summary.ts'
import { type Cell, columnLetters, figure } from './cell.ts'
import type { StyleName } from './styles.ts'
import type { Sheet } from './sheet.ts'

const text = (value: string | null | undefined, style: StyleName = 'text'): Cell =>
  value === null || value === undefined ? undefined : { text: value, style }
/** Headings of columns with texts, then with figures, then with texts again. */
const head = (
  texts: readonly string[],
  figures: readonly string[],
  more: readonly string[] = [],
): Cell[] => [
  ...texts.map((name) => text(name, 'head')),
  ...figures.map((name) => text(name, 'headFigure')),
  ...more.map((name) => text(name, 'head')),
]
const money = (value: string | null | undefined): Cell =>
  value === null || value === undefined ? undefined : figure(value, 'money')
/** An amount has cents; a count has none. */
const either = (value: string | null | undefined): Cell =>
  value?.includes('.') === true ? money(value) : count(value)
const count = (value: string | null | undefined): Cell =>
  value === null || value === undefined ? undefined : figure(value, 'integer')

/** `notes` are read when the sheet is written, so that sheets written before it can add to them. */
export function summarySheet(summary: Summary, about: PackAbout, notes: readonly string[]): Sheet {
  const widths = [62, 18, 18, 18, 18, 18]
  let row = 0
  let rowBeforeDays = 0
  async function* rows(): AsyncGenerator<readonly Cell[]> {
    row += 1
    yield [text(`Settlement reconciliation ${about.account}`, 'title')]
    for (const block of blocksOf(summary, about, notes)) {
      rowBeforeDays = row + 1
      row += 1 + block.length
      yield []
      yield* block
    }
  }
  return {
    name: 'Summary',
    widths,
    rows: rows(),
    hasHead: false,
    isPortrait: true,
    ended: () => ({
      printed: `A1:${columnLetters(widths.length - 1)}${row}`,
      breaks: [rowBeforeDays],
    }),
  }
}

function blocksOf(summary: Summary, about: PackAbout, notes: readonly string[]): Cell[][][] {
  const facts: (readonly [string, string])[] = [
    ['From (included)', about.window.from],
    ['To (not included)', about.window.to],
    ['Business days in', about.parameters.timezone],
    ['Amounts in', about.parameters.currency],
    ['Judged as of', about.asOf],
    ['Known at landing', about.knownAt],
    ['Sweeps', about.certificate],
    [
      'Links',
      'An id or a count that is a link leads to a row as it was written; sorting moves rows',
    ],
    ...preparationFacts(about),
    ...notes.map((note): [string, string] => ['Note', note]),
  ]
  const { currency } = about.parameters
  return [
    facts.map(([name, value]) => [text(name, 'label'), text(value)]),
    ...approvalBlocks(summary),
    verdictBlock(summary, currency),
    ...moneyBlocks(summary, currency),
    [
      head(['Control total'], ['Expected', 'Actual', 'Difference'], ['Pass']),
      ...summary.controlTotals.map((row) => [
        text(row['check'], 'long'),
        ...['expected', 'actual', 'difference'].map((name) => either(row[name])),
        text(row['pass'], row['pass'] === 'true' ? 'good' : 'bad'),
      ]),
    ],
    [
      head(
        ['Exception', 'Severity'],
        ['Count, all dates', 'Of this range', 'Open, all dates', 'Oldest, days'],
      ),
      ...summary.codes.map((row) => [
        text(row['code']),
        text(row['severity'], row['severity'] === 'error' ? 'bad' : 'warn'),
        ...['count', 'ofRange', 'open', 'oldestDays'].map((name) => count(row[name])),
      ]),
    ],
    ageingBlock(summary, currency),
    daysBlock(summary, currency),
  ]
}

/** Names of columns with amounts, each with the currency. */
const amounts = (currency: string, ...names: readonly string[]): string[] =>
  names.map((name) => `${name} (${currency})`)
/** The approvals of earlier packs, if there are any. */
const approvalBlocks = ({ approvals }: Summary): Cell[][][] =>
  approvals.length === 0
    ? []
    : [
        [
          head(
            ['Approved packs of these days', 'From', 'To', 'Prepared by', 'Approved by', 'At'],
            [],
          ),
          ...approvals.map((row) =>
            ['runId', 'from', 'to', 'preparedBy', 'approvedBy', 'approvedAt'].map((name) =>
              text(row[name]),
            ),
          ),
        ],
      ]

/** The most letters of a line that has the whole width of the printed sheet. */
const MOST_LETTERS = 150

/** Divides a text between sentences, so that no line is cut off on paper. */
function printedLines(words: string): string[] {
  const lines: string[] = []
  for (const sentence of words.split(/(?<=\.) /)) {
    const longer = `${lines.at(-1) ?? ''} ${sentence}`.trim()
    if (lines.length > 0 && longer.length <= MOST_LETTERS) lines.splice(-1, 1, longer)
    else lines.push(sentence)
  }
  return lines
}

/** Differences without netting, how sure they are, and open items. */
const moneyBlocks = (summary: Summary, currency: string): Cell[][][] => [
  [
    head(['Differences'], ['Settlements', ...amounts(currency, 'Short', 'Over', 'Gross')]),
    ...summary.exposures.map((row) => [
      text(PARTS[row['part'] ?? '']),
      count(row['settlements']),
      ...['short', 'over', 'gross'].map((name) => money(row[name])),
    ]),
    [text(SIGNS, 'label')],
  ],
  [
    head(['How sure'], ['Settlements', ...amounts(currency, 'Reported')]),
    ...summary.certainties.map((row) => [
      text(row['certificate']),
      count(row['settlements']),
      money(row['reportedNet']),
    ]),
    ...Object.entries(MEANINGS)
      .flatMap(([word, meaning]) => printedLines(`${word}: ${meaning}`))
      .map((line) => [text(line, 'label')]),
  ],
  [
    head(
      ['Open items'],
      ['Items', ...amounts(currency, 'Differences, gross', 'Other amounts'), 'Oldest, days'],
      ['Oldest since'],
    ),
    ...summary.open.map((row) => [
      text(OPEN_PARTS[row['part'] ?? '']),
      count(row['items']),
      ...['differenceGross', 'otherGross'].map((name) => money(row[name])),
      count(row['oldestDays']),
      text(row['oldest']),
    ]),
    [text(KINDS, 'label')],
  ],
]

const verdictBlock = ({ verdicts, headline }: Summary, currency: string): Cell[][] => [
  head(['Settlements of this range'], ['Count', ...amounts(currency, 'Reported', 'Computed')]),
  ...verdicts.map((row) => [
    text(row['verdict']),
    count(row['settlements']),
    ...['reportedNet', 'computedNet'].map((name) => money(row[name])),
  ]),
  [text('All', 'totalText'), { number: String(headline.settlements), style: 'totalInteger' }],
]

const ageingBlock = ({ ageing }: Summary, currency: string): Cell[][] => [
  head(
    ['Not settled, age in days'],
    ['Count', ...amounts(currency, 'Charges', 'Refunds', 'Signed amount')],
  ),
  ...ageing.map((row) => [
    text(row['bucket']),
    count(row['count']),
    ...['chargeAmount', 'refundAmount', 'signedAmount'].map((name) => money(row[name])),
  ]),
]

const daysBlock = ({ days }: Summary, currency: string): Cell[][] => [
  head(
    ['Net by day'],
    ['Settlements', ...amounts(currency, 'Reported', 'Computed', 'Net difference', 'Not judged')],
  ),
  ...days.map((row) => [
    text(row['date']),
    count(row['settlements']),
    ...['reportedNet', 'computedNet', 'difference', 'notJudgedNet'].map((name) => money(row[name])),
  ]),
]
