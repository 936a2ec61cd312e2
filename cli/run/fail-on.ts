/** The flag `--fail-on`: decides when a completed run exits with 1. */
import { storedExposure } from '../../queries/exposure.ts'
import { parseCents } from '../../domain/cents.ts'
import { Failure } from '../../domain/failure.ts'
import type { RunResult } from '../../domain/run.ts'
import type { Settings } from '../../domain/settings.ts'

/** The conditions; one that is true is enough. */
export interface FailingOn {
  severity: 'error' | 'never' | 'warning'
  /** The least unexplained amount, in cents. */
  unexplained?: bigint
}

/** Reads conditions such as `error,unexplained=100.00`. Throws usage. */
export function failingOn(text: string): FailingOn {
  let failing: FailingOn = { severity: 'never' }
  const conditions = text.split(',').map((word) => word.trim())
  if (conditions.length > 1 && conditions.includes('never')) {
    throw new Failure('usage', `--fail-on ${text}: never stands alone`)
  }
  for (const condition of conditions) {
    const amount = /^unexplained=(.*)$/.exec(condition)?.[1]
    if (amount !== undefined) failing = { ...failing, unexplained: amountOf(amount) }
    else if (condition === 'warning') failing = { ...failing, severity: 'warning' }
    else if (condition === 'error' && failing.severity === 'never') {
      failing = { ...failing, severity: 'error' }
    } else if (!['error', 'never'].includes(condition)) {
      throw new Failure(
        'usage',
        `--fail-on ${condition} is not one of error, warning, never, unexplained=100.00`,
      )
    }
  }
  return failing
}

function amountOf(text: string): bigint {
  const cents = parseCents(text)
  if (cents !== undefined && cents > 0n) return cents
  throw new Failure(
    'usage',
    `--fail-on unexplained=${text} is not an amount above zero such as 100.00`,
  )
}

/**
 * Returns true if exceptions at or above a condition are open. Waived and resolved ones do not
 * count.
 */
export async function isFailing(
  settings: Settings,
  { runId, openErrors, openWarnings }: RunResult,
  { severity, unexplained }: FailingOn,
): Promise<boolean> {
  if (severity !== 'never' && openErrors > 0) return true
  if (severity === 'warning' && openWarnings > 0) return true
  if (unexplained === undefined) return false
  return (await storedExposure(settings, runId)).gross_cents >= unexplained
}
