/**
 * Performs `run`, `reconcile` and `report`: one reconciliation now, with or without a sweep.
 */
import type { Client } from '@temporalio/client'
import { hash } from 'node:crypto'
import { resolve } from 'node:path'
import { addDays, dateIn, isDate, refuseFarAhead } from '../../domain/business-day.ts'
import { Failure } from '../../domain/failure.ts'
import type { RunRequest, RunResult } from '../../domain/run.ts'
import type { Settings } from '../../domain/settings.ts'
import { withEngine } from '../../workers/engine.ts'
import { OPTIONS } from '../../workers/config/options.ts'
import { readAccounts, type Flags } from '../../workers/config/settings.ts'
import { isObjectAddress } from '../../domain/object-address.ts'
import { outFor } from '../../workers/temporal/connect.ts'
import { searchableBy } from '../../workers/temporal/search-attributes.ts'
import { priorityOf, TASK_QUEUE } from '../../workers/temporal/task-queue.ts'
import type { nightly } from '../../workflows/nightly.ts'
import { actorOf } from '../decide/actor.ts'
import type { Context } from '../shell/context.ts'
import { eachAccount } from '../shell/each-account.ts'
import { failingOn, isFailing } from './fail-on.ts'
import { saysIfOpen } from '../shell/goes-on.ts'
import { sayingIfElsewhere } from '../shell/interrupted.ts'
import { instantFlag, knownAtFlag } from '../shell/instant-flag.ts'
import { planRuns } from './plan.ts'
import { summaryOf } from './summary.ts'
import type { Terminal } from '../shell/terminal.ts'
import { watchRun, type Watching } from './watch.ts'
import { CERTIFICATES } from './certificates.ts'

export interface RunFlags extends Flags {
  from?: string
  to?: string
  asOf?: string
  knownAt?: string
  failOn: string
  dryRun?: boolean
  minCertificate?: string
  json?: boolean
}

/** The worker of a command runs this many accounts at the same time. Lasting workers get all, and share them. */
const RUNS_AT_ONCE = 4

export async function runCommand(
  context: Context,
  flags: RunFlags,
  needs: 'source' | 'lake',
): Promise<number> {
  const { json, ...settable } = context.flagsOf(flags)
  const failing = failingOn(flags.failOn)
  const accounts = readAccounts(settable, needs)
  // The same flags apply to all accounts, so a mistake is reported before anything starts.
  const ids = accounts.map((settings) =>
    workflowIdOf(settings, requestOf(settings, flags, needs === 'source')),
  )
  const { terminal, signal } = context
  let isElsewhere = false
  if (flags.dryRun === true) {
    return planRuns(accounts, context, {
      requestOf: (settings) => requestOf(settings, flags, true),
      isJson: json === true,
    })
  }
  return withEngine(
    accounts,
    { owner: 'command', say: terminal.say, signal, isMine: (id) => ids.includes(id) },
    ({ client, isLasting }) =>
      eachAccount(accounts, context, {
        atOnce: isLasting ? accounts.length : RUNS_AT_ONCE,
        isJson: json === true,
        work: async (settings) => {
          const request = requestOf(settings, flags, needs === 'source')
          const shown = accounts.length === 1 ? terminal : terminalOf(settings.account, terminal)
          const watching = { terminal: shown, isLasting, runs: accounts.length }
          const about = { settings, request, ...watching }
          const result = await resultOf(client, about, () => (isElsewhere = isLasting))
          const exit = (await isFailing(settings, result, failing)) ? 1 : 0
          return { exit, lines: summaryOf(result, settings.timezone), json: result }
        },
      }),
  ).catch(sayingIfElsewhere(signal, () => isElsewhere))
}

/**
 * Prefixes each line with the account and omits the live line, because several runs share one
 * screen.
 */
const terminalOf = (account: string, terminal: Terminal): Terminal => ({
  ...terminal,
  say: (line) => terminal.say(`${account}: ${line}`),
  live: () => {},
  wait: () => {},
})

