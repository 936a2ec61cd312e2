/** Errors as a person reads them: one line with a stable code, what failed, and the next command. */
import { CommanderError } from 'commander'
import { Failure, FAILURES, isFailureCode } from '../domain/failure.ts'

/** A person or the system ended the command. */
export class Interrupted extends Error {
  readonly exit: 130 | 143
  constructor(signal: 'SIGINT' | 'SIGTERM') {
    super(signal)
    this.name = 'Interrupted'
    this.exit = signal === 'SIGINT' ? 130 : 143
  }
}

export interface Told {
  exit: number
  /** Empty where the person knows already. */
  line: string
  /** For a bug: what whoever mends it needs. */
  details?: string
}

/** Turns whatever was thrown into an exit code and one line. */
export function tell(error: unknown): Told {
  if (error instanceof Interrupted) {
    return {
      exit: error.exit,
      line: 'interrupted; what was landed is kept, the same command goes on',
    }
  }
  if (error instanceof CommanderError) return { exit: error.exitCode === 0 ? 0 : 2, line: '' }
  const failure = failureIn(error)
  if (failure === undefined) {
    const what = error instanceof Error ? error.message : String(error)
    return {
      exit: FAILURES.bug.exit,
      line: line('bug', what, FAILURES.bug.remedy),
      details: error instanceof Error ? (error.stack ?? '') : '',
    }
  }
  return {
    exit: FAILURES[failure.code].exit,
    line: line(failure.code, failure.message, failure.remedy),
  }
}

const line = (code: string, what: string, remedy: string) =>
  `error ${code}: ${what.replaceAll(/\s+/g, ' ').trim()}; next: ${remedy}`

/** The Failure itself, or the one that came through Temporal as the cause of a cause. */
function failureIn(error: unknown): Failure | undefined {
  for (let at = error, depth = 0; at instanceof Error && depth < 12; at = at.cause, depth += 1) {
    if (at instanceof Failure) return at
    if (!('type' in at) || typeof at.type !== 'string' || !isFailureCode(at.type)) continue
    const remedy = 'details' in at ? remedyIn(at.details) : undefined
    return new Failure(at.type, at.message, remedy === undefined ? {} : { remedy })
  }
  return undefined
}

function remedyIn(details: unknown): string | undefined {
  const first: unknown = Array.isArray(details) ? details[0] : undefined
  if (typeof first !== 'object' || first === null || !('remedy' in first)) return undefined
  return String(first.remedy)
}
