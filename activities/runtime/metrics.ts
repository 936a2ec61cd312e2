/**
 * The metrics of a worker and its accounts. Labels are our own names, never a record or a person.
 */
import { version as engineVersion } from '@duckdb/node-api'
import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client'
import { CERTIFICATES } from '../../domain/run.ts'
import { packageVersion } from '../../lake/connection/package-root.ts'
import type { LakeStatus } from '../../lake/results/status.ts'
import { lakeCounters } from '../../lake/connection/with-retries.ts'
import type { Publication } from '../../lake/results/publications.ts'
import type { AccountStatus } from '../../queries/account-status.ts'

/** A batch of a sweep that landed. */
export interface BatchCounts {
  pages: number
  records: number
  newVersions: number
  quarantined: number
}

/** The requests sent with the credentials of an account; the counts only grow. */
export interface SentCounts {
  requests: number
  throttled: number
}

const EACH_LIST = ['account', 'list'] as const
const EACH_CODE = ['account', 'code', 'severity'] as const

/**
 * The metrics of one process. Counters count the work of this process; gauges show the lake, the
 * same on every worker.
 */
export class Metrics {
  readonly #registry = new Registry()
  readonly #landed: Record<keyof BatchCounts, Counter<'account' | 'list'>>
  readonly #gauges: ReturnType<typeof gaugesIn>
  #statuses: readonly AccountStatus[] = []
  #backupAt: string | undefined

