/** The words of a decision, as a person typed them: flags of a command, cells of a file, or fields of a form. */
import type { ExceptionAct } from './books.ts'
import { dateIn, isDate } from './business-day.ts'
import { Failure } from './failure.ts'
import type { Settings } from './settings.ts'

export type Verb = 'assign' | 'reopen' | 'resolve' | 'waive'

/** The parts of a decision, as flags or as cells of a file. */
export interface DecisionWords {
  reason: string
  to?: string
  until?: string
  clearTo?: string
  date?: string
}

/** Makes the act. Throws usage for a value that the decision can't take. */
export function actOf(
  settings: Settings,
  { verb, exceptionId, actor }: { verb: Verb; exceptionId: string; actor: string },
  words: DecisionWords,
): ExceptionAct {
  const { to, until, clearTo, date } = words
  if (until !== undefined && !isDate(until)) {
    throw new Failure('usage', `--until ${until} is not a date such as 2026-12-31`)
  }
  refusePast(settings, until)
  return {
    ...{ kind: `exception.${verb}`, account: settings.account, actor, exceptionId },
    reason: wordsOf('--reason', words.reason),
    ...(to === undefined ? {} : { to: wordsOf('--to', to) }),
    ...(until === undefined ? {} : { until }),
    ...(clearTo === undefined ? {} : { clear: clearOf(clearTo, date) }),
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

const MOST = 200

/**
 * Checks a line of text that a person typed. Throws usage if it is empty, has control characters or
 * exceeds 200 characters.
 */
export function wordsOf(flag: string, text: string): string {
  const words = text.trim()
  if (words !== '' && words.length <= MOST && !/\p{Cc}/u.test(words)) return words
  throw new Failure('usage', `${flag} takes 1 to ${MOST} characters on one line`)
}
