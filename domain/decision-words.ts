/** The words of a decision, as a person typed them: flags of a command, cells of a file, or fields of a form. */
import type { ExceptionAct } from './books.ts'
import { dateIn, isDate, refuseFarAhead } from './business-day.ts'
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

const FLAGS = {
  reason: '--reason',
  to: '--to',
  until: '--until',
  clearTo: '--clear-to',
  date: '--date',
}

/** The beginning of a message about a part of a decision: the flag, or the cell in a row such as `row 3, until:`. */
export const placeOf = (row: number | undefined, part: keyof DecisionWords): string =>
  row === undefined ? FLAGS[part] : `row ${row}, ${part}:`

type Part = Exclude<keyof DecisionWords, 'reason'>

/** The decision that takes each part. */
const TAKEN_BY: Readonly<Record<Part, Verb>> = {
  to: 'assign',
  until: 'waive',
  clearTo: 'resolve',
  date: 'resolve',
}

/** The names of the parts of a decision beside its reason. */
export const DECISION_PARTS = Object.keys(TAKEN_BY) as Part[]

/** Refuses a part that would have no effect, because the person who gave it expects one. Throws usage. */
function refuseUnused(verb: Verb, row: number | undefined, words: DecisionWords): void {
  const unused = DECISION_PARTS.find((part) => words[part] !== undefined && TAKEN_BY[part] !== verb)
  if (unused !== undefined) {
    const taker = TAKEN_BY[unused]
    throw new Failure('usage', `${placeOf(row, unused)} belongs to ${taker}, not to ${verb}`, {
      remedy: `choose ${taker}, or leave it empty`,
    })
  }
  if (words.date === undefined || words.clearTo !== undefined) return
  const account = row === undefined ? FLAGS.clearTo : 'clearTo'
  throw new Failure(
    'usage',
    `${placeOf(row, 'date')} is the posting date of a clearing, and ${account} is missing`,
    { remedy: 'name the account to clear to, or leave out the date' },
  )
}

/** Makes the act; `row` is that of the file. Throws usage for a value that the decision can't take. */
export function actOf(
  settings: Settings,
  about: { verb: Verb; exceptionId: string; actor: string; row?: number },
  words: DecisionWords,
): ExceptionAct {
  const { verb, exceptionId, actor, row } = about
  const { to, until, clearTo, date } = words
  const place = (part: keyof DecisionWords) => placeOf(row, part)
  refuseUnused(verb, row, words)
  if (until !== undefined) refusePast(settings, dayOf(place('until'), until), place('until'))
  if (date !== undefined) {
    // No pack of the coming months would show the entry.
    refuseFarAhead(place('date'), dayOf(place('date'), date), dateIn(settings.timezone, Date.now()))
  }
  return {
    ...{ kind: `exception.${verb}`, account: settings.account, actor, exceptionId },
    reason: wordsOf(place('reason'), words.reason),
    ...(row === undefined ? {} : { row }),
    ...(to === undefined ? {} : { to: wordsOf(place('to'), to) }),
    ...(until === undefined ? {} : { until }),
    ...(clearTo === undefined
      ? {}
      : {
          clear: {
            to: wordsOf(place('clearTo'), clearTo),
            ...(date === undefined ? {} : { date }),
          },
        }),
  }
}

/** Returns the day as typed. Throws usage. */
export function dayOf(place: string, text: string): string {
  if (isDate(text)) return text
  throw new Failure('usage', `${place} ${text} is not a date such as 2026-12-31`, {
    remedy: 'write the day as 2026-12-31',
  })
}

/** Refuses a waiver that would end at once. Throws usage. */
function refusePast({ timezone }: Settings, until: string, place: string): void {
  const today = dateIn(timezone, Date.now())
  if (until >= today) return
  throw new Failure('usage', `${place} ${until} is past: today is ${today} in ${timezone}`, {
    remedy: `write a day that is not before ${today}`,
  })
}

const MOST = 200

/**
 * Checks a line of text that a person typed. Throws usage if it is empty, has control characters or
 * exceeds 200 characters.
 */
export function wordsOf(place: string, text: string): string {
  const words = text.trim()
  if (words !== '' && words.length <= MOST && !/\p{Cc}/u.test(words)) return words
  throw new Failure('usage', `${place} takes 1 to ${MOST} characters on one line`, {
    remedy: `write a text of at most ${MOST} characters`,
  })
}
