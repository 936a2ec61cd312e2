/** Asks a person for each account of the chart. */
import { CHART_KEYS, CHART_USES, type ChartKey } from '../../domain/chart.ts'
import type { ChartAccount, ChartChanges } from '../../workers/config/write-chart.ts'
import { type ChartOfAccounts, checkedAccount, isSame } from './chart-changes.ts'

/** Answers with the accounts that the person changed and confirmed; an empty answer keeps a value. */
export async function askChart(
  chart: ChartOfAccounts,
  ask: (question: string) => Promise<string>,
): Promise<ChartChanges> {
  const changes = new Map<ChartKey, ChartAccount>()
  for (const key of CHART_KEYS) {
    const { account, name } = chart[key]
    const head = `${key}: ${CHART_USES[key]}\n`
    const number = (await ask(`${head}  number [${account}]: `)).trim()
    const words = (await ask(`  name [${name}]: `)).trim()
    const to = { account: number === '' ? account : number, name: words === '' ? name : words }
    if (!isSame(chart[key], to)) changes.set(key, checkedAccount(key, to))
  }
  if (changes.size === 0) return changes
  const listed = [...changes].map(([key, to]) => `${key} ${to.account} ${to.name}`).join('\n  ')
  const answer = await ask(`Write these accounts to the config file?\n  ${listed}\n[y/N] `)
  return /^y(es)?$/i.test(answer.trim()) ? changes : new Map<ChartKey, ChartAccount>()
}
