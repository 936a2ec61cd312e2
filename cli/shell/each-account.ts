/** Does the same job for each account. A failure for one account is reported and does not stop the others. */
import type { Settings } from '../../domain/settings.ts'
import type { Context } from './context.ts'

export interface AccountWork {
  /** The most accounts at the same time. */
  atOnce: number
  /** Does the work for one account and returns its outcome. */
  work: (settings: Settings) => Promise<Outcome>
  isJson: boolean
}

export interface Outcome {
  exit: number
  /** The result for a person, and as JSON. */
  lines: readonly string[]
  json: object
}

/**
 * Works for every account and prints each outcome in the order of the accounts, as lines or as
 * JSON. Returns the highest exit code. A failure of a single account is thrown.
 */
export async function eachAccount(
  accounts: readonly Settings[],
  context: Context,
  { atOnce, work, isJson }: AccountWork,
): Promise<number> {
  const outcomes = inTurn(accounts, atOnce, (settings) =>
    accounts.length === 1 ? work(settings) : outcomeOf(settings, context, { work, isJson }),
  )
  let worst = 0
  for (const [index, { account }] of accounts.entries()) {
    const outcome = await outcomes[index]
    if (outcome === undefined) continue
    worst = Math.max(worst, outcome.exit)
    if (isJson) context.terminal.print(JSON.stringify(outcome.json))
    else {
      if (accounts.length > 1) context.terminal.print(`account ${account}`)
      for (const line of outcome.lines) context.terminal.print(line)
    }
  }
  return worst
}

async function outcomeOf(
  settings: Settings,
  context: Context,
  { work, isJson }: Pick<AccountWork, 'isJson' | 'work'>,
): Promise<Outcome> {
  const { account } = settings
  try {
    return await work(settings)
  } catch (error) {
    // An interruption is reported once, not once for each account.
    context.signal.throwIfAborted()
    const { reportOf, accountReportOf } = await import('./failures.ts')
    const { exit, line, details } = accountReportOf(account, error)
    if (!isJson) context.terminal.say(line)
    if (details !== undefined) context.terminal.say(details)
    const report = reportOf(error, '', account)
    return { exit, lines: [report.line], json: { account, exit, error: report.error ?? null } }
  }
}

/** Starts the work for each account, at most `atOnce` at a time, and returns a promise for each. */
function inTurn<From, To>(
  all: readonly From[],
  atOnce: number,
  work: (one: From) => Promise<To>,
): Promise<To>[] {
  const begun: Promise<To>[] = []
  for (const [index, one] of all.entries()) {
    const before = begun[index - atOnce]
    const after = before === undefined ? Promise.resolve() : before.then(nothing, nothing)
    const result = after.then(() => work(one))
    // The caller awaits it later; until then a failure must not count as unhandled.
    result.catch(nothing)
    begun.push(result)
  }
  return begun
}

const nothing = () => {}
