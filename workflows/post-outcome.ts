/** Messages to the webhook. A lost message never changes the outcome of a run. */
import { type CancellationScope, sleep } from '@temporalio/workflow'
import type { Outcome } from '../domain/webhook.ts'
import { postOutcome } from './activity-options.ts'

export const post = (outcome: Outcome): Promise<void> => postOutcome(outcome).catch(() => {})

/** Posts the outcome of that time after so many milliseconds, unless `waiting` is cancelled before. `isPosted` follows. */
export function postIfLate(
  waiting: CancellationScope,
  late: { outcome: () => Outcome; isPosted?: () => void },
  lateAfter_ms: number,
): void {
  waiting
    .run(async () => {
      await sleep(lateAfter_ms)
      await post(late.outcome())
      late.isPosted?.()
    })
    .catch(() => {})
}
