/**
 * The command `explain`: shows why one settlement does or does not tie out, down to its
 * transactions.
 */
import { withLocalTime } from '../../domain/business-day.ts'
import { explainSettlement } from '../../queries/explain-settlement.ts'
import type { ExplainedTransaction, Explanation } from '../../queries/explanation.ts'
import { MEANINGS } from '../../reports/pack/summary-words.ts'
import { aborted } from '../../workers/temporal/aborted.ts'
import { readSettings, type Flags } from '../../workers/config/settings.ts'
import type { Context } from '../shell/context.ts'
import { instantFlag } from '../shell/instant-flag.ts'
import { reasonSentences } from './certificate-reasons.ts'
import { typed } from '../shell/typed-command.ts'

/** More neighbours than these give no more information. */
const MOST_NEIGHBOURS = 12
const RULE = '-'.repeat(20)

export async function explainCommand(
  context: Context,
  settlementId: string,
  flags: Flags & { asOf?: string },
): Promise<void> {
  const { json, ...settable } = context.flagsOf(flags)
  const settings = readSettings(settable)
  const explaining = explainSettlement(
    {
      ...{ settings, settlementId },
      ...(flags.asOf === undefined ? {} : { asOf: instantFlag('--as-of', flags.asOf) }),
    },
    context.terminal.say,
  )
  const explanation = await Promise.race([explaining, aborted(context.signal)])
  if (json === true) context.terminal.print(JSON.stringify(explanation, noAmountIsNull))
  else {
    for (const line of pictureOf(explanation, settings.timezone)) context.terminal.print(line)
  }
}

const AMOUNTS = ['computedNet', 'difference', 'explainedAmount', 'unexplainedAmount']

/** An amount that a settlement does not have, such as that of a PENDING one, is null as in every other answer. */
const noAmountIsNull = (key: string, value: unknown) =>
  value === '' && AMOUNTS.includes(key) ? null : value

/**
 * Shows a settlement as aligned text: its numbers, then its transactions with a line at the
 * cut-off.
 */
