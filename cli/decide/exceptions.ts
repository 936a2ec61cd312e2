/**
 * The command `exceptions`: lists exceptions, shows one with its history, and records decisions.
 */
import { Option, type Command } from 'commander'
import {
  listExceptions,
  showException,
  type ExceptionEvent,
  type ExceptionFilter,
  type ListedException,
} from '../../queries/list-exceptions.ts'
import { dateIn, isDate } from '../../domain/business-day.ts'
import type { ExceptionAct } from '../../domain/books.ts'
import { parseCents } from '../../domain/cents.ts'
import { EXCEPTIONS } from '../../domain/exceptions.ts'
import { Failure } from '../../domain/failure.ts'
import type { Settings } from '../../domain/settings.ts'
import { aborted } from '../../workers/temporal/aborted.ts'
import { readSettings } from '../../workers/config/settings.ts'
import { requiredActor, wordsOf } from './actor.ts'
import { actLine, decide } from './decide.ts'
import type { Context } from '../shell/context.ts'
import { wholeNumberFlag } from '../shell/number-flag.ts'

interface ListFlags {
  code?: string
  severity?: string
  state: string
  terminal?: string
  settlement?: string
  assignee?: string
  leastAmount?: string
  leastAge?: string
  new?: boolean
}

interface DecisionFlags {
  by?: string
  reason: string
  to?: string
  until?: string
  clearTo?: string
  date?: string
}

const STATES = ['OPEN', 'ASSIGNED', 'WAIVED', 'RESOLVED']

export function addExceptions(program: Command, context: Context): void {
  const group = program
    .command('exceptions')
    .description('Lists exceptions and records decisions on them.')
  addList(group, context)
  group
    .command('show')
    .description('Shows one exception with its history.')
    .argument('<exceptionId>')
    .action(async (exceptionId: string, flags: object) => showCommand(context, exceptionId, flags))
  addDecision(group, context, 'assign')
    .description('Assigns an exception to a person. It stays open.')
    .requiredOption('--to <name>', 'the person who works on it')
    .option('--reason <text>', 'the reason; stored in the audit trail', 'to be worked on')
  addDecision(group, context, 'waive')
    .description('Accepts an exception until a date; the exception opens again on the day after.')
    .requiredOption('--until <date>', 'the last day on which it is accepted')
    .requiredOption('--reason <text>', 'the reason; stored in the audit trail')
  addDecision(group, context, 'resolve')
    .description('Marks an exception as resolved; the exception opens again if its amount changes.')
    .option(
      '--clear-to <account>',
      'clear the variance from suspense to this account or key of the chart',
    )
    .option('--date <date>', 'the posting date of that entry (default: today)')
    .requiredOption('--reason <text>', 'the solution; stored in the audit trail')
  addDecision(group, context, 'reopen')
    .description('Withdraws the last decision on an exception.')
    .requiredOption('--reason <text>', 'the reason; stored in the audit trail')
}

function addList(group: Command, context: Context): void {
  group
    .command('list')
    .description('Lists the exceptions of the newest run, with later decisions.')
    .option('--code <codes>', 'only these codes, such as AMOUNT_MISMATCH,ORPHAN_SETTLED')
    .addOption(
      new Option('--severity <severity>', 'only exceptions of this severity').choices([
        'error',
        'warning',
      ]),
    )
    .option('--state <states>', 'only these states, or all', 'open,assigned')
    .option('--terminal <id>', 'only exceptions of this terminal')
    .option('--settlement <id>', 'only exceptions of this settlement and its transactions')
    .option('--assignee <name>', 'only exceptions assigned to this person')
    .option('--least-amount <amount>', 'only exceptions of at least this amount, whatever its sign')
    .option('--least-age <days>', 'only exceptions of at least this age in calendar days')
    .option('--new', 'only exceptions that are new since the last run of an earlier business day')
    .action(async (flags: ListFlags) => listCommand(context, flags))
}

type Verb = 'assign' | 'reopen' | 'resolve' | 'waive'

function addDecision(group: Command, context: Context, verb: Verb): Command {
  return group
    .command(verb)
    .argument('<exceptionId>')
    .option('--by <name>', 'your name (TIEOUT_ACTOR)')
    .action(async (exceptionId: string, flags: DecisionFlags) =>
      decideCommand(context, { verb, exceptionId }, flags),
    )
}

