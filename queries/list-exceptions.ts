/** Lists the exceptions of the newest run, with later decisions, and shows the history of one exception. */
import type { DuckDBConnection } from '@duckdb/node-api'
import { Failure } from '../domain/failure.ts'
import type { Settings } from '../domain/settings.ts'
import { readTrail } from '../lake/decisions/audit-trail.ts'
import { macros, makeNextSteps, readModel } from '../lake/run/models.ts'
import { readLake } from '../lake/connection/read-lake.ts'
import { hasSettlement } from './has-settlement.ts'

/** The exceptions to list. An absent field does not filter. */
export interface ExceptionFilter {
  codes?: readonly string[]
  severity?: string
  states?: readonly string[]
  terminal?: string
  /** Selects exceptions about a settlement, or about a transaction in it. */
  settlement?: string
  assignee?: string
  /** Compared with the absolute amount. */
  leastAmountCents?: bigint
  leastAgeDays?: number
  /** Selects exceptions that were first found, or found again, since the newest run of an earlier business day. */
  isNew?: boolean
}

/** A row of exceptions.csv, with all later decisions applied. */
export interface ListedException {
  exceptionId: string
  code: string
  severity: string
  certainty: string | null
  subjectType: string
  subjectId: string
  terminalId: string | null
  amount: string | null
  detail: string | null
  firstSeen: string
  lastSeen: string
  ageDays: number | null
  state: string
  stateBy: string | null
  stateReason: string | null
  assignee: string | null
  /** The likely cause of this exception, in the words of worklist.csv. */
  cause: string | null
  terminalName: string | null
}

/** The listed exceptions, and the time as of which the newest run judged them. */
export interface Listing {
  asOf: string
  exceptions: ListedException[]
}

export interface ExceptionEvent {
  at: string
  /** found, changed, happened again, gone, found again, or assign, waive, resolve, reopen. */
  what: string
  by: string | null
  reason: string | null
  amount: string | null
}

/** Lists errors first, then by code and subject. Throws usage if no run has recorded exceptions yet. */
export async function listExceptions(
  settings: Settings,
  filter: ExceptionFilter,
): Promise<ListedException[]> {
  return reading(settings, (connection) => listedOn(connection, settings, filter))
}

/** The same list with its time. */
export const readListing = (settings: Settings, filter: ExceptionFilter): Promise<Listing> =>
  reading(settings, (connection) => listingOn(connection, settings, filter))

/** The same on an open connection. */
export async function listingOn(
  connection: DuckDBConnection,
  settings: Settings,
  filter: ExceptionFilter,
): Promise<Listing> {
  const exceptions = await listedOn(connection, settings, filter)
  const reader = await connection.runAndReadAll(`select instant(getvariable('as_of'))`)
  return { asOf: String(reader.getRows()[0]?.[0]), exceptions }
}

/** Returns the current state of an exception, and its history. Throws usage for an id that no run found. */
export async function showException(
  settings: Settings,
  exceptionId: string,
): Promise<{ exception: ListedException | undefined; history: ExceptionEvent[] }> {
  return reading(settings, (connection) => shownOn(connection, settings, exceptionId))
}

/** The same on an open connection. */
export async function shownOn(
  connection: DuckDBConnection,
  settings: Settings,
  exceptionId: string,
): Promise<{ exception: ListedException | undefined; history: ExceptionEvent[] }> {
  const history = await historyOf(connection, settings.account, exceptionId)
  const every_one = await listedOn(connection, settings, {})
  const exception = every_one.find((one) => one.exceptionId === exceptionId)
  if (exception !== undefined || history.length > 0) return { exception, history }
  const [about] = every_one.filter(({ subjectId }) => subjectId === exceptionId)
  const isSettlement = await hasSettlement(connection, settings.account, exceptionId)
  throw new Failure('usage', `no run of ${settings.account} found an exception ${exceptionId}`, {
    remedy: isSettlement
      ? `it is a settlement: tieout exceptions list --settlement ${exceptionId}`
      : about === undefined
        ? 'take an id from tieout exceptions list'
        : `it is a ${about.subjectType}: tieout exceptions show ${about.exceptionId}`,
  })
}

/** Returns true if the account's part of the lake has the settlement. */
export const holdsSettlement = (settings: Settings, id: string): Promise<boolean> =>
  reading(settings, (connection) => hasSettlement(connection, settings.account, id))

