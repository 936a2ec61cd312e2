/** Markup for the page: every text that comes from data passes through `escape`. */
import { grouped } from '../../domain/cents.ts'
import type { Row } from '../pack/pack-source.ts'

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export const escape = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (found) => ENTITIES[found] ?? '')

export interface Column {
  name: string
  title: string
  /**
   * `figure` is set flush right; `off` is one that should be zero; `word` is a status with its
   * mark.
   */
  as?: 'figure' | 'off' | 'word' | 'instant'
}

/** Colour and shape that go with a word; the word always stands beside them. */
export const TONES: Readonly<Record<string, string>> = {
  TIED: 'good',
  COMPLETE: 'good',
  yes: 'good',
  BREAK: 'bad',
  NO_DATA: 'bad',
  error: 'bad',
  CERTAIN: 'bad',
  no: 'bad',
  EXPLAINED: 'warn',
  PENDING: 'warn',
  SUSPECTED: 'warn',
  warning: 'warn',
}

export const section = (id: string, title: string, content: readonly string[]): string[] => [
  `<section id="${id}">`,
  `<h2>${title}</h2>`,
  ...content,
  '</section>',
]

export const note = (text: string, tone = ''): string =>
  `<p class="note${tone === '' ? '' : ` ${tone}`}">${text}</p>`

/**
 * A table that scrolls by itself on a narrow page; `label` describes it to people who can't see it.
 */
export function table(label: string, columns: readonly Column[], rows: readonly Row[]): string[] {
  return [
    `<div class="scroll" role="region" aria-label="${escape(label)}" tabindex="0">`,
    '<table>',
    `<thead><tr>${columns.map(heading).join('')}</tr></thead>`,
    '<tbody>',
    ...rows.map(
      (row) => `<tr>${columns.map((column) => cell(column, row[column.name] ?? '')).join('')}</tr>`,
    ),
    '</tbody>',
    '</table>',
    '</div>',
  ]
}

/** Content that is open on paper and a click away on a screen. */
export const folded = (title: string, content: readonly string[]): string[] => [
  '<details>',
  `<summary>${title}</summary>`,
  ...content,
  '</details>',
]

const heading = ({ title, as }: Column): string =>
  `<th scope="col"${as === 'figure' || as === 'off' ? ' class="figure"' : ''}>${title}</th>`

function cell({ as }: Column, text: string): string {
  if (as === 'figure') return `<td class="figure">${escape(grouped(text))}</td>`
  if (as === 'off')
    return `<td class="figure${/[1-9]/.test(text) ? ' off' : ''}">${escape(grouped(text))}</td>`
  if (as === 'word') return `<td>${word(text)}</td>`
  const shown = as === 'instant' ? readable(text) : text
  // A date or an id stays on one line.
  return `<td${/^[\d:. >-]{1,20}$/.test(shown) ? ' class="whole"' : ''}>${escape(shown)}</td>`
}

/** A status: its mark, its colour, and the word itself. */
export function word(text: string): string {
  const tone = TONES[text]
  return tone === undefined ? escape(text) : `<span class="word ${tone}">${escape(text)}</span>`
}

/** `2026-03-02T08:00:00Z` for reading: `2026-03-02 08:00:00`. */
export const readable = (instant: string): string =>
  instant.replace('T', ' ').replace(/(\.\d+)?Z$/, '')
