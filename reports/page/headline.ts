/** The top of the page: the verdict, how sure it is, the money at stake, and the items that need a person. */
import { formatCents, grouped, parseCents } from '../../domain/cents.ts'
import type { PackAbout, Row } from '../pack/pack-source.ts'
import { MEANINGS, PARTS } from '../pack/summary-words.ts'
import type { Summary } from '../pack/summary.ts'
import { escape, note, section, table } from './html.ts'

/** Items of the worklist that the page lists; the others are in worklist.csv. */
const ITEMS = 15

/** The verdict with its counts, the differences and the open items. */
export function banner(summary: Summary, { parameters }: PackAbout): string[] {
  const { headline } = summary
  const [tone, verdict] = verdictOf(headline)
  const counts: [string, number][] = [
    ['settlements', headline.settlements],
    ['tied', headline.tied],
    ['explained', headline.explained],
    ['breaks', headline.breaks],
    ['pending', headline.pending],
    ['no data', headline.noData],
  ]
  return [
    `<div class="banner ${tone}">`,
    `<p class="verdict">${verdict}</p>`,
    ...bankNote(summary, parameters.currency),
    `<ul class="verdicts">${counts.map(([name, count]) => `<li><b>${grouped(String(count))}</b> ${name}</li>`).join('')}</ul>`,
    ...money(summary, parameters.currency),
    ...certainty(summary),
    ...openItems(summary, parameters.currency),
    '</div>',
  ]
}

/** The worst news first. */
function verdictOf(headline: Summary['headline']): [string, string] {
  const of = `of ${grouped(String(headline.settlements))} settlements`
  if (headline.settlements === 0) return ['quiet', 'No settlement was created in this range.']
  if (headline.breaks > 0) {
    return [
      'bad',
      `${grouped(String(headline.breaks))} ${of} differ from their transactions, unexplained.`,
    ]
  }
  if (headline.noData > 0) {
    return [
      'bad',
      `${grouped(String(headline.noData))} ${of} can't be judged: their transactions were not read.`,
    ]
  }
  if (headline.explained > 0) return ['quiet', 'Every difference is explained.']
  if (headline.tied === 0) return ['quiet', 'No settlement of this range is complete yet.']
  return ['good', 'Every completed settlement ties out to the cent.']
}

const COMPLETE = ['TIED', 'EXPLAINED', 'BREAK', 'NO_DATA']
const JUDGED = ['TIED', 'EXPLAINED', 'BREAK']

/** Sums a column over the rows with one of these verdicts. */
const sumOf = ({ verdicts }: Summary, words: readonly string[], name: string): string =>
  grouped(
    formatCents(
      verdicts
        .filter((row) => words.includes(row['verdict'] ?? ''))
        .reduce((cents, row) => cents + (parseCents(row[name] ?? '') ?? 0n), 0n),
    ),
  )

/** A settlement that ties is not yet money at the bank. */
function bankNote(summary: Summary, currency: string): string[] {
  const complete = summary.verdicts
    .filter((row) => COMPLETE.includes(row['verdict'] ?? ''))
    .reduce((sum, row) => sum + Number(row['settlements']), 0)
  if (complete === 0) return []
  return [
    note(
      `Tied means that a settlement equals its transactions. The bank may not have received it yet: ${grouped(String(complete))} COMPLETE settlements report <b>${sumOf(summary, COMPLETE, 'reportedNet')} ${escape(currency)}</b> in transit to the bank.`,
    ),
  ]
}

