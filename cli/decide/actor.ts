/** The actor and the reason, which every decision needs. */
import { Failure } from '../../domain/failure.ts'

const MOST = 200

/** Returns --by, else TIEOUT_ACTOR. Throws config_missing if both are empty. */
export function requiredActor(by: string | undefined): string {
  const actor = actorOf(by)
  if (actor !== undefined) return actor
  throw new Failure('config_missing', 'TIEOUT_ACTOR is not set, and the command needs your name', {
    remedy: 'give your name with --by or TIEOUT_ACTOR',
  })
}

/** Returns the same, or undefined if no name is given. Throws usage for an invalid name. */
export function actorOf(by: string | undefined): string | undefined {
  const given = by ?? process.env['TIEOUT_ACTOR'] ?? ''
  return given === '' ? undefined : wordsOf('--by', given)
}

/**
 * Checks a line of text that a person typed. Throws usage if it is empty, has control characters or
 * exceeds 200 characters.
 */
export function wordsOf(flag: string, text: string): string {
  const words = text.trim()
  if (words !== '' && words.length <= MOST && !/\p{Cc}/u.test(words)) return words
  throw new Failure('usage', `${flag} takes 1 to ${MOST} characters on one line`)
}
