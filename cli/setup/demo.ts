/** The command `demo`: runs three nights on simulated data, one after the other. */
import type { Client } from '@temporalio/client'
import { join, relative } from 'node:path'
import { PackRows } from '../../lake/results/pack-rows.ts'
import { readLake } from '../../lake/connection/read-lake.ts'
import { ACCOUNTING_PROGRAMS } from '../../domain/accounting.ts'
import { DAY_MS } from '../../domain/business-day.ts'
import { isObjectAddress } from '../../domain/object-address.ts'
import { Failure } from '../../domain/failure.ts'
import { breakWords, countedNoun } from '../../domain/headline.ts'
import { Secret, type Settings } from '../../domain/settings.ts'
import type { RunRequest, RunResult } from '../../domain/run.ts'
import { simulatorOptions } from '../../simulator/world/options.ts'
import { startSimulator, type Simulator } from '../../simulator/service/server.ts'
import { writeTruth } from '../../simulator/world/truth.ts'
import { aborted } from '../../workers/temporal/aborted.ts'
import { withEngine } from '../../workers/engine.ts'
import { readSettings, type Flags } from '../../workers/config/settings.ts'
import { TASK_QUEUE } from '../../workers/temporal/task-queue.ts'
import type { nightly } from '../../workflows/nightly.ts'
import { clearForDemo } from './clear-demo.ts'
import { writeDemoConfig } from './demo-config.ts'
import type { Context } from '../shell/context.ts'
import { transactionsFlag } from '../shell/number-flag.ts'
import { summaryOf } from '../run/summary.ts'
import { watchRun } from '../run/watch.ts'
import { shellWord } from '../shell/shell-word.ts'
import { typed } from '../shell/typed-command.ts'
import { FOLDERS, type Folders, WORLD } from './demo-world.ts'

const NIGHTS = 3

export async function demoCommand(
  context: Context,
  flags: { out?: string; transactions: string },
): Promise<void> {
  const { json, lake = FOLDERS.lake, out = FOLDERS.out } = context.flagsOf(flags)
  const transactions = transactionsFlag(flags.transactions)
  const { result, lines } = await demo(context, { lake, out }, transactions)
  for (const line of json === true ? [JSON.stringify(result)] : lines) {
    context.terminal.print(line)
  }
}

async function demo(
  context: Context,
  folders: Folders,
  transactions: number,
): Promise<{ result: RunResult; lines: string[] }> {
  const { terminal, signal } = context
  const settings = settingsFor(folders)
  await Promise.race([clearForDemo(settings, { say: terminal.say, signal }), aborted(signal)])
  const options = simulatorOptions({ ...WORLD, transactions })
  const end_ms = Date.parse(`${options.from}T04:15:00Z`) + options.days * DAY_MS
  const nights = Array.from({ length: NIGHTS }, (_, i) =>
    new Date(end_ms - (NIGHTS - i) * DAY_MS).toISOString(),
  )
  const simulator = await startSimulator(options, { now: nights[0] ?? '' })
  try {
    const served = { ...settings, source: sourceOf(simulator, options.credentials) }
    terminal.say(
      `simulator ${simulator.url}: ${countedNoun(transactions, 'transaction')}, ${countedNoun(options.terminals, 'terminal')}, ${countedNoun(options.days, 'day')}`,
    )
    const results = await withEngine(
      [served],
      { owner: 'command', embedded: true, say: terminal.say, signal, isMine: () => true },
      async ({ client, address }) => {
        terminal.say(`Temporal ${address}, lake ${folders.lake}`)
        return runNights(client, { settings: served, simulator, nights, context })
      },
    )
    const config = writeDemoConfig(settings, folders)
    await writeTruth(simulator.truth(), join(folders.out, 'truth.json'))
    const last = results.at(-1)
    if (last === undefined) throw new Error('no night was run')
    return {
      result: last,
      lines: [
        ...summaryOf(last, settings.timezone),
        ...(await nextCommands(settings, config, last)),
      ],
    }
  } finally {
    await simulator.stop()
  }
}

async function runNights(
  client: Client,
  world: { settings: Settings; simulator: Simulator; nights: string[]; context: Context },
): Promise<RunResult[]> {
  const { settings, simulator, nights, context } = world
  const results: RunResult[] = []
  for (const [i, asOf] of nights.entries()) {
    simulator.advanceTo(asOf)
    const businessDate = asOf.slice(0, 10)
    context.terminal.say(`night ${i + 1} of ${nights.length}: ${businessDate}`)
    const request: RunRequest = { account: settings.account, sweep: true, businessDate, asOf }
    const handle = await client.workflow.start<typeof nightly>('nightly', {
      taskQueue: TASK_QUEUE,
      workflowId: `nightly/${settings.account}/${businessDate}`,
      args: [request],
      staticSummary: `Night of ${businessDate}`,
    })
    const { terminal } = context
    const result = await watchRun(client, handle, { terminal, isLasting: false, runs: 1 })
    const { tied, explained, breaks, pending } = result.headline
    context.terminal.say(
      `  ${tied} tied, ${explained} explained, ${breakWords(breaks)}, ${pending} pending, ${countedNoun(result.openErrors + result.openWarnings, 'exception')}`,
    )
    results.push(result)
  }
  return results
}

/**
 * Reads no variable, so that a demo never touches the lake of real runs. Throws usage and
 * config_invalid.
 */
function settingsFor(folders: Folders): Settings {
  if (/^(postgres(ql)?|sqlite):/.test(folders.lake)) {
    throw new Failure('usage', '--lake of a demo names a folder')
  }
  if (isObjectAddress(folders.out)) throw new Failure('usage', '--out of a demo names a folder')
  const lakeData = join(folders.lake, 'parquet')
  const flags: Flags = { ...folders, lakeData, account: 'demo', timezone: 'UTC' }
  const settings = readSettings(flags, 'lake', {})
  const accounting = { ...settings.accounting, programs: ACCOUNTING_PROGRAMS }
  return { ...settings, accounting, hashKeys: undefined }
}

const sourceOf = (
  simulator: Simulator,
  credentials: { user: string; password: string; applicationKey: string },
): Settings['source'] => ({
  baseUrl: simulator.url,
  user: credentials.user,
  password: new Secret(credentials.password),
  applicationKey: new Secret(credentials.applicationKey),
  paths: {
    terminals: '/terminals',
    settlements: '/settlements',
    transactions: '/transactions',
  },
  query: {},
  headers: {},
  pageSize: 1000,
  timeout_ms: 60_000,
  retryBudget_ms: 30_000,
})

async function nextCommands(
  settings: Settings,
  config: string,
  last: RunResult,
): Promise<string[]> {
  const rows = await readLake(settings.lake, (connection) =>
    new PackRows(connection, { runId: last.runId }).rows('settlements'),
  )
  const broken = rows.find((row) => row['verdict'] === 'BREAK') ?? rows[0]
  const pack = relative(process.cwd(), last.pack)
  const tieout = typed(`tieout --config ${shellWord(config)}`)
  return [
    '',
    'next:',
    `  ${tieout} explain ${broken?.['settlementId'] ?? ''} --as-of ${last.asOf}`,
    `  less ${shellWord(join(pack, 'exceptions.csv'))}`,
    `  ${tieout} reconcile --from ${last.window.from} --to ${last.window.to} --as-of ${last.asOf}`,
  ]
}
