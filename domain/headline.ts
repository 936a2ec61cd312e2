/** The results of a run as one line. */
import type { Headline, ReconcileResult } from './run.ts'

const counted = (n: number, what: string) => `${n.toLocaleString('en')} ${what}`

/** Formats such as `1 break` and `1,200 exceptions`. */
export const countedNoun = (n: number, noun: string) => counted(n, n === 1 ? noun : `${noun}s`)

/** Formats such as `1 break` and `2 breaks`. */
export const breakWords = (breaks: number): string => countedNoun(breaks, 'break')

/** Formats such as `settlements 124: 120 tied, 2 explained, 1 break, 1 pending`. */
export function headlineWords(headline: Headline): string {
  const { settlements, tied, explained, breaks, pending, noData } = headline
  const parts = [
    counted(tied, 'tied'),
    counted(explained, 'explained'),
    breakWords(breaks),
    counted(pending, 'pending'),
    ...(noData > 0 ? [counted(noData, 'no data')] : []),
  ]
  return `settlements ${settlements.toLocaleString('en')}: ${parts.join(', ')}`
}

/** Formats such as `open exceptions: 3 errors, 12 warnings`. */
export function openWords(found: ReconcileResult): string {
  if (Object.keys(found.exceptions).length === 0) return 'no open exceptions'
  return `open exceptions: ${countedNoun(found.openErrors, 'error')}, ${countedNoun(found.openWarnings, 'warning')}`
}
