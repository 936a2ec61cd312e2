/** Reads the accounts that a person gives for the chart. */
import { CHART_KEYS, type ChartKey, isChartKey } from '../../domain/chart.ts'
import { Failure } from '../../domain/failure.ts'
import { nearestHint } from '../../domain/nearest-name.ts'
import type { ChartAccount, ChartChanges } from '../../workers/config/write-chart.ts'

export type ChartOfAccounts = Readonly<Record<ChartKey, ChartAccount>>

/** The accounts of `sales=4000:Sales` that differ from the chart. Throws usage for any other form. */
export function changesIn(given: readonly string[], chart: ChartOfAccounts): ChartChanges {
  const changes = new Map<ChartKey, ChartAccount>()
  for (const text of given) {
    const [, key = '', number = '', name] = /^([^=]*)=([^:]*)(?::(.*))?$/s.exec(text) ?? []
    if (!isChartKey(key)) throw unknownKey(key === '' ? text : key)
    if (changes.has(key)) throw new Failure('usage', `--set gives ${key} twice`)
    changes.set(key, checkedAccount(key, { account: number, name: name ?? chart[key].name }))
  }
  return new Map([...changes].filter(([key, to]) => !isSame(chart[key], to)))
}

function unknownKey(key: string): Failure {
  const hint = nearestHint(key, CHART_KEYS, `known keys: ${CHART_KEYS.join(', ')}`)
  return new Failure('usage', `--set ${key} is not a key of the chart of accounts; ${hint}`, {
    remedy: 'give it as --set sales=4000:Sales',
  })
}

/** Returns the account without spaces at its ends. Throws usage if its number or name is no plain text. */
export function checkedAccount(key: ChartKey, { account, name }: ChartAccount): ChartAccount {
  const cleaned = { account: account.trim(), name: name.trim() }
  for (const [part, text] of Object.entries(cleaned)) {
    if (text !== '' && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text)) continue
    const word = part === 'account' ? 'number' : 'name'
    throw new Failure('usage', `the ${word} of ${key} must be text on one line`)
  }
  return cleaned
}

/** Two keys may share an account. Throws usage if they then give it two names, which programs would book apart. */
export function refuseTwoNames(chart: ChartOfAccounts): void {
  const names = new Map<string, { key: ChartKey; name: string }>()
  for (const key of CHART_KEYS) {
    const { account, name } = chart[key]
    const known = names.get(account)
    if (known !== undefined && known.name !== name) {
      throw new Failure('usage', `${known.key} and ${key} give account ${account} two names`, {
        remedy: 'give both the same number and name, or two numbers',
      })
    }
    names.set(account, { key, name })
  }
}

export const isSame = (one: ChartAccount, other: ChartAccount): boolean =>
  one.account === other.account && one.name === other.name
