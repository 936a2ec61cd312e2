/** The texts of `status` for an account, the lake and Temporal, and the same as JSON. */
import type { AccountStatus } from '../../queries/account-status.ts'
import { withLocalTime } from '../../domain/business-day.ts'
import { formatCents, grouped } from '../../domain/cents.ts'
import { exposureWords } from '../../queries/exposure.ts'
import { breakWords, countedNoun } from '../../domain/headline.ts'
import type { LakeStatus } from '../../lake/results/status.ts'
import type { Reached } from './runs-now.ts'
import type { AccountRuns, EndedRun } from './account-runs.ts'
import { typed } from '../shell/typed-command.ts'

const HOUR_MS = 3_600_000

/** The lines of one account, with its state in Temporal if that could be reached. */
export function accountLines(status: AccountStatus, reached: Reached, now_ms: number): string[] {
  const runs = reached.reached ? reached.accounts.get(status.account) : undefined
  const { quarantined } = status
  return [
    `account ${status.account}`,
    ...named('pack', [packLine(status, now_ms)]),
    ...named('nights', [nightsLine(status)]),
    ...named('last run', [lastRunLine(status)]),
    ...(runs === undefined ? [] : runLines(runs, status)),
    ...named('sweeps', sweepLines(status, now_ms)),
    ...named('imports', importLines(status, now_ms)),
    ...named('quarantine', [`${quarantined} record${quarantined === 1 ? '' : 's'}`]),
    ...named('exceptions', exceptionLines(status)),
    ...exposureLines(status),
  ]
}

/** The unexplained differences of the range, and the open exceptions of older subjects. */
function exposureLines({ exposure, currency }: AccountStatus): string[] {
  if (exposure === undefined) return named('unexplained', ['-'])
  const { older, older_cents } = exposure
  const amount = `differences of gross ${grouped(formatCents(older_cents))} ${currency}`
  const olderWords = `${countedNoun(older, 'open exception')} from before the range, ${amount}`
  return [
    ...named('unexplained', [`${exposureWords(exposure)} ${currency}`]),
    ...named('older', [older === 0 ? 'none open' : olderWords]),
  ]
}

/** Prints a name once, with its lines below each other. */
const named = (name: string, lines: readonly string[]) =>
  lines.map((line, at) => `  ${(at === 0 ? name : '').padEnd(11)}  ${line}`)

function packLine({ pack, timezone }: AccountStatus, now_ms: number): string {
  if (pack === undefined) return 'none yet'
  const { from, to, publishedAt, certificate } = pack
  return `${from} to ${to}, published ${withLocalTime(publishedAt, timezone)}, ${ago(publishedAt, now_ms)}, sweeps ${certificate}`
}

function nightsLine({ nightsMissing, pack }: AccountStatus): string {
  if (pack === undefined) return '-'
  return nightsMissing.length === 0 ? 'none is missing' : `NO PACK for ${nightsMissing.join(', ')}`
}

function lastRunLine({ lastRun }: AccountStatus): string {
  if (lastRun === undefined) return '-'
  const { runId, from, to, headline, isPublished } = lastRun
  const { settlements, tied, explained, breaks, pending, noData } = headline
  const counts = `${countedNoun(settlements, 'settlement')}: ${tied} tied, ${explained} explained, ${breakWords(breaks)}, ${pending} pending, ${noData} without data`
  return `${runId}, ${from} to ${to}, ${counts}${isPublished ? '' : '; its pack is not published'}`
}

function runLines(
  { running, lastEnded, schedule }: AccountRuns,
  { timezone }: AccountStatus,
): string[] {
  const scheduled =
    schedule === undefined
      ? typed('none; tieout schedule apply creates it')
      : schedule.paused
        ? 'paused'
        : `next run ${schedule.nextRun === null ? 'none' : withLocalTime(schedule.nextRun, timezone)}`
  return [
    ...named(
      'running',
      running.map(({ workflowId, progress }) =>
        [workflowId, progress].filter((part) => part !== '').join(', '),
      ),
    ),
    ...(lastEnded === undefined || lastEnded.status === 'completed'
      ? []
      : named('failed', [failedLine(lastEnded, timezone)])),
    ...named('schedule', [scheduled]),
  ]
}

