/** Names a plain-text account for each account of the journal, in a form that all three programs read. */
import type { Chart } from './entry.ts'
import type { AccountFacts } from './journal-facts.ts'
import { accountWords, keysByAccount } from './program-renderer.ts'

/** The root of an account by chart key. An account outside the chart is a cost, like the suspense that it clears. */
const ROOTS: Readonly<Record<string, string>> = {
  clearing: 'Assets',
  cash_in_transit: 'Assets',
  bank: 'Assets',
  suspense: 'Assets',
  unallocated: 'Assets',
  tax: 'Liabilities',
  tips: 'Liabilities',
  sales: 'Income',
  shipping: 'Income',
  surcharge: 'Income',
  refunds: 'Income',
}

const KNOWN_ROOTS: Readonly<Record<string, string>> = {
  assets: 'Assets',
  liabilities: 'Liabilities',
  equity: 'Equity',
  income: 'Income',
  revenues: 'Income',
  expenses: 'Expenses',
}

/**
 * Returns account names by ledger account, such as `Assets:1100-Processor-clearing`. A name consists of letters,
 * digits and hyphens. The later of two equal names gets a number.
 */
export function plainAccounts(
  accounts: Iterable<AccountFacts>,
  chart: Chart,
  words: Readonly<Record<string, string>> = {},
): ReadonlyMap<string, string> {
  const configured = accountWords(words, chart)
  const keys = keysByAccount(chart)
  const taken = new Set<string>()
  const names = new Map<string, string>()
  for (const { account, name } of accounts) {
    const root = ROOTS[keys.get(account) ?? ''] ?? 'Expenses'
    const path = configured({ account, accountName: name }) ?? `${account} ${name}`
    const wanted = pathOf(path, root)
    let unique = wanted
    for (let n = 2; taken.has(unique); n += 1) unique = `${wanted}-${n}`
    taken.add(unique)
    names.set(account, unique)
  }
  return names
}

/** Returns the path of an account. `Assets:Card processor` has its own root; other text goes below `root`. */
function pathOf(text: string, root: string): string {
  const parts = text.split(':').map(partOf)
  const own = KNOWN_ROOTS[(parts[0] ?? '').toLowerCase()]
  const path = own === undefined || parts.length < 2 ? [root, ...parts] : [own, ...parts.slice(1)]
  return path.join(':')
}

/**
 * Reduces a text to letters, digits and single hyphens. The result begins with a capital or a digit, as beancount
 * demands.
 */
function partOf(text: string): string {
  const words = text.normalize('NFC').replaceAll(/[^\p{L}\p{Nd}]+/gu, '-')
  const part = words.replaceAll(/^-+|-+$/g, '')
  const capital = part.charAt(0).toUpperCase() + part.slice(1)
  return /^[\p{Lu}0-9]/u.test(capital) ? capital : `X${capital}`
}
