/**
 * The translation of failures for Temporal: the type is the stable code, the message is the one
 * sentence.
 */
import { ApplicationFailure, CancelledFailure } from '@temporalio/common'
import { Failure } from '../../domain/failure.ts'

/** The waits after each attempt but the last, for a lake that does not answer: about five minutes together. */
export const LAKE_WAITS = [
  '5 seconds',
  '20 seconds',
  '60 seconds',
  '90 seconds',
  '120 seconds',
] as const

/** The attempt of an activity, counted from 1. */
export interface Attempt {
  attempt: number
  cancelled?: AbortSignal
}

/**
 * Runs an activity. Any error leaves as an ApplicationFailure without a cause, which could quote
 * data. After `cancelled` is set every error counts as the cancellation: an interrupted query is no
 * bug, and Temporal retries it.
 */
export async function withFailures<T>(
  work: () => Promise<T>,
  { attempt, cancelled }: Attempt,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (cancelled?.aborted === true && cancelled.reason instanceof CancelledFailure) {
      throw cancelled.reason
    }
    throw carried(error, attempt)
  }
}

function carried(error: unknown, attempt: number): Error {
  if (error instanceof CancelledFailure || error instanceof ApplicationFailure) return error
  if (error instanceof Failure) {
    const wait = error.code === 'lake_lost' ? LAKE_WAITS[attempt - 1] : undefined
    return ApplicationFailure.create({
      type: error.code,
      message: error.message,
      nonRetryable: !error.retry,
      ...(wait === undefined ? {} : { nextRetryDelay: wait }),
      details: [{ remedy: error.ownRemedy }],
    })
  }
  const name = error instanceof Error ? error.name : typeof error
  const message = error instanceof Error ? error.message : 'unknown error'
  // A database message quotes the faulty value, which must stay out.
  const first = (message.split('\n')[0] ?? '').replaceAll(/(["'`]).*?\1/g, '...')
  const bug = ApplicationFailure.nonRetryable(`${name}: ${first}`.slice(0, 500), 'bug')
  // The stack helps the engineer who fixes the bug. Its frames are lines of our code and contain no data.
  bug.stack = [bug.message, ...framesOf(error)].join('\n')
  return bug
}

const framesOf = (error: unknown): string[] =>
  error instanceof Error
    ? (error.stack ?? '').split('\n').filter((line) => /^ {4}at /.test(line))
    : []