export function pictureOf(explanation: Explanation, zone: string): string[] {
  const { reportedNet, computedNet, difference, candidates } = explanation
  const width = Math.max(...[reportedNet, computedNet, difference].map((text) => text.length))
  const money = (name: string, amount: string) => `  ${name.padEnd(12)} ${amount.padStart(width)}`
  return [
    `settlement ${explanation.settlementId}, terminal ${explanation.terminalId} ${explanation.terminalName}`,
    `created ${withLocalTime(explanation.created, zone)}, ${explanation.status}: ${verdictOf(explanation)}`,
    `as of ${withLocalTime(explanation.asOf, zone)}, ${explanation.runId === '' ? 'computed now' : `from run ${explanation.runId}`}`,
    ...nextLines(explanation),
    '',
    money('reported', reportedNet),
    money('computed', computedNet),
    money('difference', difference),
    ...partLines(explanation, width),
    ...(candidates === '' ? [] : [`  could be     ${candidates}`]),
    '',
    `  cut-off      ${explanation.endsAt === '' ? 'none found' : `after the transaction of ${explanation.endsAt}, ordered by ${explanation.clock}`}`,
    ...cutOffLines(explanation),
    `  method       ${explanation.method}`,
    `  certificate  ${explanation.certificate === '' ? 'none yet' : explanation.certificate} (${counted(explanation.rivals, 'rival')})`,
    ...meaningLines(explanation),
    ...reasonLines(explanation),
    ...rivalLines(explanation),
    ...swapLines(explanation),
    ...observedLines(explanation),
    '',
    ...transactionLines(explanation),
    ...exceptionLines(explanation),
  ]
}

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`

/** The named parts of the difference, and the transactions that were moved instead. */
function partLines({ parts }: Explanation, width: number): string[] {
  return parts.map(({ name, amount, transactions, otherSettlement }, index) =>
    [
      `  ${(index === 0 ? 'of that' : '').padEnd(12)} ${amount.padStart(width)}`,
      name,
      transactions.replaceAll(';', ', '),
      otherSettlement === '' ? '' : `(settlement ${otherSettlement})`,
    ]
      .filter((part) => part !== '')
      .join(' '),
  )
}

/** The results of other cut-offs; `>` marks the chosen one. */
function cutOffLines(explanation: Explanation): string[] {
  const { cutOffs, cutOffsTried, usualLag, usualSpread, reachHours } = explanation
  const usual =
    usualLag === ''
      ? []
      : [`  usual        ${usualLag} before created, give or take ${usualSpread} (h:mm)`]
  const width = Math.max(0, ...cutOffs.map(({ computedNet }) => computedNet.length))
  const off = Math.max(0, ...cutOffs.map(({ difference }) => difference.length))
  return [
    ...usual,
    ...(reachHours > 0 ? [`  searched     up to ${reachHours} hours before created`] : []),
    ...(cutOffsTried > 1
      ? [`  tried        ${cutOffsTried} cut-offs; > marks the chosen one`]
      : []),
    ...(cutOffsTried > 1 ? cutOffs : []).map(
      ({ at, computedNet, difference, isChosen }) =>
        `             ${isChosen ? '>' : ' '} ${at.padEnd(27)} net ${computedNet.padStart(width)}, difference ${difference.padStart(off)}`,
    ),
  ]
}

const reasonLines = (explanation: Explanation): string[] =>
  reasonSentences(explanation).map(
    (sentence, index) => `  ${(index === 0 ? 'because' : '').padEnd(12)} ${sentence}`,
  )

function rivalLines({ rivalStretches, rivalStretchesFound }: Explanation): string[] {
  const more = rivalStretchesFound - rivalStretches.length
  return [
    ...rivalStretches.map(
      ({ from, until }) =>
        `  as good      ${from === '' ? 'with no transaction' : `from ${from} to ${until}`}`,
    ),
    ...(more > 0 ? [`               and ${more} more`] : []),
  ]
}

const swapLines = ({ swaps }: Explanation): string[] =>
  swaps.map(({ leave, join }) =>
    [
      '  as good      ',
      leave === '' ? '' : `without ${leave.replaceAll(';', ' and ')}`,
      leave !== '' && join !== '' ? ', ' : '',
      join === '' ? '' : `with ${join.replaceAll(';', ' and ')}`,
    ].join(''),
  )

const observedLines = ({ observed }: Explanation): string[] =>
  observed.map(
    ({ at, what }, index) => `  ${(index === 0 ? 'seen' : '').padEnd(12)} ${at}  ${what}`,
  )

/** The cause and the next step in words. Without data, the command that reads them. */
function nextLines({ verdict, created, cause, nextStep }: Explanation): string[] {
  if (cause === '') return []
  const step = verdict === 'NO_DATA' ? typed(`tieout run --from ${created.slice(0, 10)}`) : nextStep
  return [`  cause        ${cause}`, `  next step    ${step}`]
}

function meaningLines({ certificate }: Explanation): string[] {
  const meaning = MEANINGS[certificate]
  return meaning === undefined ? [] : [`  meaning      ${meaning}`]
}

const verdictOf = ({ verdict, explanation }: Explanation) =>
  explanation === '' ? verdict : `${verdict}, ${explanation}`

/** Marks the members. Unmarked rows among them are declined, open or in another settlement. */
function transactionLines({ transactions, endsAt }: Explanation): string[] {
  const inside = transactions.filter((transaction) => transaction.inside)
  const isWithin = ({ inside, lies }: ExplainedTransaction) => inside && lies === 'within'
  const following = transactions.findIndex(({ lies }) => lies === 'after')
  const none = following < 0 ? transactions.length : following
  const first = transactions.some(isWithin) ? transactions.findIndex(isWithin) : none
  const end = transactions.some(isWithin) ? transactions.findLastIndex(isWithin) + 1 : none
  // Members are always shown, however far outside they lie.
  const isNeighbour = (row: ExplainedTransaction, index: number) =>
    row.inside || (index >= first - MOST_NEIGHBOURS && index < end + MOST_NEIGHBOURS)
  const before = transactions.filter((row, index) => index < first && isNeighbour(row, index))
  const members = transactions.slice(first, end)
  const after = transactions.filter((row, index) => index >= end && isNeighbour(row, index))
  const shown =
    inside.length === 0 ? transactions.slice(-MOST_NEIGHBOURS) : [...before, ...members, ...after]
  const widths = {
    id: Math.max(0, ...shown.map((row) => row.transactionId.length)),
    amount: Math.max(0, ...shown.map((row) => row.signedAmount.length)),
  }
  const lineOf = (row: ExplainedTransaction) => transactionLine(row, widths)
  if (inside.length === 0) return ['  no transaction in it; its neighbours', ...shown.map(lineOf)]
  return [
    `  ${counted(inside.length, 'transaction')} in it (|), and its neighbours`,
    ...before.map(lineOf),
    `  ${RULE} cut-off of the settlement before`,
    ...members.map(lineOf),
    `  ${RULE} cut-off ${endsAt}`,
    ...after.map(lineOf),
  ]
}

function transactionLine(
  row: ExplainedTransaction,
  widths: { id: number; amount: number },
): string {
  return [
    `  ${row.inside ? '|' : ' '} ${row.created}`,
    row.transactionId.padStart(widths.id),
    row.action.padEnd(6),
    row.status.padEnd(7),
    row.signedAmount.padStart(widths.amount),
    row.note,
  ]
    .join('  ')
    .trimEnd()
}

const exceptionLines = ({ exceptions }: Explanation): string[] =>
  exceptions.length === 0
    ? []
    : [
        '',
        '  exceptions',
        ...exceptions.map(
          ({ code, subjectType, subjectId, state, detail }) =>
            `  ${code} ${subjectType} ${subjectId}${state === 'OPEN' ? '' : ` (${state})`}: ${detail}`,
        ),
      ]
