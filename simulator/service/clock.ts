/** The simulated clock, and the state of the world at its instant: the lists and the truth. */
import { Failure } from '../../domain/failure.ts'
import { type ListReader, listsAt } from './lists.ts'
import type { Moment } from '../world/moment.ts'
import { instantText, secondsOf } from '../world/time.ts'
import { groundTruth, type Truth } from '../world/truth.ts'

export interface Clock {
  moment(): Moment
  /** Returns the same lists until the clock moves. */
  lists(): ListReader
  /** As `2026-11-21T00:00:00Z`. */
  now(): string
  /** Moves the clock; it never goes back. */
  advanceTo(instant: string): void
  truth(): Truth
}

export function startClock(start: Moment): Clock {
  let moment = start
  let lists = listsAt(moment)
  const now = () => instantText(moment.now)
  return {
    moment: () => moment,
    lists: () => lists,
    now,
    advanceTo: (instant) => {
      const wanted = secondsOf(instant)
      if (wanted < moment.now)
        throw new Failure('usage', `the simulated clock is already past ${instant}`)
      if (wanted === moment.now) return
      moment = { ...moment, now: wanted }
      lists = listsAt(moment)
    },
    truth: () => groundTruth(moment.world, now(), moment.options),
  }
}