function failedLine({ workflowId, status, endedAt, failure = '' }: EndedRun, zone: string): string {
  const when = endedAt === null ? '' : withLocalTime(endedAt, zone)
  return `${workflowId} ${status} ${when}: ${failure}`
}

function sweepLines({ sweeps, timezone }: AccountStatus, now_ms: number): string[] {
  if (sweeps.length === 0) return ['none yet']
  return sweeps.map(({ list, certificate, endedAt, records, requests, throttled }) =>
    [
      list.padEnd(12),
      certificate.padEnd(11),
      `ended ${withLocalTime(endedAt, timezone)}, ${ago(endedAt, now_ms)}, ${records} records, ${requests} requests, ${throttled} throttled`,
    ].join('  '),
  )
}

const importLines = ({ imports, timezone }: AccountStatus, now_ms: number): string[] =>
  imports.map(
    ({ list, exportedAt, records }) =>
      `${list.padEnd(12)}  exported ${withLocalTime(exportedAt, timezone)}, ${ago(exportedAt, now_ms)}, ${countedNoun(records, 'record')}`,
  )

function exceptionLines({ exceptions }: AccountStatus): string[] {
  if (exceptions.length === 0) return ['none open']
  const codes = Math.max(...exceptions.map(({ code }) => code.length))
  return exceptions.map(({ code, severity, open, cents }) =>
    [
      code.padEnd(codes),
      severity.padEnd(7),
      String(open).padStart(6),
      grouped(formatCents(cents)).padStart(15),
    ].join('  '),
  )
}

/** The line of the lake. */
export function lakeLine(lake: LakeStatus | undefined): string {
  if (lake === undefined) return 'lake           nothing has landed yet'
  const { landingSeq, files, bytes, snapshots } = lake
  const megabytes = (bytes / 1_000_000).toFixed(1)
  return `lake           landing ${landingSeq}, ${countedNoun(files, 'file')}, ${megabytes} MB, ${countedNoun(snapshots, 'snapshot')}`
}

export const temporalLine = (reached: Reached): string =>
  reached.reached
    ? `temporal       ${reached.address}, namespace ${reached.namespace}`
    : `temporal       ${reached.exit === 0 ? 'not checked: ' : ''}${reached.why}`

/** The same as JSON: ages in seconds, amounts as decimal text. */
export function accountJson(status: AccountStatus, reached: Reached, now_ms: number): object {
  const { pack, sweeps, imports, exceptions, exposure, lastRun, ...rest } = status
  const runs = reached.reached ? reached.accounts.get(status.account) : undefined
  return {
    ...rest,
    pack: pack === undefined ? null : { ...pack, ageSeconds: ageSeconds(pack.publishedAt, now_ms) },
    lastRun: lastRun ?? null,
    sweeps: sweeps.map((sweep) => ({ ...sweep, ageSeconds: ageSeconds(sweep.endedAt, now_ms) })),
    imports: imports.map((file) => ({ ...file, ageSeconds: ageSeconds(file.exportedAt, now_ms) })),
    exceptions: exceptions.map(({ cents, ...one }) => ({ ...one, amount: formatCents(cents) })),
    ...exposureJson(exposure),
    running: runs?.running ?? null,
    lastEnded: runs?.lastEnded ?? null,
    schedule: runs?.schedule ?? null,
  }
}

function exposureJson(exposure: AccountStatus['exposure']): object {
  const amount = (cents?: bigint) => (cents === undefined ? null : formatCents(cents))
  return {
    unexplained: amount(exposure?.gross_cents),
    unexplainedShort: amount(exposure?.short_cents),
    unexplainedOver: amount(exposure?.over_cents),
    olderOpen: exposure?.older ?? null,
    olderAmount: amount(exposure?.older_cents),
  }
}

const ageSeconds = (instant: string, now_ms: number) =>
  Math.max(0, Math.round((now_ms - Date.parse(instant)) / 1000))

/** Formats an age in the largest unit that gives about two digits. */
function ago(instant: string, now_ms: number): string {
  const hours = Math.max(0, now_ms - Date.parse(instant)) / HOUR_MS
  if (hours < 2) return `${countedNoun(Math.floor(hours * 60), 'minute')} ago`
  return hours < 48 ? `${Math.floor(hours)} hours ago` : `${Math.floor(hours / 24)} days ago`
}
