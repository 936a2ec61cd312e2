/** The command `chart`: maps the chart of accounts to a ledger's own, and writes it into the config file. */
import { createInterface } from 'node:readline/promises'
import { resolve } from 'node:path'
import { CHART_KEYS, CHART_USES, type ChartKey, DEFAULT_CHART } from '../../domain/chart.ts'
import { chosen } from '../../workers/config/options.ts'
import { chosenAccounts, configFile, type Flags } from '../../workers/config/settings.ts'
import {
  type ChartAccount,
  type ChartChanges,
  writeChart,
} from '../../workers/config/write-chart.ts'
import type { Context } from '../shell/context.ts'
import { askChart } from './ask-chart.ts'
import { changesIn, type ChartOfAccounts, refuseTwoNames } from './chart-changes.ts'
import { typed } from '../shell/typed-command.ts'

export async function chartCommand(
  context: Context,
  flags: Flags & { set: string[] },
): Promise<void> {
  const { json } = context.flagsOf(flags)
  const { file, of, chart } = presentChart(context.flagsOf(flags))
  const isInteractive = flags.set.length === 0 && json !== true && process.stdin.isTTY
  const changes = isInteractive ? await answered(context, chart) : changesIn(flags.set, chart)
  const changed = { ...chart, ...Object.fromEntries(changes) }
  if (changes.size > 0) refuseTwoNames(changed)
  if (changes.size > 0) writeChart(file, changes, of)
  if (json === true) {
    const answer = { file, changed: [...changes.keys()], chart: changed }
    context.terminal.print(JSON.stringify(answer))
    return
  }
  for (const line of tableOf(changed)) context.terminal.print(line)
  context.terminal.say(saidOf(file, changes))
}

/** The chart in force before the command, the file that holds it, and the listed account if one is chosen. */
function presentChart(flags: Flags): { file: string; of?: string; chart: ChartOfAccounts } {
  const sources = { flags, env: process.env, file: configFile(flags, process.env) }
  const path = resolve(chosen('config', sources).value)
  const { from } = chosen('account', sources)
  const [account] =
    sources.file.accounts.length > 0 && from !== 'default' ? chosenAccounts(sources) : []
  const own = account?.general.chart_of_accounts ?? sources.file.chart_of_accounts
  const chart = { ...DEFAULT_CHART, ...own }
  return { file: path, chart, ...(account === undefined ? {} : { of: account.name }) }
}

async function answered(
  { signal, terminal }: Context,
  chart: ChartOfAccounts,
): Promise<ChartChanges> {
  terminal.live('')
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  const closed = new AbortController()
  // Ctrl-D answers no question, so that nothing is written.
  lines.once('close', () => closed.abort())
  const either = AbortSignal.any([signal, closed.signal])
  try {
    return await askChart(chart, (question) => lines.question(question, { signal: either }))
  } catch (error) {
    if (closed.signal.aborted && !signal.aborted) return new Map<ChartKey, ChartAccount>()
    throw error
  } finally {
    lines.close()
  }
}

function tableOf(chart: ChartOfAccounts): string[] {
  const rows = CHART_KEYS.map((key) => [key, chart[key].account, chart[key].name, CHART_USES[key]])
  const widths = [0, 1, 2].map((at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)))
  return rows.map((row) => row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  '))
}

const saidOf = (file: string, changes: ChartChanges): string =>
  changes.size === 0
    ? typed('nothing was changed; tieout chart --set sales=4000:Sales changes an account')
    : `wrote ${[...changes.keys()].join(', ')} to ${file}; the next run uses them`
