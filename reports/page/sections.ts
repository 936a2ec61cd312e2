/**
 * The sections of the page below the verdict. Each shows its figures as text, and some show them as a drawing, too.
 */
import { grouped } from '../../domain/cents.ts'
import type { PackAbout, Row } from '../pack/pack-source.ts'
import type { Summary } from '../pack/summary.ts'
import { chart } from './chart.ts'
import {
  ageing,
  exceptionsByCode,
  exceptionsByTerminal,
  netByDay,
  pendingTimeline,
} from './charts.ts'
import { type Column, escape, folded, inCurrency, note, readable, section, table } from './html.ts'

/** Terminals that are drawn and listed; the others are in exceptions.csv. */
const TERMINALS = 15

const figure = (name: string, title: string): Column => ({ name, title, as: 'figure' })
const off = (name: string, title: string): Column => ({ name, title, as: 'off' })
const plain = (name: string, title: string): Column => ({ name, title })
const status = (name: string, title: string): Column => ({ name, title, as: 'word' })
const instant = (name: string, title: string): Column => ({ name, title, as: 'instant' })

/** The colours of a drawing, each with its word. */
const legend = (...entries: readonly [string, string][]): string =>
  `<p class="legend">${entries.map(([tone, text]) => `<span class="${tone}">${text}</span>`).join('')}</p>`

export function controlTotals({ controlTotals: totals }: Summary): string[] {
  return section('control-totals', 'Control totals', [
    note(`All ${totals.length} hold. A pack with one that fails is never published.`),
    ...table(
      'Control totals',
      [
        plain('check', 'Check'),
        figure('expected', 'Expected'),
        figure('actual', 'Actual'),
        off('difference', 'Difference'),
        status('holds', 'Holds'),
      ],
      totals.map((row) => ({ ...row, holds: row['pass'] === 'true' ? 'yes' : 'no' })),
    ),
  ])
}

export function days({ days: rows }: Summary, about: PackAbout): string[] {
  if (rows.length === 0) return []
  return section('net-by-day', 'Net by day, reported against computed', [
    legend(
      ['reported', `Reported net, ${escape(about.parameters.currency)}`],
      ['computed', 'Computed net'],
      ['bad', 'Difference, below, on its own scale'],
    ),
    ...chart(netByDay(rows)),
    ...folded(
      'The figures of each day',
      table(
        'Net by business day',
        [
          plain('date', 'Business day'),
          figure('settlements', 'Settlements'),
          inCurrency(figure('reportedNet', 'Reported'), about),
          inCurrency(figure('computedNet', 'Computed'), about),
          inCurrency(off('difference', 'Difference'), about),
          inCurrency(figure('notJudgedNet', 'Reported, not judged'), about),
        ],
        rows,
      ),
    ),
  ])
}

export function unsettled({ ageing: buckets }: Summary, about: PackAbout): string[] {
  const count = buckets.reduce((sum, row) => sum + Number(row['count']), 0)
  const content =
    count === 0
      ? [note('Nothing that was captured is open.')]
      : [
          legend(
            ['computed', `Charges, ${escape(about.parameters.currency)}`],
            ['reported', 'Refunds'],
          ),
          ...chart(ageing(buckets)),
          ...table(
            'Captured and not settled, by age',
            [
              plain('bucket', 'Age in days'),
              figure('count', 'Transactions'),
              inCurrency(figure('chargeAmount', 'Charges'), about),
              inCurrency(figure('refundAmount', 'Refunds'), about),
              inCurrency(figure('signedAmount', 'Charges less refunds'), about),
            ],
            buckets,
          ),
          note('Each of them is in unsettled.csv.'),
        ]
  return section('ageing', 'Captured and not settled, by age', content)
}

export function exceptions({ codes, terminals }: Summary, about: PackAbout): string[] {
  if (codes.length === 0) return section('exceptions', 'Exceptions', [note('None.')])
  const listed = terminals.slice(0, TERMINALS)
  const beyond = terminals.length - listed.length
  return section('exceptions', 'Exceptions', [
    legend(['bad', 'Errors'], ['reported', 'Warnings']),
    '<h3>By code</h3>',
    ...chart(exceptionsByCode(codes)),
    ...table(
      'Exceptions by code',
      [
        plain('code', 'Code'),
        status('severity', 'Severity'),
        figure('count', 'Count'),
        figure('open', 'Of them open'),
        figure('oldestDays', 'Oldest, days'),
      ],
      codes,
    ),
    '<h3>By terminal</h3>',
    ...chart(exceptionsByTerminal(listed)),
    ...table(
      'Exceptions by terminal',
      [
        plain('terminalId', 'Terminal'),
        plain('terminalName', 'Name'),
        figure('errors', 'Errors'),
        figure('warnings', 'Warnings'),
        figure('settlements', 'Settlements'),
        figure('breaks', 'Breaks'),
        inCurrency(off('difference', 'Difference'), about),
      ],
      listed,
    ),
    ...(beyond > 0 ? [note(`And ${beyond} more terminals in exceptions.csv.`)] : []),
  ])
}