  /** `sent` is called at each reading for the requests of each account. */
  constructor(sent: () => Iterable<[string, SentCounts]>) {
    const counter = <Label extends string>(name: string, help: string, labels: readonly Label[]) =>
      new Counter({ name, help, labelNames: [...labels], registers: [this.#registry] })
    this.#landed = {
      pages: counter('tieout_pages_total', 'Pages that landed', EACH_LIST),
      records: counter('tieout_records_total', 'Records that landed, known ones too', EACH_LIST),
      newVersions: counter('tieout_new_versions_total', 'Versions that differed', EACH_LIST),
      quarantined: counter('tieout_rejected_records_total', 'Records not readable', EACH_LIST),
    }
    countsSent(this.#registry, sent)
    showsProcess(this.#registry)
    showsBuild(this.#registry)
    countsCommits(this.#registry)
    this.#gauges = gaugesIn(this.#registry)
  }

  landed(account: string, list: string, batch: BatchCounts): void {
    this.#landed.pages.inc({ account, list }, batch.pages)
    this.#landed.records.inc({ account, list }, batch.records)
    this.#landed.newVersions.inc({ account, list }, batch.newVersions)
    this.#landed.quarantined.inc({ account, list }, batch.quarantined)
  }

  /** Replaces the state of the lake, so that a resolved code disappears. */
  take(accounts: readonly AccountStatus[], lake: LakeStatus): void {
    this.#statuses = accounts
    const gauges = this.#gauges
    for (const gauge of Object.values(gauges)) gauge.reset()
    gauges.landing.set(lake.landingSeq)
    gauges.files.set(lake.files)
    gauges.bytes.set(lake.bytes)
    gauges.snapshots.set(lake.snapshots)
    for (const status of accounts) this.#takeAccount(status)
    gauges.readable.set(1)
  }

  /** Takes the instant of the newest backup; undefined if there is none. */
  takeBackup(at: string | undefined): void {
    this.#backupAt = at
  }

  /** Marks the lake as unreadable; its last figures stay, with their age. */
  markUnreadable(): void {
    this.#gauges.readable.set(0)
  }

  /** The text of all metrics, with ages as of `now_ms`. */
  async text(now_ms: number): Promise<string> {
    const age = (instant: string) => Math.max(0, (now_ms - Date.parse(instant)) / 1000)
    this.#gauges.backupAge.set(this.#backupAt === undefined ? Infinity : age(this.#backupAt))
    for (const { account, pack, sweeps } of this.#statuses) {
      // Without any good pack the age is infinite.
      this.#gauges.packAge.set({ account }, pack === undefined ? Infinity : age(pack.publishedAt))
      for (const { list, endedAt } of sweeps) {
        this.#gauges.sweepAge.set({ account, list }, age(endedAt))
      }
    }
    return this.#registry.metrics()
  }

  #takeAccount(status: AccountStatus): void {
    const { account, sweeps, exceptions, exposure, pack } = status
    const gauges = this.#gauges
    const duration_s = pack === undefined ? undefined : runDuration(pack)
    if (duration_s !== undefined) gauges.runDuration.set({ account }, duration_s)
    gauges.nightsMissing.set({ account }, status.nightsMissing.length)
    gauges.quarantined.set({ account }, status.quarantined)
    if (exposure !== undefined) {
      gauges.unexplained.set({ account }, Number(exposure.gross_cents))
      gauges.short.set({ account }, Number(exposure.short_cents))
      gauges.over.set({ account }, Number(exposure.over_cents))
      gauges.olderOpen.set({ account }, exposure.older)
    }
    for (const { list, certificate } of sweeps) {
      for (const one of CERTIFICATES) {
        gauges.certificate.set({ account, list, certificate: one }, one === certificate ? 1 : 0)
      }
    }
    for (const { code, severity, open, added, cents } of exceptions) {
      gauges.open.set({ account, code, severity }, open)
      gauges.fresh.set({ account, code, severity }, added)
      gauges.openCents.set({ account, code, severity }, Number(cents))
    }
  }
}

/** Returns the seconds from the start of a run, which its id tells, to its pack; undefined for an id of another form. */
export function runDuration({
  runId,
  publishedAt,
}: Pick<Publication, 'runId' | 'publishedAt'>): number | undefined {
  const [, day, time] = /^(\d{8})T(\d{6})Z/.exec(runId) ?? []
  if (day === undefined || time === undefined) return undefined
  const date = day.replace(/(....)(..)(..)/, '$1-$2-$3')
  const started_ms = Date.parse(`${date}T${time.replace(/(..)(..)(..)/, '$1:$2:$3')}Z`)
  return Math.max(0, (Date.parse(publishedAt) - started_ms) / 1000)
}

/** Gauges with the ending of a counter, which Prometheus complains of. */
const MISNAMED = ['handles', 'requests', 'resources'].map((of) => `nodejs_active_${of}_total`)

/** Processor time, memory, open files and start of the process, by the usual names. */
function showsProcess(registry: Registry): void {
  collectDefaultMetrics({ register: registry })
  for (const name of MISNAMED) registry.removeSingleMetric(name)
}

function showsBuild(registry: Registry): void {
  const build = new Gauge({
    name: 'tieout_build_info',
    help: '1, with the versions of this worker',
    labelNames: ['version', 'node', 'duckdb'],
    registers: [registry],
  })
  build.set({ version: packageVersion(), node: process.versions.node, duckdb: engineVersion() }, 1)
}

function countsSent(registry: Registry, sent: () => Iterable<[string, SentCounts]>): void {
  const each = (name: string, help: string, of: keyof SentCounts) =>
    new Counter({
      ...{ name, help, labelNames: ['account'], registers: [registry] },
      collect() {
        this.reset()
        for (const [account, counts] of sent()) this.inc({ account }, counts[of])
      },
    })
  each('tieout_requests_total', 'Requests sent to the payments service', 'requests')
  each('tieout_throttled_requests_total', 'Requests that the service answered 429', 'throttled')
}

function countsCommits(registry: Registry): void {
  const each = (name: string, help: string, of: keyof typeof lakeCounters) =>
    new Counter({
      ...{ name, help, registers: [registry] },
      collect() {
        this.reset()
        this.inc(lakeCounters[of])
      },
    })
  each('tieout_lake_commits_total', 'Transactions on the lake that were committed', 'commits')
  each('tieout_lake_retries_total', 'Transactions that lost a race and began again', 'retries')
}

function gaugesIn(registry: Registry) {
  const gauge = <Label extends string>(
    name: string,
    help: string,
    labels: readonly Label[] = [],
  ): Gauge<Label> => new Gauge({ name, help, labelNames: [...labels], registers: [registry] })
  const account = ['account'] as const
  return {
    packAge: gauge('tieout_last_good_pack_age_seconds', 'Since the last good pack', account),
    runDuration: gauge(
      'tieout_last_run_duration_seconds',
      'From the start of the last good run to its pack',
      account,
    ),
    backupAge: gauge('tieout_last_backup_age_seconds', 'Since the last backup of the lake'),
    nightsMissing: gauge('tieout_nights_missing', 'Nights of a week without a pack', account),
    sweepAge: gauge('tieout_sweep_age_seconds', 'Since the last sweep that ended', EACH_LIST),
    certificate: gauge(
      'tieout_sweep_certificate',
      '1 for the certificate that the last sweep has',
      [...EACH_LIST, 'certificate'] as const,
    ),
    quarantined: gauge('tieout_quarantined_records', 'Records that are unreadable now', account),
    open: gauge('tieout_exceptions_open', 'Exceptions that are open', EACH_CODE),
    fresh: gauge('tieout_exceptions_new', 'Those that an earlier day did not have', EACH_CODE),
    openCents: gauge('tieout_exceptions_open_cents', 'Sum of their amounts', EACH_CODE),
    unexplained: gauge('tieout_unexplained_cents', 'Unexplained, short and over together', account),
    short: gauge('tieout_unexplained_short_cents', 'Unexplained, reported too little', account),
    over: gauge('tieout_unexplained_over_cents', 'Unexplained, reported too much', account),
    olderOpen: gauge('tieout_older_exceptions_open', 'Open, from before the range', account),
    landing: gauge('tieout_lake_landing', 'Number of the newest landing'),
    files: gauge('tieout_lake_files', 'Parquet files of the lake'),
    bytes: gauge('tieout_lake_bytes', 'Size of the Parquet files'),
    snapshots: gauge('tieout_lake_snapshots', 'Snapshots that the catalog keeps'),
    readable: gauge('tieout_lake_readable', '0 where the lake could not be read last'),
  }
}
