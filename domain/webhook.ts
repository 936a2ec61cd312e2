/** The message that a webhook receives for each outcome of a run. Its keys only grow; `version` counts what breaks. */
import { FAILURES, failureCode, type FailureCode } from './failure.ts'
import { headlineWords, openWords } from './headline.ts'
import type { Certificate, ReconcileResult, Run } from './run.ts'

export const WEBHOOK_EVENTS = ['published', 'withheld', 'failed', 'late'] as const
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number]

/** From the least to the most urgent. */
export const WEBHOOK_SEVERITIES = ['info', 'warning', 'error'] as const
export type WebhookSeverity = (typeof WEBHOOK_SEVERITIES)[number]

/** The outcomes for which a message is wanted, and the parts that only the reader of the message needs. */
export interface WebhookRules {
  events: readonly WebhookEvent[]
  leastSeverity: WebhookSeverity
  /** An address for the reader, with `{account}`, `{from}`, `{to}` and `{runId}`. */
  link?: string
  /** A scheduled run or a backfill that takes longer is late. */
  lateAfter_hours: number
}

export const WEBHOOK_RULES: WebhookRules = {
  events: WEBHOOK_EVENTS,
  leastSeverity: 'info',
  lateAfter_hours: 4,
}

/** Amounts as text with two places, such as `614.12`. */
export interface UnexplainedAmounts {
  currency: string
  short: string
  over: string
  gross: string
}

export interface WebhookMessage {
  /** The whole message in one line, for chats. */
  text: string
  version: 1
  event: WebhookEvent
  severity: WebhookSeverity
  account: string
  runId: string
  /** Absent if the run failed before its range was known. */
  from?: string
  to?: string
  link?: string
  /** The command that a person types next. */
  command: string
  /** The remedy of the error in words; absent without an error. */
  next?: string
  [more: string]: unknown
}

/** A run that did not publish, or a backfill that failed or takes long. */
export interface Outcome {
  account: string
  runId: string
  isBackfill?: true
  window?: Run['window']
  /** Absent for a run that is late. */
  failure?: { code: string; what: string }
}

/** The counts and amounts of a run whose results are stored. */
export interface Counted {
  found: ReconcileResult
  unexplained: UnexplainedAmounts
}

/** The exit code of a run that is withheld: a check of its own sums or certificates failed. */
const WITHHELD = 4

export function publishedMessage(
  run: Run,
  found: ReconcileResult,
  published: { pack: string; certificate: Certificate; unexplained: UnexplainedAmounts },
): WebhookMessage {
  const { account, runId, asOf, window } = run
  const { openErrors: errors, openWarnings: warnings } = found
  const { unexplained, certificate, pack } = published
  return {
    text: [
      `${account} ${window.from} to ${window.to}`,
      ...countedWords({ found, unexplained }),
      `sweeps ${certificate}, run ${runId}`,
    ].join('; '),
    ...{ version: 1, event: 'published', severity: severityOf(errors, warnings) },
    ...{ account, runId, ...window, asOf, knownAt: found.knownAt, certificate, pack },
    ...countedKeys({ found, unexplained }),
    command: `tieout exceptions list --account ${account}`,
  }
}

function countedWords({ found, unexplained }: Counted): string[] {
  const { short, over, gross, currency } = unexplained
  return [
    ...[headlineWords(found.headline), openWords(found)],
    `unexplained short ${short}, over ${over}, gross ${gross} ${currency}`,
  ]
}

function countedKeys({ found, unexplained }: Counted) {
  const { settlements: total, ...verdicts } = found.headline
  const { openErrors: errors, openWarnings: warnings, exceptions: byCode } = found
  return {
    settlements: { total, ...verdicts },
    openExceptions: { errors, warnings, byCode },
    unexplained,
  }
}

const severityOf = (errors: number, warnings: number): WebhookSeverity =>
  errors > 0 ? 'error' : warnings > 0 ? 'warning' : 'info'

/** True if the failure means that a pack is withheld. */
export const isWithheld = ({ failure }: Outcome): boolean =>
  failure !== undefined && FAILURES[failureCode(failure.code)].exit === WITHHELD

/**
 * The message of a run that is withheld, has failed, or is late, and of a backfill that stopped or is late. `counted`
 * is known if the results of the run are stored.
 */
export function outcomeMessage(outcome: Outcome, counted?: Counted): WebhookMessage {
  const { account, runId, window, failure, isBackfill } = outcome
  const range = window === undefined ? account : `${account} ${window.from} to ${window.to}`
  const name = isBackfill === true ? `backfill of ${range}` : range
  const about = {
    version: 1,
    account,
    runId,
    ...window,
    ...(isBackfill && { isBackfill }),
  } as const
  if (failure === undefined) {
    const what = isBackfill === true ? 'the backfill' : `run ${runId}`
    const command = isBackfill === true ? 'tieout backfill status' : 'tieout status'
    const text = `${name}; late: ${what} still runs`
    return { text, ...about, event: 'late', severity: 'warning', command }
  }
  const code = failureCode(failure.code)
  const event = isWithheld(outcome) ? 'withheld' : 'failed'
  const next = FAILURES[code].remedy
  const words = counted === undefined ? [] : countedWords(counted)
  return {
    text: [...[name, `${event}: ${code}: ${failure.what}`, ...words], `next: ${next}`].join('; '),
    ...{ ...about, event, severity: 'error', error: { code, message: failure.what } },
    ...(counted === undefined ? {} : countedKeys(counted)),
    ...{ command: commandAfter(code, outcome), next },
  }
}

/** Remedies may be words, so that the message also has a command that shows more. */
function commandAfter(code: FailureCode, { account, isBackfill }: Outcome): string {
  if (isBackfill === true) return `tieout backfill status --account ${account}`
  if (code === 'worker_missing') return FAILURES[code].remedy
  const { exit } = FAILURES[code]
  const isSetup = exit === 2 || exit === 3 || exit === 6
  return `tieout ${isSetup ? 'doctor' : 'status'} --account ${account}`
}

/** True if the rules let the message pass. */
export const isWanted = (
  { events, leastSeverity }: WebhookRules,
  { event, severity }: WebhookMessage,
): boolean =>
  events.includes(event) &&
  WEBHOOK_SEVERITIES.indexOf(severity) >= WEBHOOK_SEVERITIES.indexOf(leastSeverity)

/** Adds the reader's link, if the rules have one. */
export function withLink({ link }: WebhookRules, message: WebhookMessage): WebhookMessage {
  if (link === undefined) return message
  const filled = link.replaceAll(/\{(account|from|to|runId)\}/g, (_, name: string) =>
    encodeURIComponent(String(message[name] ?? '')),
  )
  return { ...message, link: filled }
}

/** Reports in one line that a message was not delivered, for a reason such as `it answered 500`. */
export const undelivered = (why: string): string =>
  why.startsWith('it ') ? `the webhook ${why.slice(3)}` : `the webhook was not called: ${why}`
