/** The command `attribute`: records a person's decision about the settlement of a transaction. */
import type { AttributionAct, BooksActed } from '../../domain/books.ts'
import { Failure } from '../../domain/failure.ts'
import { readSettings } from '../../workers/config/settings.ts'
import { requiredActor } from './actor.ts'
import { wordsOf } from '../../domain/decision-words.ts'
import { actLine, decide } from './decide.ts'
import type { Context } from '../shell/context.ts'

export interface AttributeFlags {
  by?: string
  reason: string
  to?: string
  undo?: boolean
}

export async function attributeCommand(
  context: Context,
  transactionId: string,
  flags: AttributeFlags,
): Promise<void> {
  const { json, ...settable } = context.flagsOf(flags)
  const decision = decisionOf(transactionId, flags)
  const actor = requiredActor(flags.by)
  const reason = wordsOf('--reason', flags.reason)
  const settings = readSettings(settable)
  const { account } = settings
  const acted = await decide(context, settings, { ...decision, account, actor, reason })
  const { settlement } = decision
  if (json === true) {
    const result = { account, transactionId, settlement: settlement ?? null }
    context.terminal.print(JSON.stringify({ ...result, ...acted }))
    return
  }
  for (const line of linesOf(decision, acted)) context.terminal.print(line)
}

/**
 * The lines for the person. If the decision existed already, they name its actor and say that this
 * reason was not added.
 */
export const linesOf = (
  { transactionId, settlement }: Pick<AttributionAct, 'settlement' | 'transactionId'>,
  acted: BooksActed,
): string[] => [
  `transaction ${transactionId}: ${outcomeOf(settlement)} ${acted.wasSo ? 'already, ' : ''}by ${acted.actor}${settlement === undefined && !acted.wasSo ? '; the evidence decides again from the next run on' : ''}`,
  actLine(acted),
  ...(acted.wasSo ? [nothingAdded(settlement)] : []),
]

const nothingAdded = (settlement: string | undefined) =>
  settlement === undefined
    ? 'nothing was added'
    : 'nothing was added; to change the reason, withdraw it with --undo first'

/** Reads argument and flags. Throws usage. */
function decisionOf(
  transactionId: string,
  { to, undo }: AttributeFlags,
): Pick<AttributionAct, 'kind' | 'settlement' | 'transactionId'> {
  if ((to === undefined) === (undo === undefined)) {
    throw new Failure('usage', 'attribute needs either --to or --undo')
  }
  const settlement = to?.toLowerCase()
  for (const id of [transactionId, settlement ?? 'none']) {
    if (!/^(none|[1-9]\d{0,18})$/.test(id)) {
      throw new Failure('usage', `${id} is not an id`, {
        remedy: 'write the number of a transaction or settlement, or none',
      })
    }
  }
  if (settlement === undefined) return { kind: 'transaction.release', transactionId }
  return { kind: 'transaction.attribute', transactionId, settlement }
}

function outcomeOf(settlement: string | undefined): string {
  if (settlement === undefined) return 'decision withdrawn'
  return settlement === 'none'
    ? 'assigned to no settlement'
    : `assigned to settlement ${settlement}`
}
