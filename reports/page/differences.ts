/**
 * The worked picture of each settlement with a difference: the transactions in it, the ones left
 * out, and the unexplained rest.
 */
import { grouped } from '../../domain/cents.ts'
import type { PackAbout, Row } from '../pack/pack-source.ts'
import type { Summary } from '../pack/summary.ts'
import { smallChart } from './chart.ts'
import { type Column, escape, inCurrency, note, readable, table, word } from './html.ts'
import { waterfall } from './waterfall.ts'

/** Settlements with a picture; the others are a line in the table. */
const PICTURES = 12
const CANDIDATE_CHARACTERS = 160

const columns = (about: PackAbout): Column[] => [
  { name: 'settlementId', title: 'Settlement' },
  { name: 'terminalId', title: 'Terminal' },
  { name: 'businessDate', title: 'Business day' },
  inCurrency({ name: 'reportedNet', title: 'Reported', as: 'figure' }, about),
  inCurrency({ name: 'computedNet', title: 'Computed', as: 'figure' }, about),
  inCurrency({ name: 'difference', title: 'Difference', as: 'off' }, about),
  { name: 'verdict', title: 'Verdict', as: 'word' },
  { name: 'explanation', title: 'Explanation' },
]

export function differences(
  { differences: settlements, steps }: Summary,
  about: PackAbout,
): string[] {
  const [first] = settlements
  if (first === undefined)
    return [note('None: every settlement that was judged is equal to the cent.')]
  const rest = settlements.slice(PICTURES)
  const beyond = Number(first['ofAll']) - settlements.length
  return [
    note(
      'Difference is computed less reported. Each bar is a transaction, and leads from the net that was reported to the one that its transactions add up to.',
    ),
    '<div class="cards">',
    ...settlements.slice(0, PICTURES).flatMap((settlement) =>
      card(
        settlement,
        steps.filter((step) => step['settlementId'] === settlement['settlementId']),
        about.parameters.currency,
      ),
    ),
    '</div>',
    ...(rest.length === 0
      ? []
      : table('Further settlements with a difference', columns(about), rest)),
    ...(beyond > 0 ? [note(`And ${beyond} more in settlements.csv.`)] : []),
  ]
}

/** A PENDING settlement is not judged, so that it has no cause. */
const STILL_PENDING = {
  cause: 'The settlement is still PENDING, and its amount can change',
  nextStep: 'None yet, because a later run judges the completed settlement',
}

function card(settlement: Row, steps: readonly Row[], currency: string): string[] {
  const isPending = settlement['verdict'] === 'PENDING'
  const { cause, nextStep } = isPending ? STILL_PENDING : settlement
  const text = (name: string) => escape(settlement[name] ?? '')
  const money = (name: string) => escape(grouped(settlement[name] ?? ''))
  return [
    `<article class="card" id="settlement-${text('settlementId')}">`,
    `<h3>Settlement ${text('settlementId')} ${word(settlement['verdict'] ?? '')}</h3>`,
    `<p class="cause">${escape(cause ?? '')}.</p>`,
    `<p class="where">${isPending ? '' : `${text('explanation')}, `}terminal ${text('terminalId')} ${text('terminalName')}, business day ${text('businessDate')}</p>`,
    `<p class="sum"><span>${money('computedNet')}</span> computed &minus; <span>${money('reportedNet')}</span> reported = <b>${money('difference')} ${escape(currency)}</b></p>`,
    smallChart(waterfall(settlement, steps)),
    '<ul>',
    ...steps.map((step) => `<li>${sentence(settlement, step)}</li>`),
    ...unexplained(settlement),
    '</ul>',
    `<p class="next"><b>Next:</b> ${escape(nextStep ?? '')}. <code>tieout explain ${text('settlementId')}</code></p>`,
    `<p class="where">The computed net contains ${counted(text('chargeCount'), 'charge')} of ${money('chargeTotal')}, ${counted(text('refundCount'), 'refund')} of ${money('refundTotal')}${until(settlement)}. Placed by ${text('method')}.</p>`,
    '</article>',
  ]
}

const counted = (count: string, noun: string): string =>
  `${count} ${noun}${count === '1' ? '' : 's'}`

const until = (settlement: Row): string =>
  settlement['cutoff'] ? `, the last one of ${escape(readable(settlement['cutoff']))}` : ''

/** Describes one step: the transaction, our treatment of it, and that of the reported net. */
function sentence(settlement: Row, step: Row): string {
  const isMember = step['isMember'] === 'true'
  const said =
    WHY[settlement['explanation'] ?? '']?.(step, settlement) ?? (isMember ? LEFT_OUT : COUNTED)
  const id = step['transactionId']
  if (id === null || id === undefined)
    return `${escape(step['transactions'] ?? '')} transactions: ${said}`
  const kind = step['action'] === 'REFUND' ? 'Refund' : 'Charge'
  const facts = [
    grouped(step['amountTotal'] ?? ''),
    step['status'],
    readable(step['created'] ?? ''),
  ]
  return `<b>${kind} ${escape(id)}</b>, ${escape(facts.join(', '))}: ${said}`
}

const LEFT_OUT = 'it counts here, and the reported net leaves it out.'
const COUNTED = 'it does not count here, and the reported net holds it.'

const WHY: Readonly<Record<string, (step: Row, settlement: Row) => string>> = {
  COUNTED_TWICE: () => 'it counts once here, and twice in the reported net.',
  REFUND_SIGN: (step) =>
    step['effect'] === `-${step['amountTotal']}`
      ? 'it is subtracted here, and the reported net leaves it out.'
      : 'it is subtracted here, and the reported net adds it.',
  COMPONENT_EXCLUDED: (_step, settlement) =>
    `their ${escape(settlement['component'] ?? '')} counts here, and the reported net leaves it out.`,
  WRONG_TERMINAL: (step) =>
    step['isMember'] === 'true'
      ? "it counts here, and the reported net of another terminal's settlement holds it."
      : 'it counts at another terminal, and this reported net holds it.',
}

function unexplained(settlement: Row): string[] {
  if (settlement['verdict'] !== 'BREAK') return []
  const candidates = settlement['candidates'] ?? ''
  const shown =
    candidates.length > CANDIDATE_CHARACTERS
      ? `${candidates.slice(0, CANDIDATE_CHARACTERS)} …`
      : candidates
  return [
    `<li><b>${escape(grouped(settlement['unexplainedAmount'] ?? ''))}</b> is unexplained: ${
      candidates === ''
        ? 'no set of up to four transactions accounts for it.'
        : `none of these is certain: ${escape(shown)}.`
    }</li>`,
  ]
}
