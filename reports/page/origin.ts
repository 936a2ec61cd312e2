/** The end of the page: the origin of the pack, and approvals of earlier packs. */
import type { PackAbout } from '../pack/pack-source.ts'
import { preparationFacts } from '../pack/preparation.ts'
import type { Summary } from '../pack/summary.ts'
import { escape, note, section, table } from './html.ts'

/** The origin of the page, for a person who wants to make it again. */
export function origin(about: PackAbout): string[] {
  const facts: readonly [string, string][] = [
    ['Range', `${about.window.from} up to, but not including, ${about.window.to}`],
    ['Business days in', about.parameters.timezone],
    ['Amounts in', about.parameters.currency],
    ['Judged as of', about.asOf],
    ['Known at landing', about.knownAt],
    ['Run', about.runId],
    ['Code', about.codeVersion],
    ...preparationFacts(about),
  ].map(([name = '', value = '']) => [name, value])
  return section('origin', 'Origin of this pack', [
    '<dl>',
    ...facts.map(([name, value]) => `<div><dt>${name}</dt><dd>${escape(value)}</dd></div>`),
    '</dl>',
    note(
      '<code>tieout verify</code> proves from the files alone that this pack is what was published; <code>tieout prove</code> makes it again from the lake.',
    ),
  ])
}

/** Approvals of earlier packs that the page lists; the audit trail has all. */
const APPROVALS = 10

/** The approvals of earlier packs, whose own pages are older than the approval. */
export function approvals({ approvals: rows }: Summary): string[] {
  if (rows.length === 0) return []
  const beyond = rows.length - APPROVALS
  return section('approvals', 'Earlier packs of these days that were approved', [
    ...table(
      'Approvals of earlier packs',
      [
        { name: 'runId', title: 'Run' },
        { name: 'from', title: 'From' },
        { name: 'to', title: 'Up to, without' },
        { name: 'preparedBy', title: 'Prepared by' },
        { name: 'approvedBy', title: 'Approved by' },
        { name: 'approvedAt', title: 'Approved (UTC)', as: 'instant' },
      ],
      rows.slice(0, APPROVALS),
    ),
    ...(beyond > 0 ? [note(`And ${beyond} more in the audit trail.`)] : []),
  ])
}
