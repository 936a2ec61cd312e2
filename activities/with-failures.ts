/** Carries our failures over to Temporal: the type is the stable code, the message is the one sentence. */
import { ApplicationFailure, CancelledFailure } from '@temporalio/common'
import { Failure, FAILURES } from '../domain/failure.ts'

/** Runs an activity; whatever it throws leaves as an ApplicationFailure without a cause, which could quote data. */
export async function withFailures<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw carried(error)
  }
}

function carried(error: unknown): Error {
  if (error instanceof CancelledFailure || error instanceof ApplicationFailure) return error
  if (error instanceof Failure) {
    return ApplicationFailure.create({
      type: error.code,
      message: error.message,
      nonRetryable: !FAILURES[error.code].retry,
      details: [{ remedy: error.remedy }],
      ...(error.retry_after_ms === undefined ? {} : { nextRetryDelay: error.retry_after_ms }),
    })
  }
  const name = error instanceof Error ? error.name : typeof error
  const message = error instanceof Error ? error.message : 'unknown error'
  return ApplicationFailure.nonRetryable(`${name}: ${message}`.slice(0, 500), 'bug')
}
