/** Reports the state of an account, for the command `status` and for the metrics. */
import type { DuckDBConnection } from '@duckdb/node-api'
import { addDays, dateIn, instantsOf, startOfDay } from '../domain/business-day.ts'
import type { Settings } from '../domain/settings.ts'
import { atOneInstant } from '../lake/connection/transact.ts'
import {
  importStatus,
  lakeStatus,
  newestRun,
  sweepStatus,
  type ImportStatus,
  type LakeStatus,
  type RunStatus,
  type SweepStatus,
} from '../lake/results/status.ts'
import {
  latestPublication,
  publishedNights,
  type Publication,
  type PublishedNights,
} from '../lake/results/publications.ts'
import { openExceptions, type OpenExceptions } from './count-open-exceptions.ts'

export interface AccountStatus extends OpenExceptions {
  account: string
  currency: string
  /** The zone of the business day. */
  timezone: string
  /** The pack that OUT/<account>/latest names. */
  pack: Publication | undefined
  /** Recent business dates whose night left no pack, within the last `NIGHTS` days and after the first pack. */
  nightsMissing: readonly string[]
  lastRun: RunStatus | undefined
  sweeps: readonly SweepStatus[]
  imports: readonly ImportStatus[]
}

/** The number of past nights that are checked. */
const NIGHTS = 7
/** A night without a pack counts as missed after this time. */
const GRACE_MS = 2 * 3_600_000

/** Reads the status of every account and of their lake, all as of one instant. */
export const statusOf = (
  connection: DuckDBConnection,
  accounts: readonly Settings[],
  now_ms: number,
): Promise<{ accounts: AccountStatus[]; lake: LakeStatus }> =>
  atOneInstant(connection, async () => {
    const found: AccountStatus[] = []
    for (const settings of accounts) found.push(await accountStatus(connection, settings, now_ms))
    return { accounts: found, lake: await lakeStatus(connection) }
  })

/** Reads the status of one account; `now_ms` decides which nights are due. */
export async function accountStatus(
  connection: DuckDBConnection,
  settings: Settings,
  now_ms: number,
): Promise<AccountStatus> {
  const { account, currency, timezone } = settings
  const pack = await latestPublication(connection, account)
  return {
    ...{ account, currency, timezone, pack },
    nightsMissing: missing(settings, await publishedNights(connection, account), now_ms),
    lastRun: await newestRun(connection, account),
    sweeps: await sweepStatus(connection, account),
    imports: await importStatus(connection, account),
    ...(await openExceptions(connection, settings, pack)),
  }
}

/** The status of an account for which nothing has landed yet. */
export const nothingYet = ({ account, currency, timezone }: Settings): AccountStatus => ({
  ...{ account, currency, timezone },
  ...{ pack: undefined, nightsMissing: [], lastRun: undefined, sweeps: [], imports: [] },
  ...{ exceptions: [], quarantined: 0, exposure: undefined },
})

/** Returns the dates of missed nights. An account can't have missed a night before its first pack was published. */
function missing(
  settings: Settings,
  { dates, since_ms = Infinity }: PublishedNights,
  now_ms: number,
): string[] {
  const today = dateIn(settings.timezone, now_ms)
  return Array.from({ length: NIGHTS + 1 }, (_, back) => addDays(today, back - NIGHTS)).filter(
    (date) => {
      const due_ms = dueAt(settings, date)
      return !dates.includes(date) && due_ms <= now_ms && due_ms > since_ms
    },
  )
}

function dueAt({ timezone, scheduleAt }: Settings, date: string): number {
  const [at_ms] = instantsOf(timezone, date, scheduleAt)
  // If the clocks skip the scheduled time on this date, the night is due at the end of the day.
  return (at_ms ?? startOfDay(timezone, addDays(date, 1))) + GRACE_MS
}
