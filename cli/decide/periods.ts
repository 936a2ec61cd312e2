/** The command `periods`: closes, reopens and lists accounting periods. */
import { closeChecklist, closeItemWords, type CloseItem } from '../../queries/close-checklist.ts'
import { listPeriods } from '../../queries/list-periods.ts'
import { isPeriod, type PeriodAct } from '../../domain/books.ts'
import { Failure } from '../../domain/failure.ts'
import { aborted } from '../../workers/temporal/aborted.ts'
import { readSettings } from '../../workers/config/settings.ts'
import { requiredActor } from './actor.ts'
import { wordsOf } from '../../domain/decision-words.ts'
import { actLine, decide } from './decide.ts'
import type { Context } from '../shell/context.ts'

export interface PeriodFlags {
  by?: string
  reason: string
  acceptOpen?: string
}

export async function listCommand(context: Context, flags: object): Promise<void> {
  const { json, ...settable } = context.flagsOf(flags)
  const settings = readSettings(settable)
  const periods = await Promise.race([listPeriods(settings), aborted(context.signal)])
  if (json === true) context.terminal.print(JSON.stringify(periods))
  else if (periods.length === 0) context.terminal.print('no period was ever closed')
  else {
    for (const { period, state, by, at, reason } of periods) {
      context.terminal.print(`${period}  ${state.padEnd(6)}  ${at}  ${by}: ${reason}`)
    }
  }
}

export async function turnCommand(
  context: Context,
  { kind, period }: Pick<PeriodAct, 'kind' | 'period'>,
  flags: PeriodFlags,
): Promise<void> {
  const { json, ...settable } = context.flagsOf(flags)
  if (!isPeriod(period))
    throw new Failure('usage', `${period} is not a period such as 2026-11`, {
      remedy: 'write the month as 2026-11',
    })
  const actor = requiredActor(flags.by)
  const reason = wordsOf('--reason', flags.reason)
  const settings = readSettings(settable)
  const { account } = settings
  const checklist = kind === 'close' ? await closeChecklist(settings, period) : []
  if (json !== true && kind === 'close') {
    for (const line of checklistLines(period, checklist)) context.terminal.print(line)
  }
  const acceptOpen =
    flags.acceptOpen === undefined ? {} : { acceptOpen: wordsOf('--accept-open', flags.acceptOpen) }
  const act: PeriodAct = { kind, period, account, actor, reason, ...acceptOpen }
  const acted = await decide(context, settings, act)
  const state = kind === 'close' ? 'closed' : 'open'
  if (json === true) {
    const items = kind === 'close' ? { checklist } : {}
    context.terminal.print(JSON.stringify({ account, period, state, ...items, ...acted }))
  } else {
    const done = kind === 'close' ? 'closed' : 'reopened'
    const by = acted.wasSo ? `${state} already, by ${acted.actor}` : `${done} by ${acted.actor}`
    context.terminal.print(`period ${period} of ${account}: ${by}`)
    context.terminal.print(actLine(acted))
  }
}

/** The checklist: blockers first, then notes. */
function checklistLines(period: string, items: readonly CloseItem[]): string[] {
  const lines = (title: string, isBlocker: boolean) => {
    const own = items.filter((item) => item.isBlocker === isBlocker).map(closeItemWords)
    return own.length === 0
      ? [`${title}: none`]
      : [`${title}:`, ...own.map((words) => `  ${words}`)]
  }
  return [`checklist for ${period}`, ...lines('blockers', true), ...lines('notes', false)]
}
