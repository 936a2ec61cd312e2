/**
 * The command `status`: shows the age of each account's data, its open exceptions and running work,
 * as the metrics do.
 */
import { nothingYet, statusOf, type AccountStatus } from '../../queries/account-status.ts'
import { Failure } from '../../domain/failure.ts'
import type { Settings } from '../../domain/settings.ts'
import type { LakeStatus } from '../../lake/results/status.ts'
import { NoLake } from '../../lake/connection/open.ts'
import { readLake } from '../../lake/connection/read-lake.ts'
import { aborted } from '../../workers/temporal/aborted.ts'
import { readAccounts } from '../../workers/config/settings.ts'
import type { Context } from '../shell/context.ts'
import type { ErrorReport } from '../shell/failures.ts'
import { wholeNumberFlag } from '../shell/number-flag.ts'
import { runsNow, type Reached } from './runs-now.ts'
import { accountJson, accountLines, lakeLine, temporalLine } from './text.ts'

/** The state of the lake, or the reason why it can't be read. */
export type Read =
  | { accounts: AccountStatus[]; lake: LakeStatus | undefined }
  | { failed: ErrorReport }

export async function statusCommand(context: Context, flags: { maxAge?: string }): Promise<void> {
  const { json, ...settable } = context.flagsOf(flags)
  const maxAge_ms =
    flags.maxAge === undefined ? Infinity : wholeNumberFlag('--max-age', flags.maxAge) * 3_600_000
  const accounts = readAccounts(settable)
  const now_ms = Date.now()
  const looking = Promise.all([readFreshness(accounts, now_ms), runsNow(accounts, context.signal)])
  const [read, reached] = await Promise.race([looking, aborted(context.signal)])
  if (json === true) context.terminal.print(JSON.stringify(jsonOf(read, reached, now_ms)))
  else for (const line of linesOf(read, reached, now_ms)) context.terminal.print(line)
  context.exit(exitOf(read, reached, now_ms - maxAge_ms))
}

async function readFreshness(
  accounts: readonly [Settings, ...Settings[]],
  now_ms: number,
): Promise<Read> {
  const { lake: where } = accounts[0]
  try {
    return await readLake(where, (connection) => statusOf(connection, accounts, now_ms))
  } catch (error) {
    if (error instanceof NoLake) return { accounts: accounts.map(nothingYet), lake: undefined }
    if (!(error instanceof Failure)) throw error
    const { reportOf } = await import('../shell/failures.ts')
    return { failed: reportOf(error) }
  }
}

function linesOf(read: Read, reached: Reached, now_ms: number): string[] {
  const temporal = temporalLine(reached)
  if ('failed' in read) return [`lake         ${read.failed.line}`, temporal]
  return [
    ...read.accounts.flatMap((status) => accountLines(status, reached, now_ms)),
    lakeLine(read.lake),
    temporal,
  ]
}

function jsonOf(read: Read, reached: Reached, now_ms: number): object {
  const { accounts: _accounts, ...temporal } = { accounts: undefined, ...reached }
  if ('failed' in read) return { accounts: [], lake: { error: read.failed.error }, temporal }
  const accounts = read.accounts.map((status) => accountJson(status, reached, now_ms))
  return { accounts, lake: read.lake ?? null, temporal }
}

function exitOf(read: Read, reached: Reached, oldest_ms: number): number {
  if ('failed' in read) return read.failed.exit
  if (!reached.reached && reached.exit !== 0) return reached.exit
  const isOld = ({ pack }: AccountStatus) =>
    pack === undefined || Date.parse(pack.publishedAt) < oldest_ms
  return oldest_ms > -Infinity && read.accounts.some(isOld) ? 1 : 0
}
