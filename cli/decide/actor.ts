/** Who acts, and why: asked for by every command that decides something. */
import { Failure } from '../../domain/failure.ts'

const MOST = 200

/** The flag, else TIEOUT_ACTOR. Throws config_missing where neither names anybody. */
export function requiredActor(by: string | undefined): string {
  const actor = actorOf(by)
  if (actor !== undefined) return actor
  throw new Failure(
    'config_missing',
    'TIEOUT_ACTOR is not set, and the command must know who acts',
    {
      remedy: 'name yourself with --by or TIEOUT_ACTOR',
    },
  )
}

/** The same where nobody need be named. Throws usage for what is no name. */
export function actorOf(by: string | undefined): string | undefined {
  const given = by ?? process.env['TIEOUT_ACTOR'] ?? ''
  return given === '' ? undefined : wordsOf('--by', given)
}

/** One line of text as a person typed it. Throws usage for none, for control characters and for more than 200 characters. */
export function wordsOf(flag: string, text: string): string {
  const words = text.trim()
  if (words !== '' && words.length <= MOST && !/\p{Cc}/u.test(words)) return words
  throw new Failure('usage', `${flag} takes 1 to ${MOST} characters on one line`)
}
