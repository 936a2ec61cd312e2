/** The one line that every error is told in. */
import { FAILURES } from '../domain/failure.ts'

/** A stable code, what failed, and the next command to type. */
export const errorLine = (code: string, what: string, remedy: string) =>
  `error ${code}: ${what.replaceAll(/\s+/g, ' ').trim()}; next: ${remedy}`

/** What commander says of a wrong command line, in the form of our other errors. */
export function usageLine(said: string): string {
  return errorLine('usage', said.replace(/^error: /, ''), FAILURES.usage.remedy)
}
