/** The section of the page that compares this pack with an earlier one, and names that one. */
import { grouped } from '../../domain/cents.ts'
import type { PackAbout, Row } from '../pack/pack-source.ts'
import { beganAt } from '../pack/preparation.ts'
import type { Summary } from '../pack/summary.ts'
import { escape, folded, note, readable, section, table } from './html.ts'

/** The words for one, and those for several. */
const CHANGES: Readonly<Record<string, readonly [string, string]>> = {
  RESTATED: [
    'settlement has other amounts or another verdict',
    'settlements have other amounts or another verdict',
  ],
  REMOVED: ['settlement is gone', 'settlements are gone'],
  ADDED: ['settlement of the same days is new', 'settlements of the same days are new'],
  COMPLETED: [
    'settlement was PENDING and completed with the same amount',
    'settlements were PENDING and completed with the same amount',
  ],
  OPENED: ['exception is new', 'exceptions are new'],
  LEFT_OPEN: [
    'exception left the range and is still open',
    'exceptions left the range and are still open',
  ],
  CLOSED: ['exception is solved or gone', 'exceptions are solved or gone'],
  FRESH: [
    'settlement is of days that the earlier pack does not cover',
    'settlements are of days that the earlier pack does not cover',
  ],
}

/** A line for a kind of change; none if nothing changed so. */
function changeLine(kind: string, count: string | null | undefined): string[] {
  const [one, several] = CHANGES[kind] ?? ['', '']
  if (count === null || count === undefined || count === '0') return []
  return [`<li><b>${grouped(count)}</b> ${count === '1' ? one : several}</li>`]
}

/** Names the earlier pack by its range and its time. */
function comparedWith(previous: Row, window: PackAbout['window']): string {
  const text = (name: string) => escape(previous[name] ?? '')
  const made = beganAt(previous['runId'] ?? '')
  const isOther = previous['from'] !== window.from || previous['to'] !== window.to
  return [
    `Compared with run ${text('runId')}${previous['isApproved'] === 'true' ? ', which was approved' : ''}: ${text('from')} up to, but not including, ${text('to')}, `,
    made === undefined ? '' : `made ${made} UTC, `,
    `judged as of ${readable(text('asOf'))} UTC.`,
    isOther
      ? ' Its range is not the range of this pack: settlements are compared on the days of both.'
      : '',
  ].join('')
}

export function changes({ previous, changes: rows }: Summary, { window }: PackAbout): string[] {
  if (previous === undefined) {
    return section('changes', 'Since an earlier pack', [
      note('There is no pack from before the newest landing to compare with.'),
    ])
  }
  const counts = Object.keys(CHANGES).flatMap((kind) =>
    changeLine(
      kind,
      kind === 'FRESH'
        ? previous['settlementsOfNewDays']
        : rows.find((row) => row['kind'] === kind)?.['ofKind'],
    ),
  )
  const [from, to] = ['from', 'to'].map((name) => escape(previous[name] ?? ''))
  return section('changes', `Since the earlier pack of ${from} to ${to}`, [
    note(comparedWith(previous, window)),
    '<ul class="counts">',
    ...counts,
    ...(counts.length === 0 ? ['<li>Nothing changed.</li>'] : []),
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
      'Changes since the earlier pack',
      [
        { name: 'kind', title: 'Change' },
        { name: 'subject', title: 'What' },
        { name: 'terminalId', title: 'Terminal' },
        { name: 'code', title: 'Code' },
        { name: 'before', title: 'Before' },
        { name: 'after', title: 'Now' },
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
