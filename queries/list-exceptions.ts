/** The exceptions that the newest run left, with what was decided since; and the history of one. */
import type { DuckDBConnection } from '@duckdb/node-api'
import { Failure } from '../domain/failure.ts'
import type { Settings } from '../domain/settings.ts'
import { readTrail } from '../lake/decisions/audit-trail.ts'
import { macros, readModel } from '../lake/run/models.ts'
import { openLake } from '../lake/connection/open.ts'

/** What to list; what is not named does not matter. */
export interface ExceptionFilter {
  codes?: readonly string[]
  severity?: string
  states?: readonly string[]
  terminal?: string
  /** Exceptions about a settlement, or about a transaction that is in it. */
  settlement?: string
  assignee?: string
  /** Of either sign. */
  leastAmountCents?: bigint
  leastAgeDays?: number
  /** Found, or found again, since the newest run of an earlier business day. */
  isNew?: boolean
}

/** A row of exceptions.csv, as it stands after all that was decided since. */
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
}

export interface ExceptionEvent {
  at: string
  /** found, changed, gone, or assign, waive, resolve, reopen. */
  what: string
  by: string | null
  reason: string | null
  amount: string | null
}

/** Errors first, then by code and subject. Throws usage where no run has looked yet. */
export async function listExceptions(
  settings: Settings,
  filter: ExceptionFilter,
): Promise<ListedException[]> {
  return reading(settings, (connection) => listed(connection, settings, filter))
}

/** One exception as it stands, and everything that happened to it. Throws usage for an id that no run found. */
export async function showException(
  settings: Settings,
  exceptionId: string,
): Promise<{ exception: ListedException | undefined; history: ExceptionEvent[] }> {
  return reading(settings, async (connection) => {
    const history = await historyOf(connection, settings.account, exceptionId)
    const every_one = await listed(connection, settings, {})
    const exception = every_one.find((one) => one.exceptionId === exceptionId)
    if (exception !== undefined || history.length > 0) return { exception, history }
    throw new Failure('usage', `no run of ${settings.account} found an exception ${exceptionId}`, {
      remedy: 'take an id from tieout exceptions list',
    })
  })
}

/** What the listing and the history of an exception use: the account's zone, and the macros. */
export async function prepareListing(
  connection: DuckDBConnection,
  { timezone }: Settings,
): Promise<void> {
  await connection.run('set variable timezone = $1::varchar', [timezone])
  await connection.run(macros())
}

async function reading<T>(
  settings: Settings,
  work: (connection: DuckDBConnection) => Promise<T>,
): Promise<T> {
  const lake = await openLake(settings.lake, { create: false })
  try {
    const connection = await lake.connect()
    await prepareListing(connection, settings)
    return await work(connection)
  } finally {
    lake.close()
  }
}

/** The listing as a select; its parameters are `valuesOf` a filter. */
export const listingSql = (): string => readModel('queries', 'listed_exception').text

async function listed(
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

/** Points the listing at the newest run that looked for exceptions; false where none has yet. */
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

/** What runs found and what people decided, in the order in which it was written. */
async function historyOf(
  connection: DuckDBConnection,
  account: string,
  exceptionId: string,
): Promise<ExceptionEvent[]> {
  // Nobody may be shown an act that was changed.
  await readTrail(connection)
  const reader = await connection.runAndReadAll(readModel('queries', 'exception_change').text, [
    account,
    exceptionId,
  ])
  return reader.getRowObjectsJson() as unknown as ExceptionEvent[]
}
