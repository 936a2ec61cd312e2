/** Activities that answer at once with fixed counts, and record their requests. */
import { setTimeout } from 'node:timers/promises'
import { ApplicationFailure } from '@temporalio/common'
import type { Activities } from '../../../activities/types.ts'
import type { BackfillOrder } from '../../../domain/backfill.ts'
import type { RunRequest } from '../../../domain/run.ts'
import type { Outcome } from '../../../domain/webhook.ts'

export const REQUEST: RunRequest = {
  account: 'acme',
  sweep: true,
  window: { from: '2026-10-01', to: '2026-10-30' },
  asOf: '2026-10-30T04:15:00Z',
}

export const BACKFILL_ORDER: BackfillOrder = {
  account: 'acme',
  window: { from: '2026-09-15', to: '2026-10-08' },
  since: '2026-09-08T00:00:00.000Z',
  asOf: '2026-10-30T04:15:00Z',
  reason: 'a terminal was added',
  actor: 'Ada',
  reading: { requests: 100, perSecond: 40, paceOf: 'sweeps' },
}

export interface Play {
  /** Versions that the second reading of settlements brings. */
  newsAtLast: number
  /** An activity that fails for good. */
  failing?: keyof Activities
  /** A run or a backfill is late after this time. */
  lateAfter_ms?: number
  /** An activity that takes two seconds. */
  slow?: keyof Activities
  /** Waited for by each activity, once it has noted what it was asked. */
  meanwhile?: (what: string) => Promise<void>
}

export interface Acted {
  asked: string[]
  /** The outcomes that were posted. */
  posted: Outcome[]
  activities: Activities
}

export function actedActivities(play: Play): Acted {
  const asked: string[] = []
  const posted: Outcome[] = []
  let transactionSegments = 0
  const note = async (name: keyof Activities, what: string = name) => {
    asked.push(what)
    await play.meanwhile?.(what)
    if (play.slow === name) await setTimeout(2000)
    if (play.failing === name) throw ApplicationFailure.nonRetryable('it fails', 'source_refused')
  }
  const activities: Activities = {
    async checkSource() {
      await note('checkSource')
    },
    async prepareRun({ request, runId, startedAt }) {
      await note('prepareRun')
      const { account, window = { from: '', to: '' }, asOf = startedAt } = request
      const { lateAfter_ms } = play
      return {
        runId,
        account,
        window,
        asOf,
        ...(lateAfter_ms === undefined ? {} : { lateAfter_ms }),
      }
    },
    async sweepList({ list, pass }) {
      await note('sweepList', `${list} ${pass}`)
      // The transactions take two segments.
      const done = list !== 'transactions' || ++transactionSegments % 2 === 0
      const newVersions = list === 'settlements' && pass === 2 ? play.newsAtLast : 5
      return { list, pass, done, records: 5, newVersions, quarantined: 0, requests: 1 }
    },
    async reconcile({ window }) {
      await note('reconcile', `reconcile ${window.from}`)
      const headline = { settlements: 3, tied: 2, explained: 0, breaks: 1, pending: 0, noData: 0 }
      const exceptions = { AMOUNT_MISMATCH: 1 }
      return { knownAt: '7', headline, exceptions, openErrors: 1, openWarnings: 0 }
    },
    async publish() {
      await note('publish')
      return { pack: 'out/acme/2026-10-01_2026-10-30/run', certificate: 'CONTIGUOUS' }
    },
    async postOutcome(outcome) {
      const { failure, isBackfill } = outcome
      posted.push(outcome)
      const whose = isBackfill === true ? ' of a backfill' : ''
      await note('postOutcome', `postOutcome ${failure?.code ?? 'late'}${whose}`)
    },
    async recordBackfill({ event }) {
      await note('recordBackfill', event)
      const { lateAfter_ms } = play
      return lateAfter_ms === undefined ? {} : { lateAfter_ms }
    },
    async maintainLake() {
      await note('maintainLake')
      const sizes = { before: 9, after: 2 }
      return { files: sizes, bytes: sizes, snapshotsExpired: 3, filesRemoved: 4 }
    },
    async actOnBooks({ actor }) {
      await note('actOnBooks')
      return { seq: '1', sha256: 'a1', actor, actedAt: '2026-10-30T04:15:00.000Z', wasSo: false }
    },
    async importFile({ file }) {
      await note('importFile', `importFile ${file}`)
      const counts = { rows: 5, newVersions: 5, quarantined: 0, differing: 0, older: 0 }
      return { file, sweepId: `import/${file}`, landed: true, ...counts }
    },
  }
  return { asked, posted, activities }
}
