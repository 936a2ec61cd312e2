/** The flags that select exceptions, for the list, the export and decisions about many. */
import { Option, type Command } from 'commander'
import { parseCents } from '../../../domain/cents.ts'
import { EXCEPTIONS } from '../../../domain/exceptions.ts'
import { Failure } from '../../../domain/failure.ts'
import { nearestHint } from '../../../domain/nearest-name.ts'
import type { ExceptionFilter } from '../../../queries/list-exceptions.ts'
import { wholeNumberFlag } from '../../shell/number-flag.ts'

export interface FilterFlags {
  code?: string
  severity?: string
  state?: string
  terminal?: string
  settlement?: string
  assignee?: string
  leastAmount?: string
  leastAge?: string
  new?: boolean
}

const STATES = ['OPEN', 'ASSIGNED', 'WAIVED', 'RESOLVED']

export const addFilters = (command: Command): Command =>
  command
    .option('--code <codes>', 'only these codes, such as AMOUNT_MISMATCH,ORPHAN_SETTLED')
    .addOption(
      new Option('--severity <severity>', 'only exceptions of this severity').choices([
        'error',
        'warning',
      ]),
    )
    .option('--state <states>', 'only these states, or all (default: open,assigned)')
    .option('--terminal <id>', 'only exceptions of this terminal')
    .option('--settlement <id>', 'only exceptions of this settlement and its transactions')
    .option('--assignee <name>', 'only exceptions assigned to this person')
    .option('--least-amount <amount>', 'only exceptions of at least this amount, whatever its sign')
    .option('--least-age <days>', 'only exceptions of at least this age in calendar days')
    .option('--new', 'only exceptions that are new since the last run of an earlier business day')

const FILTERS = [
  ...['code', 'severity', 'state', 'terminal', 'settlement'],
  ...['assignee', 'leastAmount', 'leastAge', 'new'],
] as const satisfies readonly (keyof FilterFlags)[]

/** True if a person gave at least one filter. */
export const isFiltered = (flags: FilterFlags): boolean =>
  FILTERS.some((name) => flags[name] !== undefined)

/** Reads the flags. Throws usage. */
export function filterOf(flags: FilterFlags): ExceptionFilter {
  const { code, severity, state = 'open,assigned', terminal, settlement, assignee } = flags
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
  throw new Failure('usage', `${flag} ${other} is not one of ${known.join(', ')}`, {
    remedy: nearestHint(other, known, 'write one of these words, or several with commas'),
  })
}

function amountFlag(flag: string, text: string): bigint {
  const cents = parseCents(/^\d+$/.test(text) ? `${text}.00` : text)
  if (cents !== undefined && cents >= 0n) return cents
  throw new Failure('usage', `${flag} ${text} is not an amount such as 100.00`, {
    remedy: 'write the amount as 100.00, without a sign, a currency or a comma',
  })
}
