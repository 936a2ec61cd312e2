/** The first sheet of summary.xlsx, with the contents of the page in blocks. */
import type { PackAbout } from '../pack/pack-source.ts'
import { preparationFacts } from '../pack/preparation.ts'
import { MEANINGS, PARTS } from '../pack/summary-words.ts'
import type { Summary } from '../pack/summary.ts'
import { type Cell, figure } from './cell.ts'
import type { StyleName } from './styles.ts'
import type { Sheet } from './write-workbook.ts'

const text = (value: string | null | undefined, style: StyleName = 'text'): Cell =>
  value === null || value === undefined ? undefined : { text: value, style }
const head = (...names: string[]): Cell[] => names.map((name) => text(name, 'head'))
const money = (value: string | null | undefined): Cell =>
  value === null || value === undefined ? undefined : figure(value, 'money')
const count = (value: string | null | undefined): Cell =>
  value === null || value === undefined ? undefined : figure(value, 'integer')

/** `notes` are read when the sheet is written, so that sheets written before it can add to them. */
export function summarySheet(summary: Summary, about: PackAbout, notes: readonly string[]): Sheet {
  async function* rows(): AsyncGenerator<readonly Cell[]> {
    yield [text(`Settlement reconciliation ${about.account}`, 'title')]
    for (const block of blocksOf(summary, about, notes)) {
      yield []
      yield* block
    }
  }
  return { name: 'Summary', widths: [46, 22, 18, 18, 18, 18], rows: rows(), filtered: () => 0 }
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
    ...preparationFacts(about),
    ...notes.map((note): [string, string] => ['Note', note]),
  ]
  return [
    facts.map(([name, value]) => [text(name, 'label'), text(value)]),
    ...approvalBlocks(summary),
    verdictBlock(summary),
    ...moneyBlocks(summary),
    [
      head('Control total', 'Expected', 'Actual', 'Difference', 'Pass'),
      ...summary.controlTotals.map((row) => [
        text(row['check']),
        ...['expected', 'actual', 'difference'].map((name) => money(row[name])),
        text(row['pass'], row['pass'] === 'true' ? 'good' : 'bad'),
      ]),
    ],
    [
      head('Exception', 'Severity', 'Count', 'Open', 'Oldest, days'),
      ...summary.codes.map((row) => [
        text(row['code']),
        text(row['severity'], row['severity'] === 'error' ? 'bad' : 'warn'),
        ...['count', 'open', 'oldestDays'].map((name) => count(row[name])),
      ]),
    ],
    ageingBlock(summary),
    [
      head('Net by day', 'Settlements', 'Reported', 'Computed', 'Difference', 'Not judged'),
      ...summary.days.map((row) => [
        text(row['date']),
        count(row['settlements']),
        ...['reportedNet', 'computedNet', 'difference', 'notJudgedNet'].map((name) =>
          money(row[name]),
        ),
      ]),
    ],
  ]
}

/** The approvals of earlier packs, if there are any. */
const approvalBlocks = ({ approvals }: Summary): Cell[][][] =>
  approvals.length === 0
    ? []
    : [
        [
          head('Approved packs of these days', 'From', 'To', 'Prepared by', 'Approved by', 'At'),
          ...approvals.map((row) =>
            ['runId', 'from', 'to', 'preparedBy', 'approvedBy', 'approvedAt'].map((name) =>
              text(row[name]),
            ),
          ),
        ],
      ]

/** Differences without netting, how sure they are, and open items. */
const moneyBlocks = (summary: Summary): Cell[][][] => [
  [
    head('Differences', 'Settlements', 'Short', 'Over', 'Gross'),
    ...summary.exposures.map((row) => [
      text(PARTS[row['part'] ?? '']),
      count(row['settlements']),
      ...['short', 'over', 'gross'].map((name) => money(row[name])),
    ]),
  ],
  [
    head('How sure', 'Settlements', 'Reported', 'Meaning'),
    ...summary.certainties.map((row) => [
      text(row['certificate']),
      count(row['settlements']),
      money(row['reportedNet']),
      text(MEANINGS[row['certificate'] ?? '']),
    ]),
  ],
  [
    head('Open items', 'Count', 'Gross', 'Oldest', 'Oldest, days'),
    ...summary.open.map((row) => [
      text(row['part'] === 'EARLIER' ? 'Older than the range' : 'Of this range'),
      count(row['items']),
      money(row['gross']),
      text(row['oldest']),
      count(row['oldestDays']),
    ]),
  ],
]

const verdictBlock = ({ verdicts, headline }: Summary): Cell[][] => [
  head('Settlements', 'Count', 'Reported', 'Computed'),
  ...verdicts.map((row) => [
    text(row['verdict']),
    count(row['settlements']),
    ...['reportedNet', 'computedNet'].map((name) => money(row[name])),
  ]),
  [text('All', 'totalText'), { number: String(headline.settlements), style: 'totalInteger' }],
]

const ageingBlock = ({ ageing }: Summary): Cell[][] => [
  head('Not settled, age in days', 'Count', 'Charges', 'Refunds', 'Signed amount'),
  ...ageing.map((row) => [
    text(row['bucket']),
    count(row['count']),
    ...['chargeAmount', 'refundAmount', 'signedAmount'].map((name) => money(row[name])),
  ]),
]
