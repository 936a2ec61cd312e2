/** `exceptions assign, waive, resolve, reopen`: a decision on the exceptions with these ids, or on all that filters select. */
import type { BooksActed, ExceptionAct } from '../../../domain/books.ts'
import { actOf, type DecisionWords, type Verb } from '../../../domain/decision-words.ts'
import { Failure } from '../../../domain/failure.ts'
import { countedNoun } from '../../../domain/headline.ts'
import type { Settings } from '../../../domain/settings.ts'
import { listExceptions } from '../../../queries/list-exceptions.ts'
import { readSettings } from '../../../workers/config/settings.ts'
import type { Context } from '../../shell/context.ts'
import { requiredActor } from '../actor.ts'
import { actLine, decide } from '../decide.ts'
import { filterOf, isFiltered, type FilterFlags } from './filter-flags.ts'

export type DecisionFlags = DecisionWords & FilterFlags & { by?: string }

export async function decideCommand(
  context: Context,
  { verb, exceptionIds }: { verb: Verb; exceptionIds: readonly string[] },
  flags: DecisionFlags,
): Promise<void> {
  const { json, ...settable } = context.flagsOf(flags)
  const settings = readSettings(settable)
  const actor = requiredActor(flags.by)
  const { account } = settings
  const ids = await chosen(settings, exceptionIds, flags)
  const acts = ids.map((exceptionId) => actOf(settings, { verb, exceptionId, actor }, flags))
  const [only] = acts
  if (only !== undefined && acts.length === 1) {
    const acted = await decide(context, settings, only)
    const { exceptionId } = only
    if (json === true) {
      context.terminal.print(JSON.stringify({ account, exceptionId, decision: verb, ...acted }))
      return
    }
    const already = acted.wasSo ? ' already,' : ''
    context.terminal.print(
      `exception ${exceptionId}: ${outcomeOf(verb, flags)}${already} by ${acted.actor}`,
    )
    if (acted.clearing !== undefined) {
      const { amount, to, date } = acted.clearing
      context.terminal.print(`the variance of ${amount} moves from suspense to ${to} on ${date}`)
    }
    context.terminal.print(actLine(acted))
    return
  }
  const acted = await decideMany(context, settings, acts)
  if (json === true) {
    context.terminal.print(JSON.stringify({ account, decision: verb, exceptionIds: ids, ...acted }))
    return
  }
  const about = `${countedNoun(ids.length, 'exception')}: ${outcomeOf(verb, flags)}`
  context.terminal.print(`${about}; ${recordedWords(ids.length, acted)}`)
  context.terminal.print(actLine(acted))
}

/** Decides about all of them in one transaction: all or nothing. The receipt is that of the last new act. */
export const decideMany = (
  context: Context,
  settings: Settings,
  acts: readonly ExceptionAct[],
): Promise<BooksActed> =>
  decide(context, settings, {
    kind: 'exceptions',
    account: settings.account,
    actor: acts[0]?.actor ?? '',
    acts,
  })

/** Formats such as `58 decisions recorded, 2 were so already, by Ada`. */
export function recordedWords(decisions: number, act: BooksActed): string {
  const { recorded = decisions, actor } = act
  const before = decisions - recorded
  const already = before === 0 ? '' : `${before} ${before === 1 ? 'was' : 'were'} so already, `
  return `${countedNoun(recorded, 'decision')} recorded, ${already}by ${actor}`
}

/** The ids that were given, or those that the filters select. Throws usage for none and for both. */
async function chosen(
  settings: Settings,
  ids: readonly string[],
  flags: FilterFlags,
): Promise<readonly string[]> {
  if (ids.length > 0 && isFiltered(flags)) {
    throw new Failure('usage', 'give ids or filters, not both')
  }
  if (ids.length > 0) return [...new Set(ids)]
  if (!isFiltered(flags)) {
    throw new Failure('usage', 'name exceptions by their ids, or select them with filters', {
      remedy: 'tieout exceptions list',
    })
  }
  const listed = await listExceptions(settings, filterOf(flags))
  if (listed.length > 0) return listed.map(({ exceptionId }) => exceptionId)
  throw new Failure('usage', 'no exceptions match the filters', {
    remedy: 'tieout exceptions list',
  })
}

function outcomeOf(verb: Verb, { to, until }: DecisionFlags): string {
  if (verb === 'assign') return `assigned to ${to ?? ''}`
  if (verb === 'waive') return `waived until ${until ?? ''}`
  return verb === 'resolve' ? 'resolved' : 'open again'
}
