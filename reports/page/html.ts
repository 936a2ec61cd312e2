/** Markup for the page: every text that comes from data passes through `escape`. */
import { grouped } from '../../domain/cents.ts'
import type { PackAbout, Row } from '../pack/pack-source.ts'
import { TONES } from '../pack/summary-words.ts'

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

/** The column with the currency in its heading. */
export const inCurrency = (column: Column, { parameters }: PackAbout): Column => ({
  ...column,
  title: `${column.title}, ${escape(parameters.currency)}`,
})

export const section = (id: string, title: string, content: readonly string[]): string[] => [
  `<section id="${id}">`,
  `<h2>${title}</h2>`,
  ...content,
  '</section>',
]

export const note = (text: string, tone = ''): string =>
  `<p class="note${tone === '' ? '' : ` ${tone}`}">${text}</p>`

/**
 * A table whose rows become blocks on a narrow page; `label` describes it to people who can't see it.
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

/** A text that needs the whole width of a narrow page. */
const LONG_CHARACTERS = 22

/** A narrow page has no row of headings, so that each cell also has its own. */
function cell({ title, as }: Column, text: string): string {
  const at = (tone: string, content: string) =>
    `<td${tone === '' ? '' : ` class="${tone}"`} data-title="${title}">${content}</td>`
  if (as === 'figure') return at('figure', escape(grouped(text)))
  if (as === 'off') return at(/[1-9]/.test(text) ? 'figure off' : 'figure', escape(grouped(text)))
  if (as === 'word') return at('', word(text))
  const shown = as === 'instant' ? readable(text) : text
  // A date or an id is never divided.
  if (/^[\d:. >-]{1,20}$/.test(shown)) return at('whole', escape(shown))
  return at(shown.length > LONG_CHARACTERS ? 'long' : '', escape(shown))
}

/** A status: its mark and its colour go with the word. */
export function word(text: string): string {
  const tone = TONES[text]
  return tone === undefined ? escape(text) : `<span class="word ${tone}">${escape(text)}</span>`
}

/** `2026-03-02T08:00:00Z` for reading: `2026-03-02 08:00:00`. */
export const readable = (instant: string): string =>
  instant.replace('T', ' ').replace(/(\.\d+)?Z$/, '')
