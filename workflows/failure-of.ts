import { ApplicationFailure, TimeoutFailure } from '@temporalio/workflow'

/**
 * The innermost cause of a child's or an activity's failure, as our stable code and its sentence.
 */
export function failureOf(error: unknown): { code: string; what: string } {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at instanceof ApplicationFailure) {
      return { code: at.type ?? 'bug', what: at.message }
    }
    if (at instanceof TimeoutFailure) {
      return { code: 'worker_missing', what: 'the worker that started the work was lost' }
    }
  }
  return { code: 'bug', what: 'a step failed without a reason' }
}
