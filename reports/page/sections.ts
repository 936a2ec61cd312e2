/**
 * The sections of the page below the verdict. Each shows its figures as text, and some show them as a drawing, too.
 */
import { grouped } from '../../domain/cents.ts'
import type { PackAbout } from '../pack/pack-source.ts'
import type { Summary } from '../pack/summary.ts'
import { chart } from './chart.ts'
import {
  ageing,
  exceptionsByCode,
  exceptionsByTerminal,
  netByDay,
  pendingTimeline,
} from './charts.ts'
import { type Column, escape, folded, inCurrency, note, section, table } from './html.ts'

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
      ['bad', 'Net difference, below, on its own scale'],
    ),
    note('The differences of a day are netted here. Short and over stand apart at the top.'),
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
          off('differing', 'Of them differ'),
          inCurrency(off('difference', 'Net difference'), about),
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
    note(
      'Exceptions of all dates. Settlements, breaks and net differences are those of this range.',
    ),
    legend(['bad', 'Errors'], ['reported', 'Warnings']),
    '<h3>By code</h3>',
    ...chart(exceptionsByCode(codes)),
    ...table(
      'Exceptions by code',
      [
        plain('code', 'Code'),
        status('severity', 'Severity'),
        figure('count', 'Count, all dates'),
        figure('ofRange', 'Of this range'),
        figure('open', 'Open, all dates'),
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
        inCurrency(off('difference', 'Net difference'), about),
      ],
      listed,
    ),
    ...(beyond > 0 ? [note(`And ${beyond} more terminals in exceptions.csv.`)] : []),
  ])
}

/** Names the exceptions of a code that a section of the range leaves out. */
function elsewhere({ codes }: Summary, code: string): string {
  const row = codes.find((found) => found['code'] === code)
  const others = Number(row?.['count'] ?? 0) - Number(row?.['ofRange'] ?? 0)
  if (others === 0) return ''
  return ` ${grouped(String(others))} ${code} of other dates ${others === 1 ? 'stands' : 'stand'} under Exceptions.`
}

const drifted = (settlements: number) =>
  settlements === 1
    ? '1 that was PENDING in this range changed its amount before it was complete.'
    : `${grouped(String(settlements))} that were PENDING in this range changed their amount before they were complete.`

export function pending(summary: Summary, about: PackAbout): string[] {
  const { pending: versions } = summary
  const drifts = elsewhere(summary, 'PENDING_DRIFT')
  const [first] = versions
  if (first === undefined) {
    return section('pending', 'PENDING settlements', [
      note(
        `None of any date is PENDING, and none that was PENDING in this range changed its amount.${drifts}`,
      ),
    ])
  }
  const shown = new Set(versions.map((row) => row['settlementId'])).size
  const beyond = Number(first['ofAll']) - shown
  return section('pending', 'PENDING settlements', [
    note(
      `${grouped(first['ofOpen'] ?? '')} of any date PENDING still, ${grouped(first['ofOpenInRange'] ?? '')} of them of this range. ${drifted(Number(first['ofAll']) - Number(first['ofOpen']))}${drifts} Days are UTC.`,
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

export function refunds(summary: Summary, about: PackAbout): string[] {
  const { refunds: rows } = summary
  const others = elsewhere(summary, 'REFUND_CEILING_BREACH')
  const [first] = rows
  if (first === undefined) {
    return section('refund-ceiling', 'Refunds above what was charged', [
      note(`None in this range.${others}`),
    ])
  }
  const beyond = Number(first['ofAll']) - rows.length
  return section('refund-ceiling', 'Refunds above what was charged', [
    note(
      `Refunds of this range, judged over twelve months by a hash that stands for the card. Certain where no charge of any card that looks alike could cover the refund.${others}`,
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
