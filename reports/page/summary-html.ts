/** summary.html: one file, no script, no request, readable on paper. The same rows give the same bytes. */
import { hash as digestOf } from 'node:crypto'
import type { PackAbout } from '../pack/pack-source.ts'
import { differences } from './differences.ts'
import { changes } from './changes.ts'
import { banner, worklist } from './headline.ts'
import { escape, note, readable, section } from './html.ts'
import { approvals, origin } from './origin.ts'
import { controlTotals, days, exceptions, pending, refunds, unsettled } from './sections.ts'
import { styleOf } from './style.ts'
import type { Summary } from '../pack/summary.ts'
import { SWEEP_MEANINGS } from '../pack/summary-words.ts'

/** Renders the whole page; every value that comes from data is escaped. */
export function renderHtml(summary: Summary, about: PackAbout): string {
  const style = styleOf(about)
  const title = `Settlement reconciliation ${about.account}, ${about.window.from} to ${about.window.to}`
  return `${[
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policyOf(style)}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escape(title)}</title>`,
    `<style>${style}</style>`,
    '</head>',
    '<body>',
    ...header(about),
    '<main>',
    ...banner(summary, about),
    ...certificateNote(about),
    ...worklist(summary, about),
    ...changes(summary, about),
    ...controlTotals(summary),
    ...days(summary, about),
    ...section('differences', 'Settlements with a difference', differences(summary, about)),
    ...unsettled(summary, about),
    ...exceptions(summary, about),
    ...pending(summary, about),
    ...refunds(summary, about),
    ...approvals(summary),
    ...origin(about),
    '</main>',
    '</body>',
    '</html>',
  ].join('\n')}\n`
}

const CONTENTS = [
  ['worklist', 'Worklist'],
  ['changes', 'Since an earlier pack'],
  ['control-totals', 'Control totals'],
  ['differences', 'Differences'],
  ['ageing', 'Ageing'],
  ['exceptions', 'Exceptions'],
  ['pending', 'PENDING'],
  ['refund-ceiling', 'Refunds'],
]

function header({ account, window, asOf, parameters }: PackAbout): string[] {
  return [
    '<header>',
    '<p class="eyebrow">Settlement reconciliation</p>',
    `<h1>${escape(account)}</h1>`,
    `<p class="range">${escape(window.from)} up to, but not including, ${escape(window.to)}. Judged as of ${escape(readable(asOf))} UTC. Amounts in ${escape(parameters.currency)}.</p>`,
    `<nav aria-label="Sections"><ul>${CONTENTS.map(([id, title]) => `<li><a href="#${id}">${title}</a></li>`).join('')}</ul></nav>`,
    '</header>',
  ]
}

const certificateNote = ({ certificate }: PackAbout): string[] => [
  note(
    `<b>Sweeps: ${certificate}.</b> ${SWEEP_MEANINGS[certificate]}`,
    certificate === 'BEST_EFFORT' ? 'bad' : '',
  ),
]

/** Nothing may load or run; the one style sheet is allowed by its hash. */
function policyOf(style: string): string {
  const hash = digestOf('sha256', style, 'base64')
  return `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`
}
