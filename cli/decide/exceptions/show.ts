/** `exceptions show`: one exception with its history. */
import {
  showException,
  type ExceptionEvent,
  type ListedException,
} from '../../../queries/list-exceptions.ts'
import { readSettings } from '../../../workers/config/settings.ts'
import { aborted } from '../../../workers/temporal/aborted.ts'
import type { Context } from '../../shell/context.ts'

export async function showCommand(
  context: Context,
  exceptionId: string,
  flags: object,
): Promise<void> {
  const { json, ...settable } = context.flagsOf(flags)
  const showing = showException(readSettings(settable), exceptionId)
  const shown = await Promise.race([showing, aborted(context.signal)])
  if (json === true) {
    context.terminal.print(JSON.stringify({ ...shown.exception, history: shown.history }))
    return
  }
  for (const line of linesOf(exceptionId, shown)) context.terminal.print(line)
}

function linesOf(
  exceptionId: string,
  { exception, history }: { exception: ListedException | undefined; history: ExceptionEvent[] },
): string[] {
  const head =
    exception === undefined
      ? [`exception ${exceptionId}: resolved, and no longer listed`]
      : [
          `exception ${exceptionId}: ${exception.code}, ${exception.severity}, ${exception.subjectType} ${exception.subjectId}`,
          `  ${exception.state}${exception.stateBy === null ? '' : ` by ${exception.stateBy}: ${exception.stateReason ?? ''}`}`,
          `  amount ${exception.amount ?? 'none'}, ${exception.ageDays ?? '?'} days old, first seen ${exception.firstSeen}, last seen ${exception.lastSeen}`,
          ...(exception.detail === null ? [] : [`  ${exception.detail}`]),
        ]
  return [...head, '', ...history.map(eventLine)]
}

const eventLine = ({ at, what, by, reason, amount }: ExceptionEvent) =>
  [
    `  ${at}  ${what}`,
    by === null ? '' : `by ${by}: ${reason ?? ''}`,
    amount === null ? '' : `(${amount})`,
  ]
    .filter((part) => part !== '')
    .join(' ')
