/** `attribute`: a person's decision about the settlement of a transaction. */
import type { Command } from 'commander'
import type { AttributionAct, BooksActed } from '../../domain/books.ts'
import { Failure } from '../../domain/failure.ts'
import { readSettings } from '../../workers/config/settings.ts'
import { requiredActor, wordsOf } from './actor.ts'
import { actLine, decide } from './decide.ts'
import type { Context } from '../shell/context.ts'

interface AttributeFlags {
  by?: string
  reason: string
  to?: string
  undo?: boolean
}

export function addAttribute(program: Command, context: Context): void {
  program
    .command('attribute')
    .description('Says in which settlement a settled transaction is; later runs heed it.')
    .argument('<transactionId>')
    .option('--to <settlement>', 'id of the settlement, or none')
    .option('--undo', 'takes the decision back')
    .requiredOption('--reason <text>', 'why; kept in the audit trail')
    .option('--by <name>', 'who decides (TIEOUT_ACTOR)')
    .action(async (transactionId: string, flags: AttributeFlags) =>
      attributeCommand(context, transactionId, flags),
    )
}

async function attributeCommand(
  context: Context,
  transactionId: string,
  flags: AttributeFlags,
): Promise<void> {
  const { json, ...settable } = context.flagsOf(flags)
  const asked = askedOf(transactionId, flags)
  const actor = requiredActor(flags.by)
  const reason = wordsOf('--reason', flags.reason)
  const settings = readSettings(settable)
  const { account } = settings
  const acted = await decide(context, settings, { ...asked, account, actor, reason })
  const { settlement } = asked
  if (json === true) {
    const told = { account, transactionId, settlement: settlement ?? null }
    context.terminal.print(JSON.stringify({ ...told, ...acted }))
    return
  }
  for (const line of linesOf(asked, acted)) context.terminal.print(line)
}

/** What a person hears: where it had been decided so already, by whom, and that this reason was not added. */
export const linesOf = (
  { transactionId, settlement }: Pick<AttributionAct, 'settlement' | 'transactionId'>,
  acted: BooksActed,
): string[] => [
  `transaction ${transactionId}: ${toldOf(settlement)} ${acted.wasSo ? 'already, ' : ''}by ${acted.actor}`,
  actLine(acted),
  ...(acted.wasSo ? [nothingAdded(settlement)] : []),
]

const nothingAdded = (settlement: string | undefined) =>
  settlement === undefined
    ? 'nothing was added'
    : 'nothing was added; for another reason take it back with --undo first'

/** Reads argument and flags. Throws usage. */
function askedOf(
  transactionId: string,
  { to, undo }: AttributeFlags,
): Pick<AttributionAct, 'kind' | 'settlement' | 'transactionId'> {
  if ((to === undefined) === (undo === undefined)) {
    throw new Failure('usage', 'attribute takes either --to or --undo')
  }
  const settlement = to?.toLowerCase()
  for (const id of [transactionId, settlement ?? 'none']) {
    if (!/^(none|[1-9]\d{0,18})$/.test(id)) throw new Failure('usage', `${id} is no id`)
  }
  if (settlement === undefined) return { kind: 'transaction.release', transactionId }
  return { kind: 'transaction.attribute', transactionId, settlement }
}

function toldOf(settlement: string | undefined): string {
  if (settlement === undefined) return 'left to the evidence'
  return settlement === 'none' ? 'put into no settlement' : `put into settlement ${settlement}`
}