async function listCommand(context: Context, flags: ListFlags): Promise<void> {
  const { json, ...settable } = context.flagsOf(flags)
  const filter = filterOf(flags)
  const listing = listExceptions(readSettings(settable), filter)
  const exceptions = await Promise.race([listing, aborted(context.signal)])
  if (json === true) context.terminal.print(JSON.stringify(exceptions))
  else for (const line of tableOf(exceptions)) context.terminal.print(line)
}

/** Reads the flags. Throws usage. */
export function filterOf(flags: ListFlags): ExceptionFilter {
  const { code, severity, state, terminal, settlement, assignee } = flags
  const given = (filter: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined))
  return given({
    ...{ severity, terminal, settlement, assignee, isNew: flags.new },
    codes: code && listed('--code', code, Object.keys(EXCEPTIONS)),
    states: state.toLowerCase() === 'all' ? undefined : listed('--state', state, STATES),
    leastAmountCents: flags.leastAmount && amountFlag('--least-amount', flags.leastAmount),
    leastAgeDays: flags.leastAge && wholeNumberFlag('--least-age', flags.leastAge),
  })
}

function listed(flag: string, text: string, known: readonly string[]): string[] {
  const words = text.split(',').map((word) => word.trim().toUpperCase())
  const other = words.find((word) => !known.includes(word))
  if (other === undefined) return words
  throw new Failure('usage', `${flag} ${other} is not one of ${known.join(', ')}`)
}

function amountFlag(flag: string, text: string): bigint {
  const cents = parseCents(text)
  if (cents !== undefined && cents >= 0n) return cents
  throw new Failure('usage', `${flag} ${text} is not an amount such as 100.00`)
}

function tableOf(exceptions: readonly ListedException[]): string[] {
  if (exceptions.length === 0) return ['no exceptions match']
  const rows = exceptions.map((one) => [
    one.exceptionId,
    one.severity,
    one.state,
    one.code,
    `${one.subjectType} ${one.subjectId}`,
    one.amount ?? '',
    one.ageDays === null ? '' : `${one.ageDays} days`,
    one.assignee ?? '',
  ])
  const widths = rows[0]?.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0))) ?? []
  const isNumber = (at: number) => at === 5 || at === 6
  return rows.map((row) =>
    row
      .map((cell, at) =>
        isNumber(at) ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  )
}

async function showCommand(context: Context, exceptionId: string, flags: object): Promise<void> {
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

async function decideCommand(
  context: Context,
  { verb, exceptionId }: { verb: Verb; exceptionId: string },
  flags: DecisionFlags,
): Promise<void> {
  const { json, ...settable } = context.flagsOf(flags)
  if (flags.until !== undefined && !isDate(flags.until)) {
    throw new Failure('usage', `--until ${flags.until} is not a date such as 2026-12-31`)
  }
  const actor = requiredActor(flags.by)
  const settings = readSettings(settable)
  refusePast(settings, flags.until)
  const { account } = settings
  const act: ExceptionAct = {
    ...{ kind: `exception.${verb}`, account, actor, exceptionId },
    reason: wordsOf('--reason', flags.reason),
    ...(flags.to === undefined ? {} : { to: wordsOf('--to', flags.to) }),
    ...(flags.until === undefined ? {} : { until: flags.until }),
    ...(flags.clearTo === undefined ? {} : { clear: clearOf(flags.clearTo, flags.date) }),
  }
  const acted = await decide(context, settings, act)
  if (json === true) {
    context.terminal.print(JSON.stringify({ account, exceptionId, decision: verb, ...acted }))
  } else {
    context.terminal.print(`exception ${exceptionId}: ${outcomeOf(verb, flags)} by ${acted.actor}`)
    context.terminal.print(actLine(acted))
  }
}

/** Refuses a waiver that would end at once. Throws usage. */
function refusePast({ timezone }: Settings, until: string | undefined): void {
  const today = dateIn(timezone, Date.now())
  if (until === undefined || until >= today) return
  throw new Failure('usage', `--until ${until} is past: today is ${today} in ${timezone}`)
}

const clearOf = (to: string, date: string | undefined) => ({
  to: wordsOf('--clear-to', to),
  ...(date === undefined ? {} : { date }),
})

function outcomeOf(verb: Verb, { to, until }: DecisionFlags): string {
  if (verb === 'assign') return `assigned to ${to ?? ''}`
  if (verb === 'waive') return `waived until ${until ?? ''}`
  return verb === 'resolve' ? 'resolved' : 'open again'
}
