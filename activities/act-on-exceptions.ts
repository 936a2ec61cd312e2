/** Assigns, waives, resolves and reopens exceptions: one act in the audit trail each, which later runs heed. */
import type { DuckDBConnection } from '@duckdb/node-api'
import type { BooksActed, ExceptionAct } from '../domain/books.ts'
import { isDate } from '../domain/business-day.ts'
import { Failure } from '../domain/failure.ts'
import { appendDecision, readTrail, type AuditEntry } from '../lake/audit.ts'
import { decisionOn, findException, type KnownException } from '../lake/exceptions.ts'
import { actedBy } from './acted-by.ts'

/** Acts in the caller's transaction. Throws usage for an exception that no run found, or that is gone. */
export async function actOnException(
  connection: DuckDBConnection,
  act: ExceptionAct,
): Promise<BooksActed> {
  const { account, actor, exceptionId, kind, reason } = act
  const exception = await openException(connection, act)
  const before = decisionOn(await readTrail(connection), act, exception)
  const decision = {
    ...{ account, actor, reason, action: kind, subject: exceptionId },
    detail: detailOf(act, exception),
  }
  if (before !== undefined && isSame(before, decision)) return actedBy(before, true)
  if (kind === 'exception.reopen' && (before?.action ?? kind) === kind) {
    throw new Failure('usage', `nothing was decided about the exception ${exceptionId}`)
  }
  return actedBy(await appendDecision(connection, decision), false)
}

async function openException(
  connection: DuckDBConnection,
  act: ExceptionAct,
): Promise<KnownException> {
  const exception = await findException(connection, act)
  if (exception?.isFound === true) return exception
  const { exceptionId, account } = act
  const what =
    exception === undefined
      ? `no run of ${account} found an exception ${exceptionId}`
      : `the exception ${exceptionId} is resolved: the newest run no longer found it`
  throw new Failure('usage', what, { remedy: 'take an id from tieout exceptions list' })
}

/** What it was about is kept too: a decision holds for the amount that somebody decided about. */
function detailOf(act: ExceptionAct, exception: KnownException): Record<string, string> {
  const { code, subjectType, subjectId, amountCents } = exception
  return {
    about: `${code} ${subjectType} ${subjectId}`,
    ...(amountCents === null ? {} : { amountCents }),
    ...(act.to === undefined ? {} : { to: act.to }),
    ...(act.until === undefined ? {} : { until: lastDay(act.until) }),
  }
}

function lastDay(until: string): string {
  if (isDate(until)) return until
  throw new Failure('usage', `--until ${until} is no date such as 2026-12-31`)
}

type Told = Pick<AuditEntry, 'action' | 'actor' | 'detail' | 'reason'>

const isSame = (one: Told, other: Told) => contentOf(one) === contentOf(other)

const contentOf = ({ action, actor, detail, reason }: Told) =>
  JSON.stringify([action, actor, reason, Object.entries(detail).sort()])
