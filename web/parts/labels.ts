/** The labels of the fields that stand where a command has flags, and the messages of commands in these words. */
import type { Failure } from '../../domain/failure.ts'
import { typed } from '../../cli/shell/typed-command.ts'

export const LABELS = {
  to: 'Assign to',
  until: 'Waive until',
  clearTo: 'Resolve by clearing to this account',
  date: 'Posting date of the clearing',
  reason: 'Reason',
  acceptOpen: 'Reason to close with open blockers',
  least: 'Amount of at least',
  age: 'Days of at least',
} as const

const quoted = (label: string) => `“${label}”`

/** The words for each flag. A flag without a field leads to the command. */
const FOR_FLAG: Readonly<Record<string, string>> = {
  '--to': quoted(LABELS.to),
  '--until': quoted(LABELS.until),
  '--clear-to': quoted(LABELS.clearTo),
  '--date': quoted(LABELS.date),
  '--reason': quoted(LABELS.reason),
  '--accept-open': quoted(LABELS.acceptOpen),
  '--least-amount': quoted(LABELS.least),
  '--least-age': quoted(LABELS.age),
  '--yes': 'the box ticked',
  '--prepared-by': typed('tieout approve --prepared-by'),
}

/** The message of a refusal and its remedy. A page is the way back where a command has a help page. */
export function inFields({ code, message, ownRemedy, remedy }: Failure) {
  const isHelped = code === 'usage' && ownRemedy === undefined
  const next = isHelped ? 'go back, and correct what the page asked for' : typed(remedy)
  return { message: withLabels(message), remedy: withLabels(next) }
}

/** Names fields in place of flags. A command inside the text stays as it has to be typed. */
export const withLabels = (text: string): string =>
  text.replaceAll(
    /(\btieout [^,;:]*)|--[a-z-]+/g,
    (whole: string, command?: string) => command ?? FOR_FLAG[whole] ?? whole,
  )
