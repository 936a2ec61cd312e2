/** Errors as a person reads them: one line with a stable code, what failed, and the next command. */
import {
  ApplicationFailure,
  CancelledFailure,
  TerminatedFailure,
  TimeoutFailure,
} from '@temporalio/common'
import { CommanderError } from 'commander'
import { Failure, FAILURES, isFailureCode } from '../../domain/failure.ts'
import { GRPC, grpcStatus } from '../../workers/temporal/connect.ts'
import { errorLine, inOneLine } from './error-line.ts'
import { Interrupted } from './interrupted.ts'
import { type ErrorAnswer } from './error-line.ts'

export interface Told {
  exit: number
  /** Empty where the person knows already. */
  line: string
  /** Absent where nothing failed: a person ended the command. */
  error?: ErrorAnswer
  /** For a bug: what whoever mends it needs. */
  details?: string
}

/** Turns whatever was thrown into an exit code and one line. */
export function tell(error: unknown): Told {
  const causes = [...causesOf(error)]
  // Whoever waited for something else tells of it as of what ended the wait.
  const interrupted = causes.find((cause) => cause instanceof Interrupted)
  if (interrupted !== undefined) {
    return {
      exit: interrupted.exit,
      line: 'interrupted; what was landed is kept, the same command goes on',
    }
  }
  if (error instanceof CommanderError && error.exitCode === 0) return { exit: 0, line: '' }
  const failure = causes.map(failureOf).find((found) => found !== undefined)
  if (failure === undefined && causes.some(isEnded)) {
    return { exit: 130, line: 'the run was ended in Temporal; the same command begins it anew' }
  }
  const { code, message, remedy } = failure ?? new Failure('bug', messageOf(error))
  const answer = { code, message: inOneLine(message), next: remedy }
  const told = { exit: FAILURES[code].exit, line: errorLine(answer), error: answer }
  return code === 'bug' ? { ...told, details: stackOf(causes.at(-1)) } : told
}

/** The same of one account among several, which the line names. */
export function tellOf(account: string, error: unknown): Told {
  const told = tell(error)
  if (told.error === undefined) return told
  const message = `account ${account}: ${told.error.message}`
  return { ...told, line: errorLine({ ...told.error, message }) }
}

/** The error, its cause, the cause of that: what comes through Temporal is wrapped once per workflow. */
function* causesOf(error: unknown): Generator<Error> {
  for (let at = error, depth = 0; at instanceof Error && depth < 12; at = at.cause, depth += 1) {
    yield at
  }
}

/** The Failure itself, or what Temporal's errors mean in our codes. */
function failureOf(error: Error): Failure | undefined {
  if (error instanceof Failure) return error
  if (error instanceof CommanderError) return new Failure('usage', usageOf(error))
  const status = grpcStatus(error)
  if (status === GRPC.unavailable || status === GRPC.deadlineExceeded) {
    return new Failure('temporal_unreachable', 'Temporal stopped answering')
  }
  if (error instanceof TimeoutFailure) {
    return new Failure(
      'worker_missing',
      'the worker that had begun the work was not heard of again',
    )
  }
  const code = error instanceof ApplicationFailure ? (error.type ?? '') : ''
  if (!(error instanceof ApplicationFailure) || !isFailureCode(code)) return undefined
  const remedy = remedyIn(error.details)
  return new Failure(code, error.message, remedy === undefined ? {} : { remedy })
}

/** What commander says of a wrong command line, without its own word for it. */
const usageOf = ({ code, message }: CommanderError) =>
  code === 'commander.help' ? 'no command is named' : message.replace(/^error: /, '')

const isEnded = (error: Error) =>
  error instanceof CancelledFailure || error instanceof TerminatedFailure

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

const stackOf = (error: Error | undefined) => error?.stack ?? ''

function remedyIn(details: unknown): string | undefined {
  const first: unknown = Array.isArray(details) ? details[0] : undefined
  if (typeof first !== 'object' || first === null || !('remedy' in first)) return undefined
  return String(first.remedy)
}