/** Returns the ids of the account's terminals that have this id or this name. */
export const terminalsNamed = (settings: Settings, text: string): Promise<string[]> =>
  reading(settings, async (connection) => {
    const reader = await connection.runAndReadAll(
      `with known as (
         select terminal_id, nick_name from lake.seen.terminal_version where account = $1
         union all select terminal_id, null from lake.seen.settlement_version where account = $1
         union all select terminal_id, null from lake.seen.transaction_version where account = $1)
       select distinct terminal_id::varchar from known
       where terminal_id = try_cast($2 as bigint) or lower(nick_name) = lower(trim($2)) order by all`,
      [settings.account, text],
    )
    return reader.getRows().map(([id]) => String(id))
  })

/** Sets the account's time zone, the macros and the next steps, which the listing and the history of an exception use. */
export async function prepareListing(
  connection: DuckDBConnection,
  { timezone }: Settings,
): Promise<void> {
  await connection.run('set variable timezone = $1::varchar', [timezone])
  await connection.run(macros())
  await makeNextSteps(connection)
}

const reading = <T>(
  settings: Settings,
  work: (connection: DuckDBConnection) => Promise<T>,
): Promise<T> =>
  readLake(settings.lake, async (connection) => {
    await prepareListing(connection, settings)
    return work(connection)
  })

/** Returns the listing as a select. `valuesOf` a filter gives its parameters. */
export const listingSql = (): string => readModel('queries', 'listed_exception').text

/** The same on an open connection. */
export async function listedOn(
  connection: DuckDBConnection,
  settings: Settings,
  filter: ExceptionFilter,
): Promise<ListedException[]> {
  if (!(await atNewestRun(connection, settings))) {
    throw new Failure('usage', `no run of ${settings.account} has looked for exceptions yet`, {
      remedy: 'tieout run',
    })
  }
  const reader = await connection.runAndReadAll(listingSql(), valuesOf(filter))
  const rows = reader.getRowObjectsJson() as unknown as (Omit<ListedException, 'ageDays'> & {
    ageDays: string | null
  })[]
  // Every cell of a stored run is text.
  return rows.map((row) => ({ ...row, ageDays: row.ageDays === null ? null : Number(row.ageDays) }))
}

/**
 * Sets the variables of the newest run that recorded exceptions, and makes the view of its exceptions. Returns false
 * if there is no such run.
 */
export async function atNewestRun(
  connection: DuckDBConnection,
  { account }: Settings,
): Promise<boolean> {
  const newest = await connection.runAndReadAll(
    `select run_id, audit_seq::varchar, as_of::varchar from lake.ops.exception_scan
     where account = $1 order by scan_seq desc limit 1`,
    [account],
  )
  const [runId, auditSeq, asOf] = newest.getRows()[0] ?? []
  if (runId === undefined) return false
  await connection.run('set variable account = $1::varchar', [account])
  await connection.run('set variable run_id = $1::varchar', [String(runId)])
  await connection.run('set variable audit_seq = $1::bigint', [String(auditSeq)])
  await connection.run('set variable as_of = $1::timestamp', [String(asOf)])
  await connection.run(
    `create or replace temp view stored_exception as ${readModel('queries', 'stored_exception').text}`,
  )
  return true
}

/** The parameters of the listing. */
export const valuesOf = ({ codes, states, ...filter }: ExceptionFilter) => [
  ...[codes?.join(','), filter.severity, states?.join(',')].map((value) => value ?? null),
  ...[filter.terminal, filter.assignee, filter.settlement].map((value) => value ?? null),
  filter.leastAmountCents ?? null,
  filter.leastAgeDays ?? null,
  filter.isNew ?? false,
]

/** Returns the findings of runs and the decisions of people, in the order in which they were written. */
async function historyOf(
  connection: DuckDBConnection,
  account: string,
  exceptionId: string,
): Promise<ExceptionEvent[]> {
  // The trail is checked first, so that no altered act is shown.
  await readTrail(connection)
  const reader = await connection.runAndReadAll(readModel('queries', 'exception_change').text, [
    account,
    exceptionId,
  ])
  return reader.getRowObjectsJson() as unknown as ExceptionEvent[]
}
