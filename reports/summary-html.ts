/** summary.html: one file, no script, no request, readable on paper. The same rows give the same bytes. */
import { createHash } from 'node:crypto'
import type { PackAbout, Row } from './pack.ts'
import type { Summary } from './summary.ts'

const LISTED_ROWS = 200

/** Renders the whole page; every value that comes from data is escaped. */
export function renderHtml(summary: Summary, about: PackAbout): string {
  const title = `Settlement reconciliation ${about.account}, ${about.window.from} to ${about.window.to}`
  return `${[
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy()}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escape(title)}</title>`,
    `<style>${STYLE}</style>`,
    '</head>',
    '<body>',
    ...header(about),
    ...banner(summary),
    ...sections(summary, about),
    '</body>',
    '</html>',
  ].join('\n')}\n`
}

function header(about: PackAbout): string[] {
  const { parameters, window } = about
  const facts = [
    ['Range', `${window.from} up to, but not including, ${window.to}`],
    ['Business days in', parameters.timezone],
    ['Amounts in', parameters.currency],
    ['Judged as of', about.asOf],
    ['Known at landing', about.knownAt],
    ['Run', about.runId],
    ['Code', about.codeVersion],
  ]
  return [
    '<header>',
    `<h1>Settlement reconciliation: ${escape(about.account)}</h1>`,
    '<dl>',
    ...facts.map(
      ([name = '', value = '']) => `<div><dt>${name}</dt><dd>${escape(value)}</dd></div>`,
    ),
    '</dl>',
    '</header>',
  ]
}

function banner({ headline }: Summary): string[] {
  const [tone, verdict] = verdictOf(headline)
  const tiles: [string, number][] = [
    ['settlements', headline.settlements],
    ['tied', headline.tied],
    ['explained', headline.explained],
    ['breaks', headline.breaks],
    ['pending', headline.pending],
    ['no data', headline.noData],
  ]
  return [
    `<section class="banner ${tone}">`,
    `<p class="verdict">${verdict}</p>`,
    '<ul>',
    ...tiles.map(([name, count]) => `<li><b>${count}</b> ${name}</li>`),
    '</ul>',
    '</section>',
  ]
}

/** The worst news first. */
function verdictOf(headline: Summary['headline']): [string, string] {
  if (headline.settlements === 0) return ['quiet', 'No settlement was created in this range.']
  if (headline.breaks > 0) {
    return [
      'bad',
      `${headline.breaks} of ${headline.settlements} settlements differ from their transactions, unexplained.`,
    ]
  }
  if (headline.noData > 0) {
    return [
      'bad',
      `${headline.noData} of ${headline.settlements} settlements can't be judged: their transactions were not read.`,
    ]
  }
  if (headline.explained > 0) return ['quiet', 'Every difference is explained.']
  if (headline.tied === 0) return ['quiet', 'No settlement of this range is complete yet.']
  return ['good', 'Every completed settlement ties out to the cent.']
}

function sections(summary: Summary, about: PackAbout): string[] {
  return [
    ...certificateNote(about),
    ...section(
      'Control totals',
      table(summary.controlTotals, ['check', 'expected', 'actual', 'difference', 'pass']),
    ),
    ...section('Exceptions by code', exceptionTable(summary)),
    ...section('Settlements with a difference', [
      ...table(summary.differences, DIFFERENCE_COLUMNS),
      ...more(Number(summary.differences[0]?.['ofAll'] ?? 0) - summary.differences.length),
    ]),
    ...section('Pending settlements, as observed', table(summary.pending.rows, PENDING_COLUMNS)),
    ...section('Captured and not settled, by age in days', ageingTable(summary)),
  ]
}

const DIFFERENCE_COLUMNS = [
  'settlementId',
  'terminalId',
  'terminalName',
  'businessDate',
  'reportedNet',
  'computedNet',
  'difference',
  'verdict',
  'certificate',
  'explanation',
]

const PENDING_COLUMNS = [
  'settlementId',
  'terminalId',
  'created',
  'observedAt',
  'status',
  'reportedNet',
  'change',
  'hoursPending',
]

const CERTIFICATES = {
  SNAPSHOT: 'Two complete readings of the lists were identical.',
  CONTIGUOUS: 'The pages of every list joined without a gap, and the head was read again.',
  BEST_EFFORT:
    'The lists kept changing while they were read: records may be missing, and nothing here proves an absence.',
}

