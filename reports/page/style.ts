/** The style sheet of the page, for screens from 320 pixels up and for paper. */
import type { PackAbout } from '../pack/pack-source.ts'
import { readable } from './html.ts'

/** Returns the one style sheet; each printed page names the account, the range and its number. */
export const styleOf = (about: PackAbout): string => `${STYLE}${paperOf(about)}`

function paperOf({ account, window, asOf, parameters }: PackAbout): string {
  const range = `${window.from} up to, but not including, ${window.to}`
  return `@page {
  size: A4; margin: 18mm 13mm 16mm; font-size: 8pt; color: #56616e;
  @top-left { content: ${quoted(`${account}, ${range}`)}; }
  @top-right { content: ${quoted(`Amounts in ${parameters.currency}`)}; }
  @bottom-left { content: ${quoted(`Settlement reconciliation, judged as of ${readable(asOf)} UTC`)}; }
  @bottom-right { content: "Page " counter(page) " of " counter(pages); }
}
`
}

/** A text as CSS has it; whatever could end the text or the style sheet is a code. */
const quoted = (text: string): string =>
  `"${text.replaceAll(/[^\w .,:+/-]/gu, (found) => `\\${(found.codePointAt(0) ?? 0).toString(16)} `)}"`

export const STYLE = `
:root {
  color-scheme: light;
  --ink: #1d2733; --soft: #56616e; --line: #dde3e9; --wash: #f5f7f9;
  --accent: #1f5f99; --reported: #9aa6b2; --good: #00664d; --bad: #a83200; --warn: #7a5200;
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body {
  margin: 0 auto; padding: 2.5rem 1.5rem 4rem; max-width: 68rem; color: var(--ink); background: #fff;
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Liberation Sans", Arial, sans-serif;
  font-variant-numeric: tabular-nums lining-nums;
}
h1, h2, .verdict { font-family: "Iowan Old Style", Charter, "Bitstream Charter", "Palatino Linotype", Palatino, "Liberation Serif", Georgia, serif; font-weight: 600; text-wrap: balance; }
h1 { margin: 0; font-size: 2rem; line-height: 1.2; letter-spacing: -.01em; overflow-wrap: anywhere; }
h2 { margin: 3.25rem 0 .75rem; padding-top: 1rem; border-top: 1px solid var(--line); font-size: 1.35rem; line-height: 1.3; }
h3 { margin: 1.5rem 0 .5rem; font-size: 1rem; line-height: 1.35; overflow-wrap: anywhere; }
a { color: var(--accent); text-underline-offset: .15em; }
code { font-size: .92em; }
.eyebrow { margin: 0 0 .35rem; color: var(--soft); font-size: .85rem; letter-spacing: .04em; }
.range { margin: .5rem 0 0; color: var(--soft); }
nav { margin: 1.25rem 0 0; font-size: .9rem; }
nav ul { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin: 0; padding: 0; list-style: none; }
.banner { margin: 1.75rem 0 0; padding: 1.5rem 1.75rem; border-left: 6px solid; border-radius: 3px; background: var(--wash); }
.banner.good { border-color: var(--good); background: #eff6f3; }
.banner.bad { border-color: var(--bad); background: #fbf2ed; }
.banner.quiet { border-color: var(--accent); }
.verdict { margin: 0; font-size: 1.4rem; line-height: 1.3; }
.totals { display: grid; grid-template-columns: repeat(auto-fit, minmax(8.5rem, 1fr)); gap: 1rem 1.5rem; margin: 1.25rem 0 0; }
.totals dt { color: var(--soft); font-size: .85rem; }
.totals dd { margin: 0; font-size: 1.35rem; font-weight: 600; line-height: 1.3; overflow-wrap: anywhere; }
.verdicts { display: flex; flex-wrap: wrap; gap: .25rem 1.75rem; margin: 1.25rem 0 0; padding: 0; list-style: none; }
.note { margin: .5rem 0; max-width: 46rem; color: var(--soft); font-size: .93rem; }
.note.bad { color: var(--bad); }
.counts { display: flex; flex-wrap: wrap; gap: .25rem 2rem; margin: .75rem 0; padding: 0; list-style: none; }
.counts b, .verdicts b { font-size: 1.15rem; }
.word { white-space: nowrap; font-weight: 600; font-size: .92em; }
.word::before { display: inline-block; width: 1.15em; font-weight: 700; }
.word.good { color: var(--good); }
.word.bad { color: var(--bad); }
.word.warn { color: var(--warn); }
.word.good::before { content: "\\2713"; }
.word.bad::before { content: "\\2715"; }
.word.warn::before { content: "\\25CB"; }
figure { margin: .5rem 0 1rem; }
svg { display: block; width: 100%; height: auto; font-family: inherit; font-variant-numeric: tabular-nums; }
svg.narrow { display: none; }
svg.small { max-width: 24rem; }
.legend { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; margin: .75rem 0 .5rem; color: var(--soft); font-size: .87rem; }
.legend span::before { content: ""; display: inline-block; width: .8em; height: .8em; margin-right: .45em; border-radius: 2px; background: currentColor; }
.legend .reported::before { background: var(--reported); }
.legend .computed::before { background: var(--accent); }
.legend .bad::before { background: var(--bad); }
.legend .pending::before { border: 2px solid var(--warn); border-radius: 50%; background: none; }
.legend .complete::before { background: var(--good); border-radius: 0; transform: rotate(45deg) scale(.8); }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 20rem), 1fr)); gap: 1.25rem; margin: 1rem 0; }
.card { padding: 1.1rem 1.25rem; border: 1px solid var(--line); border-radius: 4px; }
.card h3 { display: flex; flex-wrap: wrap; gap: 0 .6em; margin: 0; }
.card ul { margin: .5rem 0; padding-left: 1.1rem; font-size: .9rem; overflow-wrap: anywhere; }
.where { margin: .2rem 0; color: var(--soft); font-size: .87rem; overflow-wrap: anywhere; }
.sum { margin: .5rem 0; font-size: .93rem; }
.cause { margin: .2rem 0; font-weight: 600; font-size: .93rem; }
.next { margin: .5rem 0; font-size: .9rem; }
.open { margin: .75rem 0 0; }
.banner table { max-width: 40rem; }
.scroll { overflow-x: auto; margin: .5rem 0; }
.scroll:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
table { width: 100%; border-collapse: collapse; font-size: .88rem; line-height: 1.45; }
th, td { padding: .4rem .75rem .4rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
th:last-child, td:last-child { padding-right: 0; }
th { color: var(--soft); font-weight: 600; vertical-align: bottom; }
td { max-width: 24rem; overflow-wrap: break-word; }
.figure { text-align: right; white-space: nowrap; }
th.figure { white-space: normal; }
.whole { white-space: nowrap; }
.off { color: var(--bad); font-weight: 600; }
details { margin: .75rem 0; }
summary { color: var(--accent); cursor: pointer; font-size: .93rem; }
dl { margin: .5rem 0 1rem; }
#origin dl { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 17rem), 1fr)); gap: .75rem 2rem; }
dt { color: var(--soft); font-size: .85rem; }
dd { margin: 0; overflow-wrap: anywhere; }
@media screen and (max-width: 640px) {
  table, tbody, td { display: block; }
  thead, td:empty { display: none; }
  tr { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: .3rem .75rem; padding: .6rem 0; border-bottom: 1px solid var(--line); }
  td { max-width: none; padding: 0; border: 0; overflow-wrap: anywhere; }
  td.figure, td.whole { text-align: left; white-space: normal; }
  td.long, td:first-child:not(.figure) { grid-column: 1 / -1; }
  td:first-child:not(.figure) { font-weight: 600; }
  td:first-child:not(.figure, .whole)::before { content: none; }
  td::before { content: attr(data-title); display: block; color: var(--soft); font-size: .8rem; font-weight: 400; line-height: 1.3; }
  .totals { gap: .75rem 1rem; }
  .totals dd { font-size: 1.1rem; }
  body { padding: 1.5rem 1.1rem 3rem; }
  h1 { font-size: 1.6rem; }
  h2 { margin-top: 2.5rem; }
  .banner { padding: 1.1rem 1.2rem; }
  .verdict { font-size: 1.2rem; }
  svg.wide { display: none; }
  svg.narrow { display: block; }
}
@media print {
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  html { font-size: 9pt; }
  body { padding: 0; max-width: none; font-size: 1rem; }
  nav { display: none; }
  h1 { font-size: 1.7rem; }
  h2 { margin: 1.5rem 0 .4rem; padding-top: .75rem; }
  h2, h3, h2 + .note, .legend, summary { break-after: avoid; }
  svg.wide { display: block; }
  svg.narrow { display: none; }
  .banner { margin-top: 1rem; padding: 1rem 1.25rem; }
  .scroll { overflow: visible; }
  table { font-size: 7.5pt; }
  th, td { padding: .2rem .5rem .2rem 0; }
  thead { display: table-header-group; }
  tr, figure, .banner, .card { break-inside: avoid; }
  .cards { grid-template-columns: 1fr 1fr; gap: .9rem; }
  .card { padding: .8rem 1rem; }
  details::details-content { display: block; content-visibility: visible; }
  summary { list-style: none; color: var(--soft); }
}
`