export function pending({ pending: versions }: Summary, about: PackAbout): string[] {
  const [first] = versions
  if (first === undefined) {
    return section('pending', 'PENDING settlements', [
      note('None is PENDING, and none changed its amount while it was.'),
    ])
  }
  const shown = new Set(versions.map((row) => row['settlementId'])).size
  const beyond = Number(first['ofAll']) - shown
  return section('pending', 'PENDING settlements', [
    note(
      `${grouped(first['ofOpen'] ?? '')} PENDING still, and ${grouped(String(Number(first['ofAll']) - Number(first['ofOpen'])))} that changed their amount before they were complete. Days are UTC.`,
    ),
    legend(['pending', 'seen PENDING'], ['complete', 'seen COMPLETE']),
    ...chart(pendingTimeline(versions)),
    ...table(
      'Versions of PENDING settlements',
      [
        plain('settlementId', 'Settlement'),
        plain('terminalId', 'Terminal'),
        instant('observedAt', 'Seen (UTC)'),
        status('status', 'Status'),
        inCurrency(figure('reportedNet', 'Reported'), about),
        inCurrency(off('change', 'Change'), about),
        figure('hoursPending', 'Hours'),
      ],
      versions,
    ),
    ...(beyond > 0 ? [note(`And ${beyond} more in pending.csv.`)] : []),
  ])
}

export function refunds({ refunds: rows }: Summary, about: PackAbout): string[] {
  const [first] = rows
  if (first === undefined) {
    return section('refund-ceiling', 'Refunds above what was charged', [note('None.')])
  }
  const beyond = Number(first['ofAll']) - rows.length
  return section('refund-ceiling', 'Refunds above what was charged', [
    note(
      'Judged over twelve months by a hash that stands for the card. Certain where no charge of any card that looks alike could cover the refund.',
    ),
    ...table(
      'Refunds above what was charged',
      [
        plain('transactionId', 'Refund'),
        plain('terminalId', 'Terminal'),
        instant('created', 'Created (UTC)'),
        plain('cardKey', 'Card'),
        inCurrency(figure('refundAmount', 'Refund'), about),
        inCurrency(figure('chargedFine', 'Charged'), about),
        inCurrency(figure('chargedCoarse', 'Charged, cards alike'), about),
        inCurrency(figure('refundedBefore', 'Refunded before'), about),
        status('certainty', 'Certainty'),
      ],
      rows,
    ),
    ...(beyond > 0 ? [note(`And ${beyond} more in refund_ceiling.csv.`)] : []),
  ])
}

const CHANGES: Readonly<Record<string, string>> = {
  RESTATED: 'settlements have other amounts or another verdict',
  REMOVED: 'settlements are gone',
  ADDED: 'settlements of the same days are new',
  COMPLETED: 'settlements were PENDING and completed with the same amount',
  OPENED: 'exceptions are new',
  LEFT_OPEN: 'exceptions left the range and are still open',
  CLOSED: 'exceptions are solved or gone',
}

export function changes({ previous, changes: rows }: Summary): string[] {
  if (previous === undefined) {
    return section('changes', 'Since the last pack', [
      note('This is the first pack of the account.'),
    ])
  }
  const text = (name: string) => escape(previous[name] ?? '')
  const counts = Object.entries(CHANGES).flatMap(([kind, words]) => {
    const count = rows.find((row) => row['kind'] === kind)?.['ofKind']
    return count === null || count === undefined
      ? []
      : [`<li><b>${grouped(count)}</b> ${words}</li>`]
  })
  const fresh = Number(previous['settlementsOfNewDays'])
  return section('changes', 'Since the last pack', [
    note(
      `Compared with run ${text('runId')}${previous['isApproved'] === 'true' ? ', which was approved' : ''}: ${text('from')} up to ${text('to')}, as of ${readable(previous['asOf'] ?? '')} UTC.`,
    ),
    '<ul class="counts">',
    ...counts,
    ...(fresh > 0
      ? [`<li><b>${grouped(String(fresh))}</b> settlements are of days that it doesn't cover</li>`]
      : []),
    ...(counts.length === 0 && fresh === 0 ? ['<li>Nothing changed.</li>'] : []),
    '</ul>',
    ...(rows.length === 0 ? [] : folded('What changed', changeTable(rows))),
  ])
}

/** The text with its amounts for reading. */
const withGroups = (text: string | null | undefined): string =>
  (text ?? '').replaceAll(/-?\d+\.\d{2}\b/g, grouped)

function changeTable(rows: readonly Row[]): string[] {
  const beyond = Object.keys(CHANGES).flatMap((kind) => {
    const own = rows.filter((row) => row['kind'] === kind)
    const count = Number(own[0]?.['ofKind'] ?? 0) - own.length
    return count > 0 ? [`${count} more ${kind}`] : []
  })
  return [
    ...table(
      'Changes since the last pack',
      [
        plain('kind', 'Change'),
        plain('subject', 'What'),
        plain('terminalId', 'Terminal'),
        plain('code', 'Code'),
        plain('before', 'Before'),
        plain('after', 'Now'),
      ],
      rows.map((row) => ({
        ...row,
        subject: `${row['subjectType']} ${row['subjectId']}`,
        before: withGroups(row['before']),
        after: withGroups(row['after']),
      })),
    ),
    ...(beyond.length === 0
      ? []
      : [note(`And ${beyond.join(', ')}; <code>tieout diff</code> lists them all.`)]),
  ]
}
