import { addDays, dateIn } from '../domain/business-day.ts'
import type { Run } from '../domain/run.ts'
import type { Settings } from '../domain/settings.ts'
import type { RunStart } from './types.ts'

/** Fills in what a request leaves open: the window and the clock by which ages are judged. */
export const createPrepareRun =
  (settings: Settings) =>
  async ({ request, runId, startedAt, scheduledAt }: RunStart): Promise<Run> => {
    const asOf = request.asOf ?? startedAt
    const businessDate =
      request.businessDate ?? dateIn(settings.timezone, Date.parse(scheduledAt ?? asOf))
    const window = request.window ?? {
      from: addDays(businessDate, -settings.lookbackDays),
      to: businessDate,
    }
    return {
      runId,
      account: request.account,
      window,
      asOf,
      ...(request.knownAt === undefined ? {} : { knownAt: request.knownAt }),
      ...(request.out === undefined ? {} : { out: request.out }),
      ...(request.csvProfile === undefined ? {} : { csvProfile: request.csvProfile }),
      ...preparer(request.preparedBy, scheduledAt),
      ...((settings.shards ?? 1) > 1 ? { shards: settings.shards ?? 1 } : {}),
      ...(request.minCertificate === undefined ? {} : { minCertificate: request.minCertificate }),
    }
  }

/** A run that nobody asked for is prepared by the schedule. */
function preparer(asked: string | undefined, scheduledAt: string | undefined) {
  const preparedBy = asked ?? (scheduledAt === undefined ? undefined : 'schedule')
  return preparedBy === undefined ? {} : { preparedBy }
}
