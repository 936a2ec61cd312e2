import { accessSync, constants, existsSync, opendirSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { DAY_MS } from '../../domain/business-day.ts'
import { Failure } from '../../domain/failure.ts'
import { reasonOf } from '../../domain/reason.ts'
import { isObjectAddress } from '../../domain/object-address.ts'
import { windowOf } from '../../domain/run-window.ts'
import type { PreparedRun, RunRequest, RunStart } from '../../domain/run.ts'
import { type Settings, USUAL_SCHEDULE } from '../../domain/settings.ts'
import { refuseOtherCurrency } from '../../lake/decisions/periods-and-exports.ts'
import { newestSweepEnd } from '../../lake/results/status.ts'
import { targetOf } from '../../reports/target-of.ts'
import type { SharedLake } from '../runtime/shared-lake.ts'
import { knowledgeFor } from '../../lake/results/knowledge.ts'

/**
 * Fills in the absent parts of a request: the window and the time from which ages are counted. Throws config_invalid,
 * also for a currency other than that of approved packs, and payload_refused.
 */
export const createPrepareRun =
  (settings: Settings, shared: SharedLake) =>
  async ({ request, runId, startedAt, scheduledAt }: RunStart): Promise<PreparedRun> => {
    refuseFarFrom(settings, { startedAt, scheduledAt })
    await refuseUnwritable({ ...settings, out: request.out ?? settings.out })
    await shared.connected((_lake, connection) => refuseOtherCurrency(connection, settings))
    const sweptAt =
      request.asOf === undefined && !request.sweep ? await newestSweep(shared, request) : undefined
    // A whole second has one form, as people type it.
    const asOf = (request.asOf ?? sweptAt ?? startedAt).replace(/\.0+Z$/, 'Z')
    const window = windowOf(settings, request, Date.parse(scheduledAt ?? asOf))
    return {
      runId,
      account: request.account,
      window,
      asOf,
      ...(sweptAt === undefined ? {} : { isAsOfSweep: true as const }),
      ...optionsOf(request),
      ...preparer(request.preparedBy, scheduledAt),
      ...lateness(settings, { startedAt, scheduledAt }),
    }
  }

interface Times {
  startedAt: string
  scheduledAt: string | undefined
}

/**
 * The time of the schedule chooses the days of a run, and Temporal does not encrypt it. Throws payload_refused for a time at
 * which no night of the schedule can have been due.
 */
function refuseFarFrom({ schedule }: Settings, { startedAt, scheduledAt }: Times): void {
  if (scheduledAt === undefined) return
  const { catchUp_days } = schedule ?? USUAL_SCHEDULE
  const after_ms = Date.parse(startedAt) - Date.parse(scheduledAt)
  // The server and the worker may have different clocks.
  if (after_ms > -DAY_MS && after_ms < (catchUp_days + 1) * DAY_MS) return
  throw new Failure(
    'payload_refused',
    `the run began at ${startedAt} for the schedule's time ${scheduledAt}; a missed night is made up for within ${catchUp_days} days`,
  )
}

/** The time from the start of a scheduled run until it is late. */
function lateness(
  { webhook }: Settings,
  { startedAt, scheduledAt }: Times,
): Pick<PreparedRun, 'lateAfter_ms'> {
  if (webhook === undefined || scheduledAt === undefined) return {}
  const late_ms = Date.parse(scheduledAt) + webhook.lateAfter_hours * 3_600_000
  return { lateAfter_ms: Math.max(0, late_ms - Date.parse(startedAt)) }
}

/** The end of the newest sweep: data that no sweep has read since does not get older. */
const newestSweep = (shared: SharedLake, { account, knownAt }: RunRequest) =>
  shared.connected(async (_lake, connection) => {
    const knowledge = await knowledgeFor(connection, account, knownAt)
    return newestSweepEnd(connection, account, knowledge.knownAt)
  })

const optionsOf = ({ knownAt, out, csvProfile, minCertificate }: RunRequest) => ({
  ...(knownAt === undefined ? {} : { knownAt }),
  ...(out === undefined ? {} : { out }),
  ...(csvProfile === undefined ? {} : { csvProfile }),
  ...(minCertificate === undefined ? {} : { minCertificate }),
})

/** Reports it before anything is read, not when the pack is made. Writes nothing. */
async function refuseUnwritable(place: Pick<Settings, 'account' | 'out' | 'packStore'>) {
  const { account, out } = place
  if (isObjectAddress(out)) {
    // Shows that the store answers, and knows the bucket and the credentials.
    return targetOf(place).refuseForeignLatest(`${out}/${account}/range/run`)
  }
  let at = resolve(out)
  while (!existsSync(at) && dirname(at) !== at) at = dirname(at)
  try {
    accessSync(at, constants.W_OK)
    opendirSync(at).closeSync()
  } catch (cause) {
    throw new Failure(
      'config_invalid',
      `the output folder ${at} can't be written: ${reasonOf(cause)}`,
      {
        cause,
        remedy: 'choose another --out',
      },
    )
  }
}

/** The preparer of a scheduled run is the schedule. */
function preparer(requested: string | undefined, scheduledAt: string | undefined) {
  const preparedBy = requested ?? (scheduledAt === undefined ? undefined : 'schedule')
  return preparedBy === undefined ? {} : { preparedBy }
}
