/** `exceptions list`: the exceptions of the newest run as a table with headings and a total. */
import { alignedTable } from '../../../domain/aligned-table.ts'
import { grouped } from '../../../domain/cents.ts'
import { Failure } from '../../../domain/failure.ts'
import type { Settings } from '../../../domain/settings.ts'
import { sizeOf, totalsLine } from '../../../queries/exception-totals.ts'
import {
  holdsSettlement,
  readListing,
  terminalsNamed,
  type ListedException,
  type Listing,
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
  const reading = readListing(settings, filterOf(flags))
  const listing = await Promise.race([reading, aborted(context.signal)])
  const exceptions = sorted(listing.exceptions, flags.sort)
  const isId = (text = '0') => /^\d+$/.test(text)
  if (exceptions.length === 0 && !(isId(flags.terminal) && isId(flags.settlement))) {
    const remedy = 'write the number of a terminal or a settlement'
    throw new Failure('usage', await noneLine(settings, flags), { remedy })
  }
  if (json === true) context.terminal.print(JSON.stringify(exceptions))
  else if (exceptions.length === 0) context.terminal.print(await noneLine(settings, flags))
  else {
    const lines = tableOf({ ...listing, exceptions }, settings.currency)
    for (const line of lines) context.terminal.print(line)
  }
}

/** An unknown settlement or terminal is most likely a mistyped one, or the name of a terminal. */
async function noneLine(settings: Settings, { settlement, terminal }: ListFlags): Promise<string> {
  const none = 'no exceptions match'
  const lacks = `${none}: account ${settings.account} has no`
  if (settlement !== undefined && !(await holdsSettlement(settings, settlement))) {
    return `${lacks} settlement ${settlement}`
  }
  if (terminal === undefined) return none
  const ids = await terminalsNamed(settings, terminal)
  if (ids.length === 0)
    return `${lacks} terminal ${terminal}; --terminal takes the id of a terminal`
  if (ids.includes(terminal)) return none
  return `${none}: --terminal takes an id, and ${terminal} is the name of terminal ${ids.join(', ')}`
}

const ORDERS: Readonly<Record<SortKey, (a: ListedException, b: ListedException) => number>> = {
  age: (a, b) => (b.ageDays ?? -1) - (a.ageDays ?? -1),
  amount: (a, b) => Number(sizeOf(b) - sizeOf(a)),
  code: (a, b) => a.code.localeCompare(b.code),
  terminal: (a, b) => Number(a.terminalId ?? 0) - Number(b.terminalId ?? 0),
}

const sorted = (exceptions: ListedException[], by: SortKey | undefined) =>
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

/** The table, with a line of totals. */
const tableOf = (listing: Listing, currency: string): string[] => [
  ...alignedTable([HEADINGS, ...listing.exceptions.map(rowOf)], NUMBERS),
  totalsLine(listing, currency),
]

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