function certificateNote({ certificate }: PackAbout): string[] {
  const tone = certificate === 'BEST_EFFORT' ? 'bad' : 'quiet'
  return [`<p class="note ${tone}"><b>Sweeps: ${certificate}.</b> ${CERTIFICATES[certificate]}</p>`]
}

function section(title: string, content: string[]): string[] {
  return ['<section>', `<h2>${title}</h2>`, ...content, '</section>']
}

function exceptionTable({ codes }: Summary): string[] {
  return table(codes, ['code', 'severity', 'count'])
}

function ageingTable({ ageing }: Summary): string[] {
  return table(ageing, ['bucket', 'count', 'signedAmount'])
}

/** The first rows as a table; `file` holds those beyond. */
function table(rows: readonly Row[], columns: readonly string[], file = ''): string[] {
  if (rows.length === 0) return ['<p class="none">None.</p>']
  const shown = rows.slice(0, LISTED_ROWS)
  return [
    '<table>',
    `<thead><tr>${columns.map((name) => `<th scope="col">${name}</th>`).join('')}</tr></thead>`,
    '<tbody>',
    ...shown.map((row) => `<tr>${columns.map((name) => cell(row[name] ?? '')).join('')}</tr>`),
    '</tbody>',
    '</table>',
    ...(rows.length > shown.length
      ? [`<p class="more">And ${rows.length - shown.length} more in ${file}.</p>`]
      : []),
  ]
}

const more = (count: number): string[] =>
  count > 0 ? [`<p class="more">And ${count} more in settlements.csv.</p>`] : []

function cell(text: string): string {
  const tone = text.startsWith('-') ? ' minus' : ''
  return /^-?\d+(\.\d+)?$/.test(text)
    ? `<td class="figure${tone}">${text}</td>`
    : `<td>${escape(text)}</td>`
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escape = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (found) => ENTITIES[found] ?? '')

/** Nothing may load or run; the one style sheet is allowed by its hash. */
function policy(): string {
  const hash = createHash('sha256').update(STYLE).digest('base64')
  return `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`
}

const STYLE = `
:root { color-scheme: light; --ink: #1d2733; --soft: #5b6876; --line: #d9dfe5; --good: #1a7f4b; --bad: #b3261e; --quiet: #44617b; }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 2rem; max-width: 80rem; color: var(--ink); background: #fff; font: 15px/1.5 system-ui, sans-serif; }
h1 { margin: 0 0 .75rem; font-size: 1.5rem; }
h2 { margin: 2rem 0 .5rem; font-size: 1.1rem; }
dl { display: flex; flex-wrap: wrap; gap: .25rem 2rem; margin: 0 0 1.5rem; }
dt { color: var(--soft); font-size: .8rem; }
dd { margin: 0; }
.banner { padding: 1rem 1.25rem; border-left: .4rem solid; border-radius: .25rem; background: #f5f7f9; }
.banner.good { border-color: var(--good); }
.banner.bad { border-color: var(--bad); }
.banner.quiet { border-color: var(--quiet); }
.verdict { margin: 0 0 .5rem; font-size: 1.15rem; font-weight: 600; }
.banner ul { display: flex; flex-wrap: wrap; gap: .5rem 2rem; margin: 0; padding: 0; list-style: none; color: var(--soft); }
.banner b { color: var(--ink); font-size: 1.3rem; font-variant-numeric: tabular-nums; }
.note { margin: 1rem 0 0; color: var(--soft); }
.note.bad { color: var(--bad); }
.none, .more { margin: 0; color: var(--soft); }
table { width: 100%; border-collapse: collapse; font-size: .87rem; }
th, td { padding: .3rem .6rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; overflow-wrap: anywhere; }
th { color: var(--soft); font-weight: 600; white-space: nowrap; }
td.figure { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
td.minus { color: var(--bad); }
@media print {
  @page { size: A4 landscape; margin: 12mm; }
  body { padding: 0; max-width: none; font-size: 11px; }
  .banner { background: none; border: 1px solid var(--line); border-left: .4rem solid; }
  thead { display: table-header-group; }
  tr, .banner { break-inside: avoid; }
}
`
