/** `exceptions list`: the exceptions of the newest run as a table with headings and a total. */
import { alignedTable } from '../../../domain/aligned-table.ts'
import { formatCents, grouped, parseCents } from '../../../domain/cents.ts'
import { countedNoun } from '../../../domain/headline.ts'
import type { Settings } from '../../../domain/settings.ts'
import {
  holdsSettlement,
  listExceptions,
  type ListedException,
} from '../../../queries/list-exceptions.ts'
import { readSettings } from '../../../workers/config/settings.ts'
import { aborted } from '../../../workers/temporal/aborted.ts'
import type { Context } from '../../shell/context.ts'
import { filterOf, type FilterFlags } from './filter-flags.ts'

type SortKey = 'age' | 'amount' | 'code' | 'terminal'

export interface ListFlags extends FilterFlags {
  sort?: SortKey
}

export async function listCommand(context: Context, flags: ListFlags): Promise<void> {
  const { json, ...settable } = context.flagsOf(flags)
  const settings = readSettings(settable)
  const listing = listExceptions(settings, filterOf(flags))
  const exceptions = sorted(await Promise.race([listing, aborted(context.signal)]), flags.sort)
  if (json === true) context.terminal.print(JSON.stringify(exceptions))
  else if (exceptions.length === 0) context.terminal.print(await noneLine(settings, flags))
  else for (const line of tableOf(exceptions, settings.currency)) context.terminal.print(line)
}

/** An unknown settlement is most likely a mistyped one. */
async function noneLine(settings: Settings, { settlement }: ListFlags): Promise<string> {
  const isKnown = settlement === undefined || (await holdsSettlement(settings, settlement))
  return isKnown
    ? 'no exceptions match'
    : `no exceptions match: account ${settings.account} has no settlement ${settlement}`
}

const sizeOf = ({ amount }: ListedException): bigint => {
  const cents: bigint = parseCents(amount ?? '') ?? 0n
  return cents < 0n ? -cents : cents
}

const ORDERS: Readonly<Record<SortKey, (a: ListedException, b: ListedException) => number>> = {
  age: (a, b) => (b.ageDays ?? -1) - (a.ageDays ?? -1),
  amount: (a, b) => Number(sizeOf(b) - sizeOf(a)),
  code: (a, b) => a.code.localeCompare(b.code),
  terminal: (a, b) => Number(a.terminalId ?? 0) - Number(b.terminalId ?? 0),
}

const sorted = (exceptions: readonly ListedException[], by: SortKey | undefined) =>
  by === undefined ? exceptions : exceptions.toSorted(ORDERS[by])

const HEADINGS = [
  'id',
  'severity',
  'state',
  'code',
  'subject',
  'terminal',
  'amount',
  'days',
  'assignee',
  'cause',
]
const NUMBERS = [6, 7]

/** The table, with a line of totals that nets nothing, and adds no difference to another amount. */
function tableOf(exceptions: readonly ListedException[], currency: string): string[] {
  const lines = alignedTable([HEADINGS, ...exceptions.map(rowOf)], NUMBERS)
  const isDifference = ({ code }: ListedException) => code === 'AMOUNT_MISMATCH'
  const sums = [
    ...sumOf('gross difference', exceptions.filter(isDifference), currency),
    ...sumOf(
      'other amounts',
      exceptions.filter((one) => !isDifference(one)),
      currency,
    ),
  ]
  return [...lines, [countedNoun(exceptions.length, 'exception'), ...sums].join(', ')]
}

/** Formats such as `gross difference 252.06 USD`. Empty if no exception has an amount. */
function sumOf(name: string, exceptions: readonly ListedException[], currency: string): string[] {
  if (exceptions.every(({ amount }) => amount === null)) return []
  const sum_cents = exceptions.reduce((sum, one) => sum + sizeOf(one), 0n)
  return [`${name} ${grouped(formatCents(sum_cents))} ${currency}`]
}

const rowOf = (one: ListedException): string[] => [
  one.exceptionId,
  one.severity,
  one.state,
  one.code,
  `${one.subjectType} ${one.subjectId}`,
  one.terminalName ?? one.terminalId ?? '',
  one.amount === null ? '' : grouped(one.amount),
  one.ageDays === null ? '' : String(one.ageDays),
  one.assignee ?? '',
  one.cause ?? '',
]