function money(summary: Summary, currency: string): string[] {
  const totals = [
    ['Reported net', sumOf(summary, JUDGED, 'reportedNet')],
    ['Computed net', sumOf(summary, JUDGED, 'computedNet')],
  ]
  const parts = summary.exposures.filter(
    ({ part, settlements }) => part === 'UNEXPLAINED' || settlements !== '0',
  )
  return [
    `<dl class="totals">${totals.map(([name, amount]) => `<div><dt>${name}, ${escape(currency)}</dt><dd>${amount}</dd></div>`).join('')}</dl>`,
    ...table(
      `Differences in ${currency}`,
      [
        { name: 'part', title: `Differences, ${escape(currency)}` },
        { name: 'settlements', title: 'Settlements', as: 'figure' },
        { name: 'short', title: 'Short', as: 'off' },
        { name: 'over', title: 'Over', as: 'off' },
        { name: 'gross', title: 'Gross', as: 'off' },
      ],
      parts.map((row) => ({ ...row, part: PARTS[row['part'] ?? ''] ?? '' })),
    ),
    note(
      'Short: the processor reported too little. Over: it reported too much. Gross: both together.',
    ),
  ]
}

/** Counts the settlements by certificate, and says the meaning of each for money. */
function certainty({ certainties }: Summary): string[] {
  const count = (word: string) =>
    grouped(certainties.find(({ certificate }) => certificate === word)?.['settlements'] ?? '0')
  const [unique, ambiguous, unsolved] = ['UNIQUE', 'AMBIGUOUS', 'UNSOLVED'].map(count)
  return [
    `<ul class="verdicts" aria-label="How sure"><li><b>${unique}</b> UNIQUE</li><li><b>${ambiguous}</b> AMBIGUOUS</li><li><b>${unsolved}</b> UNSOLVED</li></ul>`,
    note(
      Object.entries(MEANINGS)
        .map(([certificate, meaning]) => `<b>${certificate}</b>: ${meaning}`)
        .join(' '),
    ),
  ]
}

function openItems({ open }: Summary, currency: string): string[] {
  const part = (word: string): Row => open.find((row) => row['part'] === word) ?? {}
  const [inRange, earlier] = [part('RANGE'), part('EARLIER')]
  const items = Number(inRange['items'] ?? 0) + Number(earlier['items'] ?? 0)
  if (items === 0) return [note('No item is open.')]
  const older = Number(earlier['items'] ?? 0)
  const amount = (row: Row) => `${grouped(row['gross'] ?? '0.00')} ${escape(currency)} gross`
  return [
    `<p class="open"><b>${grouped(String(items))}</b> open items need a person: ${grouped(inRange['items'] ?? '0')} of this range, ${amount(inRange)}; ${
      older === 0
        ? 'none is older.'
        : `<b>${grouped(String(older))} older than the range</b>, ${amount(earlier)}, the oldest since ${earlier['oldest']} (${earlier['oldestDays']} days).`
    }</p>`,
  ]
}

/** The items that need a person, with whom to ask and what to do. */
export function worklist({ worklist: items }: Summary, { parameters }: PackAbout): string[] {
  const [first] = items
  if (first === undefined) return section('worklist', 'Worklist', [note('No item needs a person.')])
  const listed = items.slice(0, ITEMS)
  const beyond = Number(first['ofAll']) - listed.length
  return section('worklist', 'Worklist', [
    note('The largest amount comes first. Negative: the processor reported too much.'),
    ...table(
      'Open items that need a person',
      [
        { name: 'rank', title: '#', as: 'figure' },
        { name: 'askWhom', title: 'Ask' },
        { name: 'subject', title: 'Item' },
        { name: 'amount', title: `Amount, ${escape(parameters.currency)}`, as: 'figure' },
        { name: 'since', title: 'Since' },
        { name: 'certainty', title: 'How sure', as: 'word' },
        { name: 'cause', title: 'Likely cause' },
        { name: 'nextStep', title: 'Next step' },
        ...(listed.some(({ assignee }) => (assignee ?? '') !== '')
          ? [{ name: 'assignee', title: 'Assigned to' }]
          : []),
      ],
      listed.map((row) => ({ ...row, subject: subjectOf(row) })),
    ),
    ...(beyond > 0 ? [note(`And ${beyond} more in worklist.csv.`)] : []),
  ])
}

function subjectOf({ subjectType, subjectId, terminalName, terminalId }: Row): string {
  const terminal = terminalName ?? terminalId
  const place =
    terminal === null || terminal === undefined || terminal === '' ? '' : `, ${terminal}`
  return `${subjectType} ${subjectId}${place}`
}
