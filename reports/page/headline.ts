/** The top of the page: the verdict, how sure it is, the money at stake, and the items that need a person. */
import { formatCents, grouped, printedCents } from '../../domain/cents.ts'
import { countedNoun } from '../../domain/headline.ts'
import type { PackAbout, Row } from '../pack/pack-source.ts'
import { JUDGED, KINDS, MEANINGS, OPEN_PARTS, PARTS, SIGNS, SUMS } from '../pack/summary-words.ts'
import type { Summary } from '../pack/summary.ts'
import { escape, note, section, table } from './html.ts'

/** The verdict with its counts, the differences and the open items. */
export function banner(summary: Summary, { parameters }: PackAbout): string[] {
  const { headline } = summary
  const notOpen = notOpenWords(summary)
  const [tone, verdict] = verdictOf(headline, notOpen, olderOpen(summary))
  const counts: [string, number][] = [
    [headline.settlements === 1 ? 'settlement' : 'settlements', headline.settlements],
    ['tied', headline.tied],
    ['explained', headline.explained],
    [`${headline.breaks === 1 ? 'break' : 'breaks'}${notOpen}`, headline.breaks],
    ['pending', headline.pending],
    ['no data', headline.noData],
  ]
  return [
    `<div class="banner ${tone}">`,
    `<p class="verdict">${verdict}</p>`,
    ...bankNote(summary, parameters.currency),
    note('Settlements of this range:'),
    `<ul class="verdicts">${counts.map(([name, count]) => `<li><b>${grouped(String(count))}</b> ${name}</li>`).join('')}</ul>`,
    ...money(summary, parameters.currency),
    ...certainty(summary),
    ...openItems(summary, parameters.currency),
    '</div>',
  ]
}

/** Says which breaks are not open: a person decided about them, or they were created after --as-of. */
function notOpenWords({ headline, exposures }: Summary): string {
  const breaks = (word: string) =>
    Number(exposures.find(({ part }) => part === word)?.['breaks'] ?? 0)
  const decided = breaks('DECIDED')
  const later = headline.breaks - breaks('UNEXPLAINED') - decided
  return [
    decided === 0 ? '' : `, ${grouped(String(decided))} of them waived or resolved`,
    later === 0 ? '' : `, ${grouped(String(later))} of them created after --as-of`,
  ].join('')
}

/** Says how many differences of settlements before the range are still open. */
function olderOpen({ exposures }: Summary): string {
  const older = Number(exposures.find(({ part }) => part === 'EARLIER')?.['settlements'] ?? 0)
  if (older === 0) return ''
  return ` ${countedNoun(older, 'older difference')} ${older === 1 ? 'is' : 'are'} still open.`
}

/** The worst news first. */
function verdictOf(
  headline: Summary['headline'],
  notOpen: string,
  older: string,
): [string, string] {
  const of = `of ${countedNoun(headline.settlements, 'settlement')} of this range`
  if (headline.settlements === 0) return ['quiet', 'No settlement was created in this range.']
  if (headline.breaks > 0) {
    return [
      'bad',
      `${grouped(String(headline.breaks))} ${of} ${headline.breaks === 1 ? 'differs from its' : 'differ from their'} transactions, unexplained${notOpen}.`,
    ]
  }
  if (headline.noData > 0) {
    return [
      'bad',
      `${grouped(String(headline.noData))} ${of} can't be judged: their transactions were not read.`,
    ]
  }
  if (headline.explained > 0)
    return ['quiet', `Every difference of this range is explained.${older}`]
  if (headline.tied === 0) return ['quiet', 'No settlement of this range is complete yet.']
  return ['good', `Every completed settlement of this range ties out to the cent.${older}`]
}

/** Sums a column over the rows of the verdicts. */
const sumOf = (verdicts: readonly Row[], name: string): string =>
  grouped(
    formatCents(verdicts.reduce((cents, row) => cents + (printedCents(row[name] ?? '') ?? 0n), 0n)),
  )

