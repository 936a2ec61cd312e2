/**
 * The decisions on exceptions: assign, waive, resolve and reopen, one act in the audit trail each,
 * which later runs apply.
 */
import type { DuckDBConnection } from '@duckdb/node-api'
import type { BooksActed, ExceptionAct } from '../../domain/books.ts'
import { dateIn } from '../../domain/business-day.ts'
import { Failure } from '../../domain/failure.ts'
import { dayOf, placeOf } from '../../domain/decision-words.ts'
import { nearestHint } from '../../domain/nearest-name.ts'
import type { Settings } from '../../domain/settings.ts'
import { periodsIn } from '../../lake/decisions/periods-and-exports.ts'
import { appendDecision, type AuditEntry } from '../../lake/decisions/audit-trail.ts'
import {
  decisionOn,
  findException,
  type KnownException,
} from '../../lake/results/exception-history.ts'
import { actedBy } from './act-receipt.ts'
import { refuseOtherRow } from './refuse-other-row.ts'

/**
 * Acts in the caller's transaction. Throws usage for an exception that no run found, or that is
 * resolved.
 */
export async function actOnException(
  connection: DuckDBConnection,
  { settings, trail }: { settings: Settings; trail: readonly AuditEntry[] },
  act: ExceptionAct,
): Promise<BooksActed> {
  const { account, actor, exceptionId, kind, orderId, reason } = act
  const exception = await openException(connection, act)
  const before = decisionOn(trail, act, exception)
  const decision = {
    ...{ account, actor, reason, action: kind, subject: exceptionId },
    detail: { ...detailOf(act, exception), ...clearingOf(settings, act, exception) },
  }
  if (before !== undefined && isSame(before, decision)) return actedBy(before, true)
  refuseOtherRow(act, exception)
  if (kind === 'exception.reopen' && (before?.action ?? kind) === kind) {
    throw new Failure(
      'usage',
      `${inRow(act, 'decision')}there is no decision on the exception ${exceptionId}`,
      {
        remedy: `tieout exceptions show ${exceptionId}`,
      },
    )
  }
  const { clearDate } = decision.detail
  if (clearDate !== undefined) {
    refuseEarlier(act, exception, { date: clearDate, timezone: settings.timezone })
    refuseClosed(trail, act, clearDate)
  }
  return actedBy(await appendDecision(connection, { ...decision, orderId }), false)
}

/** Accounts that prove other totals, so that no person clears a variance to them. */
const PROVING_ACCOUNTS = ['cash_in_transit', 'clearing', 'suspense']

/** The beginning of a message about a cell of the file that asks for the act, such as `row 3, date: `. */
const inRow = ({ row }: ExceptionAct, column: 'clearTo' | 'date' | 'decision' | 'exceptionId') =>
  row === undefined ? '' : `row ${row}, ${column}: `

/** The account and the date for a resolved variance. Throws usage. */
function clearingOf(
  { chartOfAccounts, timezone }: Settings,
  act: ExceptionAct,
  { code, subjectId }: KnownException,
): Record<string, string> {
  const { clear, kind, row } = act
  if (clear === undefined) return {}
  const place = inRow(act, 'clearTo')
  if (kind !== 'exception.resolve' || code !== 'AMOUNT_MISMATCH') {
    const why =
      code === 'AMOUNT_MISMATCH'
        ? 'only resolve clears a variance'
        : `${code} has no variance to clear`
    throw new Failure('usage', `${place}${why}`, {
      remedy:
        row === undefined ? 'leave out --clear-to and --date' : 'leave clearTo and date empty',
    })
  }
  const open = Object.entries(chartOfAccounts).filter(([key]) => !PROVING_ACCOUNTS.includes(key))
  const key = open.find(([name, { account }]) => name === clear.to || account === clear.to)?.[0]
  if (key === undefined) {
    const keys = open.map(([name]) => name)
    const known = [...keys, ...open.map(([, { account }]) => account)]
    throw new Failure(
      'usage',
      `${place}the variance of ${subjectId} can't be cleared to ${clear.to}`,
      {
        remedy: nearestHint(clear.to, known, `name an account of the chart: ${keys.join(', ')}`),
      },
    )
  }
  const clearDate = dayOf(placeOf(row, 'date'), clear.date ?? dateIn(timezone, Date.now()))
  return { clearTo: key, clearDate }
}

/** A variance can't leave suspense before its settlement brings it there. Throws usage. */
function refuseEarlier(
  act: ExceptionAct,
  { subjectId, created_ms }: KnownException,
  { date, timezone }: { date: string; timezone: string },
): void {
  if (created_ms === null) return
  const day = dateIn(timezone, created_ms)
  if (date >= day) return
  throw new Failure(
    'usage',
    `${inRow(act, 'date')}the settlement ${subjectId} is of ${day}, so its variance can't be cleared on ${date}`,
    { remedy: `give ${day} or a later date` },
  )
}

function refuseClosed(trail: readonly AuditEntry[], act: ExceptionAct, date: string): void {
  const period = date.slice(0, 7)
  const known = periodsIn(trail, act.account).find((one) => one.period === period)
  if (known?.state !== 'closed') return
  throw new Failure(
    'period_closed',
    `${inRow(act, 'date')}${period} is closed and takes no new postings`,
    {
      remedy: `give a date in an open period ${act.row === undefined ? 'with --date' : 'in the column date'}`,
    },
  )
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
  throw new Failure('usage', `${inRow(act, 'exceptionId')}${what}`, {
    remedy: act.row === undefined ? 'take an id from tieout exceptions list' : IDS_OF_A_FILE,
  })
}

const IDS_OF_A_FILE =
  'take the id from tieout exceptions export, with its #; a spreadsheet may have dropped leading zeros, or made a number such as 1.23E+15 of it'

/** Stores the amount and the newest event as well, because a decision applies only to what the person saw. */
function detailOf(act: ExceptionAct, exception: KnownException): Record<string, string> {
  const { code, subjectType, subjectId, amountCents, eventSeq } = exception
  return {
    about: `${code} ${subjectType} ${subjectId}`,
    ...(amountCents === null ? {} : { amountCents }),
    ...(eventSeq === null ? {} : { eventSeq }),
    ...(act.to === undefined ? {} : { to: act.to }),
    ...(act.until === undefined ? {} : { until: dayOf(placeOf(act.row, 'until'), act.until) }),
  }
}

type RecordedDecision = Pick<AuditEntry, 'action' | 'actor' | 'detail' | 'reason'>

const isSame = (one: RecordedDecision, other: RecordedDecision) =>
  contentOf(one) === contentOf(other)

const contentOf = ({ action, actor, detail, reason }: RecordedDecision) =>
  JSON.stringify([action, actor, reason, Object.entries({ ...detail, orderId: '' }).sort()])