async function resultOf(
  client: Client,
  about: { settings: Settings; request: RunRequest } & Watching,
  started: () => void,
): Promise<RunResult> {
  const { settings, request, ...watching } = about
  if (request.sweep && settings.trouble !== undefined) throw settings.trouble
  const workflowId = workflowIdOf(settings, request)
  await saysIfOpen(client, { type: 'nightly', workflowId }, watching.terminal.say)
  const handle = await client.workflow.start<typeof nightly>('nightly', {
    taskQueue: TASK_QUEUE,
    workflowId,
    args: [request],
    // The same command continues an interrupted run, and starts a new one after a run that ended.
    workflowIdConflictPolicy: 'USE_EXISTING',
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    priority: priorityOf('nightly', settings.account),
    ...(await searchableBy(client, request)),
    staticSummary: `Run for ${settings.account}`,
  })
  started()
  return watchRun(client, handle, watching)
}

/** Reads and checks the flags. Throws usage. */
export function requestOf(settings: Settings, flags: RunFlags, sweep: boolean): RunRequest {
  const asOf = flags.asOf === undefined ? undefined : instantFlag('--as-of', flags.asOf)
  const today = dateIn(settings.timezone, asOf === undefined ? Date.now() : Date.parse(asOf))
  const window = windowOf(settings, flags, today)
  // Without a sweep and a time, the worker takes the day of the newest sweep.
  const businessDate = sweep || asOf !== undefined ? { businessDate: today } : {}
  const preparedBy = actorOf(undefined)
  const minCertificate = CERTIFICATES[flags.minCertificate ?? '']
  return {
    account: settings.account,
    sweep,
    ...outFor(settings),
    ...(window === undefined ? businessDate : { window }),
    ...(asOf === undefined ? {} : { asOf }),
    ...(flags.knownAt === undefined ? {} : { knownAt: knownAtFlag(flags.knownAt) }),
    ...(preparedBy === undefined ? {} : { preparedBy }),
    ...(minCertificate === undefined ? {} : { minCertificate }),
    // The worker may be another process with other settings.
    ...(flags.csvProfile === undefined ? {} : { csvProfile: settings.csvProfile }),
  }
}

/** The range of --from and --to; undefined if both are absent. Throws usage. */
export function windowOf(
  settings: Settings,
  { from, to }: Pick<RunFlags, 'from' | 'to'>,
  today: string,
) {
  for (const [name, date] of Object.entries({ from, to })) {
    if (date !== undefined && !isDate(date)) {
      throw new Failure('usage', `--${name} ${date} is not a date such as ${today}`, {
        remedy: `write the day as ${today}`,
      })
    }
  }
  if (from === undefined && to === undefined) return undefined
  const end = to ?? today
  const start = from ?? addDays(end, -settings.lookbackDays)
  // A range has rows for each of its days.
  refuseFarAhead('--to', end, today)
  if (start < end) return { from: start, to: end }
  throw new Failure('usage', `--from ${start} is not before --to ${end}, which is not included`, {
    remedy: 'for one day, write the day after it with --to',
  })
}

/** Gives the same command the same id all day, so that it finds the run that it started before. */
export function workflowIdOf(settings: Settings, request: RunRequest): string {
  const {
    window,
    sweep,
    asOf,
    knownAt,
    minCertificate,
    csvProfile,
    businessDate = 'newest',
  } = request
  const verb = sweep ? (window === undefined ? 'nightly' : 'run') : 'reconcile'
  const range = window === undefined ? businessDate : `${window.from}..${window.to}`
  const more = [asOf, knownAt, minCertificate, csvProfile, elsewhere(request)].filter(
    (part) => part !== undefined,
  )
  return [verb, settings.account, range, ...more].join('/')
}

/** Stands for an unusual output folder by a hash, because its name may hold a person's name. */
function elsewhere({ out = '' }: RunRequest): string | undefined {
  if (out === '' || resolve(out) === resolve(OPTIONS.out.otherwise)) return undefined
  const place = isObjectAddress(out) ? out : resolve(out)
  return hash('sha256', place).slice(0, 8)
}
