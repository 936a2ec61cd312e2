/** The actor and the reason, which every decision needs. */
import { wordsOf } from '../../domain/decision-words.ts'
import { Failure } from '../../domain/failure.ts'

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
