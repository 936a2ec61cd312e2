/** The error reports for people: one line with a stable code, the failure and the next command. */
import {
  ApplicationFailure,
  CancelledFailure,
  TerminatedFailure,
  TimeoutFailure,
} from '@temporalio/common'
import { CommanderError } from 'commander'
import { Failure, FAILURES, isFailureCode } from '../../domain/failure.ts'
import { GRPC, grpcStatus } from '../../workers/temporal/grpc-status.ts'
import { errorLine, inOneLine, type ErrorAnswer } from './error-line.ts'
import { Interrupted } from './interrupted.ts'
import { typed, withAccount } from './typed-command.ts'

export interface ErrorReport {
  exit: number
  /** Empty if the person knows already. */
  line: string
  /** Absent if no failure occurred: a person ended the command. */
  error?: ErrorAnswer
  /** The stack of a bug, for its report. */
  details?: string
}

/** The commands that only a signal ends, so that nothing of them is left to continue. */
const LASTING = ['open', 'simulate', 'worker']

/** The commands that make a file or a folder, which appears when it is complete. The next call finds it there. */
const MAKING: Readonly<Record<string, string>> = {
  init: 'interrupted; if the file is there, it is complete',
  maintain:
    'interrupted; the same command continues; if the folder of a backup is there, the backup is complete',
}

/**
 * Turns any thrown value into an exit code and one line. `command` is the command as typed, such as `periods close`, and
 * `account` its account, if the person typed one.
 */
export function reportOf(error: unknown, command = '', account?: string): ErrorReport {
  const causes = [...causesOf(error)]
  // An interruption explains every failure that followed from it.
  const interrupted = causes.find((cause) => cause instanceof Interrupted)
  if (interrupted !== undefined) {
    return { exit: interrupted.exit, line: interruptedLine(command, interrupted) }
  }
  if (error instanceof CommanderError && error.exitCode === 0) return { exit: 0, line: '' }
  const failure = failureBehind(error)
  if (failure === undefined && causes.some(isEnded)) {
    return { exit: 130, line: 'the run was stopped in Temporal; the same command starts it again' }
  }
  const { code, message, ownRemedy, remedy } = failure ?? new Failure('bug', messageOf(error))
  const isHelped = code === 'usage' && ownRemedy === undefined
  const next = typed(isHelped ? helpOf(command) : withAccount(remedy, account))
  const answer = { code, message: inOneLine(message), next }
  const report = { exit: FAILURES[code].exit, line: errorLine(answer), error: answer }
  return code === 'bug' ? { ...report, details: stackOf(causes.at(-1)) } : report
}

const helpOf = (command: string) => ['tieout', command, '--help'].filter(Boolean).join(' ')

function interruptedLine(command: string, { goesOn }: Interrupted): string {
  const [name = ''] = command.split(' ')
  if (goesOn && name === 'backfill') {
    return typed(
      'interrupted; the worker goes on with the backfill; the same command waits for it again; tieout backfill cancel ends it',
    )
  }
  if (goesOn) {
    return 'interrupted; the worker goes on with the run, and publishes its pack; the same command waits for it again'
  }
  if (LASTING.includes(name)) return 'interrupted'
  return MAKING[name] ?? 'interrupted; landed records are saved, and the same command continues'
}

/** Reports the error of one account among several; the line names the account. */
export function accountReportOf(account: string, error: unknown): ErrorReport {
  const report = reportOf(error, '', account)
  if (report.error === undefined) return report
  const message = `account ${account}: ${report.error.message}`
  return { ...report, line: errorLine({ ...report.error, message }) }
}

/** The failure that an error stands for, also if it crossed a workflow. */
export const failureBehind = (error: unknown): Failure | undefined =>
  [...causesOf(error)].map(failureOf).find((found) => found !== undefined)

/** The error with its chain of causes. Temporal wraps an error once per workflow. */
function* causesOf(error: unknown): Generator<Error> {
  for (let at = error, depth = 0; at instanceof Error && depth < 12; at = at.cause, depth += 1) {
    yield at
  }
}

/** The Failure itself, or the Failure that an error of Temporal stands for. */
function failureOf(error: Error): Failure | undefined {
  if (error instanceof Failure) return error
  if (error instanceof CommanderError) return new Failure('usage', usageOf(error), missingIn(error))
  const status = grpcStatus(error)
  if (status === GRPC.unavailable || status === GRPC.deadlineExceeded) {
    return new Failure('temporal_unreachable', 'Temporal stopped answering')
  }
  if (error instanceof TimeoutFailure) {
    return new Failure('worker_missing', 'the worker that started the work stopped responding')
  }
  const code = error instanceof ApplicationFailure ? (error.type ?? '') : ''
  if (!(error instanceof ApplicationFailure) || !isFailureCode(code)) return undefined
  return new Failure(code, error.message, { remedy: remedyIn(error.details) })
}

/** The message of commander without its prefix. */
const usageOf = ({ code, message }: CommanderError) =>
  code === 'commander.help' ? 'no command is given' : message.replace(/^error: /, '')

/** Names a flag that is required and not given. */
function missingIn({ code, message }: CommanderError): { remedy?: string } {
  const [, flag] = /'(.+)'/.exec(message) ?? []
  return code === 'commander.missingMandatoryOptionValue' && flag !== undefined
    ? { remedy: `add ${flag}` }
    : {}
}

const isEnded = (error: Error) =>
  error instanceof CancelledFailure || error instanceof TerminatedFailure

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

const stackOf = (error: Error | undefined) => error?.stack ?? ''

function remedyIn(details: unknown): string | undefined {
  const first: unknown = Array.isArray(details) ? details[0] : undefined
  if (typeof first !== 'object' || first === null || !('remedy' in first)) return undefined
  return typeof first.remedy === 'string' ? first.remedy : undefined
}
