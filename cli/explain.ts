/** `explain`: why one settlement does or does not tie, down to its transactions. */
import type { Command } from 'commander'
import { explainSettlement, type Explanation } from '../activities/explain-settlement.ts'
import { readSettings, type Flags } from '../workers/settings.ts'
import type { Context } from './context.ts'

/** More neighbours than these say nothing more. */
const MOST_NEIGHBOURS = 12

export function addExplain(program: Command, context: Context): void {
  program
    .command('explain')
    .description('Why a settlement does or does not tie out, down to its transactions.')
    .argument('<settlementId>')
    .option('--as-of <time>', 'the clock by which ages are judged')
    .action(async (settlementId: string, flags: Flags & { asOf?: string }) => {
      const { json, ...settable } = context.flagsOf(flags)
      const explanation = await explainSettlement(
        readSettings(settable),
        settlementId,
        flags.asOf ?? new Date().toISOString(),
      )
      if (json === true) context.terminal.print(JSON.stringify(explanation))
      else for (const line of pictureOf(explanation)) context.terminal.print(line)
    })
}

/** The settlement as aligned text: its numbers, then its transactions with a line where it is cut off. */
export function pictureOf(explanation: Explanation): string[] {
  const { reportedNet, computedNet, difference } = explanation
  const width = Math.max(...[reportedNet, computedNet, difference].map((text) => text.length))
  const money = (name: string, amount: string) => `  ${name.padEnd(12)} ${amount.padStart(width)}`
  return [
    `settlement ${explanation.settlementId}, terminal ${explanation.terminalId} ${explanation.terminalName}`,
    `created ${explanation.created}, ${explanation.status}: ${verdictOf(explanation)}`,
    '',
    money('reported', reportedNet),
    money('computed', computedNet),
    money('difference', difference),
    '',
    `  cut-off      ${explanation.cutoff === '' ? 'none found' : `${explanation.cutoff}, ordered by ${explanation.clock}`}`,
    `  method       ${explanation.method}`,
    `  certificate  ${explanation.certificate === '' ? 'none yet' : explanation.certificate} (${explanation.rivals === 'null' ? '0' : explanation.rivals} rivals)`,
    '',
    ...transactionLines(explanation),
    ...exceptionLines(explanation),
  ]
}

const verdictOf = ({ verdict, explanation }: Explanation) =>
  explanation === '' ? verdict : `${verdict}, ${explanation}`

function transactionLines({ transactions }: Explanation): string[] {
  const inside = transactions.filter((transaction) => transaction.inside)
  const first = transactions.findIndex((transaction) => transaction.inside)
  const last = transactions.findLastIndex((transaction) => transaction.inside)
  const shown = transactions.slice(
    Math.max(0, (first < 0 ? transactions.length : first) - MOST_NEIGHBOURS),
    last + 1 + MOST_NEIGHBOURS,
  )
  const widths = {
    id: Math.max(0, ...shown.map((row) => row.transactionId.length)),
    amount: Math.max(0, ...shown.map((row) => row.signedAmount.length)),
  }
  const lines: string[] = [`  ${inside.length} transactions in it (|), and its neighbours`]
  let wasInside = false
  for (const row of shown) {
    if (row.inside !== wasInside) lines.push(`  ${'-'.repeat(20)} cut-off`)
    wasInside = row.inside
    lines.push(
      [
        `  ${row.inside ? '|' : ' '} ${row.created}`,
        row.transactionId.padStart(widths.id),
        row.action.padEnd(6),
        row.status.padEnd(7),
        row.signedAmount.padStart(widths.amount),
        row.note,
      ]
        .join('  ')
        .trimEnd(),
    )
  }
  if (wasInside) lines.push(`  ${'-'.repeat(20)} cut-off`)
  return lines
}

const exceptionLines = ({ exceptions }: Explanation): string[] =>
  exceptions.length === 0
    ? []
    : [
        '',
        '  exceptions',
        ...exceptions.map(
          (one) => `  ${one.code} ${one.subjectType} ${one.subjectId}: ${one.detail}`,
        ),
      ]