/** A settlement that ties is not yet money at the bank. */
function bankNote(summary: Summary, currency: string): string[] {
  const posted = summary.verdicts.reduce((sum, row) => sum + Number(row['postedSettlements']), 0)
  if (posted === 0) return []
  const net = sumOf(summary.verdicts, 'postedNet')
  const inJournal = sumOf(summary.verdicts.slice(0, 1), 'journalNet')
  // A closed month takes no new entries (R-35).
  const others =
    inJournal === net
      ? ''
      : ` The journal of this range has <b>${inJournal} ${escape(currency)}</b> there, because changes of a closed month post in the next open one.`
  return [
    note(
      `Tied means that a settlement equals its transactions. The net of ${countedNoun(posted, 'COMPLETE settlement')}, <b>${net} ${escape(currency)}</b>, was posted to cash in transit.${others} tieout does not see the bank, so that it can't say what arrived.`,
    ),
  ]
}

function money(summary: Summary, currency: string): string[] {
  const judged = summary.verdicts.filter((row) => JUDGED.includes(row['verdict'] ?? ''))
  const totals = [
    ['Reported net of tied, explained and breaks', sumOf(judged, 'reportedNet')],
    ['Computed net of the same', sumOf(judged, 'computedNet')],
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
    note(SUMS),
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

/** Counts the open items by their dates. Differences and other amounts are summed apart. */
function openItems({ open }: Summary, currency: string): string[] {
  const items = Number(open.find(({ part }) => part === 'ALL')?.['items'] ?? 0)
  if (items === 0) return [note('No item is open.')]
  return [
    `<p class="open"><b>${grouped(String(items))}</b> open ${items === 1 ? 'item needs' : 'items need'} a person, by date:</p>`,
    ...table(
      'Open items by date',
      [
        { name: 'part', title: 'Open items' },
        { name: 'items', title: 'Items', as: 'figure' },
        { name: 'differenceGross', title: `Differences, gross, ${escape(currency)}`, as: 'figure' },
        { name: 'otherGross', title: `Other amounts, ${escape(currency)}`, as: 'figure' },
        { name: 'oldest', title: 'Oldest since' },
        { name: 'oldestDays', title: 'Days', as: 'figure' },
      ],
      open.map((row) => ({ ...row, part: OPEN_PARTS[row['part'] ?? ''] ?? '' })),
    ),
    note(KINDS),
  ]
}

/** The items that need a person, with whom to ask and what to do. Those of settlements stand apart from the others. */
export function worklist({ worklist: items }: Summary, { parameters }: PackAbout): string[] {
  if (items.length === 0) {
    return section('worklist', 'Worklist', [note('No item needs a person.')])
  }
  const kind = (isSettlement: string) => items.filter((row) => row['isSettlement'] === isSettlement)
  return section('worklist', 'Worklist', [
    note('Items of any date. The largest amount comes first, and # is the rank in worklist.csv.'),
    ...itemTable('Settlements', kind('true'), [SIGNS, parameters.currency]),
    ...itemTable('Transactions and other records to check', kind('false'), [
      'The amount is that of the record, which may be right.',
      parameters.currency,
    ]),
  ])
}

function itemTable(
  title: string,
  items: readonly Row[],
  [remark, currency]: readonly [string, string],
): string[] {
  const [first] = items
  if (first === undefined) return []
  const beyond = Number(first['ofKind']) - items.length
  return [
    `<h3>${title}</h3>`,
    note(remark),
    ...table(
      `Open items that need a person: ${title}`,
      [
        { name: 'rank', title: '#', as: 'figure' },
        { name: 'askWhom', title: 'Ask' },
        { name: 'subject', title: 'Item' },
        { name: 'amount', title: `Amount, ${escape(currency)}`, as: 'figure' },
        { name: 'since', title: 'Since' },
        { name: 'certainty', title: 'How sure', as: 'word' },
        { name: 'cause', title: 'Likely cause' },
        { name: 'nextStep', title: 'Next step' },
        ...(items.some(({ assignee }) => (assignee ?? '') !== '')
          ? [{ name: 'assignee', title: 'Assigned to' }]
          : []),
      ],
      items.map((row) => ({ ...row, subject: subjectOf(row) })),
    ),
    ...(beyond > 0 ? [note(`And ${beyond} more in worklist.csv.`)] : []),
  ]
}

function subjectOf({ subjectType, subjectId, terminalName, terminalId }: Row): string {
  const terminal = terminalName ?? terminalId
  const place =
    terminal === null || terminal === undefined || terminal === '' ? '' : `, ${terminal}`
  return `${subjectType} ${subjectId}${place}`
}
