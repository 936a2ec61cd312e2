/** The commands as a person types them: by their name, or by npx in a checkout. */
import { isCheckout } from '../../lake/connection/package-root.ts'
import { shellWord } from './shell-word.ts'

/** Every command of the program. */
export const COMMAND_NAMES = [
  'run',
  'reconcile',
  'report',
  'backfill',
  'import',
  'worker',
  'schedule',
  'status',
  'open',
  'explain',
  'verify',
  'diff',
  'prove',
  'periods',
  'approve',
  'query',
  'exceptions',
  'attribute',
  'maintain',
  'upgrade',
  'rollback',
  'init',
  'config',
  'chart',
  'doctor',
  'demo',
  'simulate',
  'completion',
] as const

export type CommandName = (typeof COMMAND_NAMES)[number]

const COMMAND = new RegExp(String.raw`\btieout (?=--[a-z]|(?:${COMMAND_NAMES.join('|')})\b)`, 'g')

/**
 * Writes each command of a text, such as `tieout doctor`, as it has to be typed here. Without --no-install, npx would
 * fetch a foreign package of this name outside a checkout.
 */
export const typed = (text: string, inCheckout = isCheckout): string =>
  inCheckout ? text.replaceAll(COMMAND, 'npx --no-install tieout ') : text

/** The commands of which a person types the account again: they work on one account, and read no pack. */
const OF_ACCOUNT = [
  ...['run', 'reconcile', 'report', 'backfill', 'import', 'schedule', 'status', 'explain'],
  ...['periods', 'exceptions', 'attribute', 'maintain', 'chart', 'doctor'],
] as const satisfies readonly CommandName[]

const COMMAND_OF_ACCOUNT = new RegExp(String.raw`\btieout (?=(?:${OF_ACCOUNT.join('|')})\b)`, 'g')

/** Names the account in each command of a text that works on one, unless the text names it already. */
export const withAccount = (text: string, account: string | undefined): string =>
  account === undefined || text.includes('--account')
    ? text
    : text.replaceAll(COMMAND_OF_ACCOUNT, () => `tieout --account ${shellWord(account)} `)
