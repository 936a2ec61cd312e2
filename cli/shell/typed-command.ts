/** The commands as a person types them: by their name, or by npx in a checkout. */
import { isCheckout } from '../../lake/connection/package-root.ts'

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
