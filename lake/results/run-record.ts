/** The facts about a run that are stored beside its rows. */
export interface RunRecord {
  runId: string
  account: string
  from: string
  to: string
  asOf: string
  knownAt: bigint
  /** The time of the newest landing that the run knew, as in `Knowledge`. */
  knownTime: string | null
  /** The newest act of the audit trail that the run knew of. */
  auditSeq: bigint
  configHash: string
  /** JSON of every parameter that can change a number. */
  parameters: string
  codeVersion: string
  /** JSON of the counts that the run reports. */
  headline: string
  /** False for a run on older knowledge, which must not change when an exception was first seen. */
  recordsExceptions: boolean
}
