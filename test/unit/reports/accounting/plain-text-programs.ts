/** hledger, ledger and beancount on a file of ours, and the answer of each. */
import { spawnSync } from 'node:child_process'

export interface Said {
  /** True if the strictest check that the program has passes without a word. */
  isAccepted: boolean
  complaint: string
  /** Balance by account, such as `-12.30`. */
  balances: Record<string, string>
  /** The entry ids that it sees, in the order of the file. */
  entries: string[]
}

export type Program = 'hledger' | 'ledger' | 'beancount'

/** Runs the checks of one program and reads the balances that it computes. */
export const ask: Readonly<Record<Program, (file: string) => Said>> = {
  hledger(file) {
    const checked = run('hledger', ['-f', file, 'check', '-s', 'ordereddates', 'uniqueleafnames'])
    const csv = run('hledger', ['-f', file, 'balance', '-N', '--flat', '-E', '-O', 'csv']).stdout
    const balances = csv.matchAll(/^"([^"]+)","(?:USD )?([^"]+)"$/gm)
    return {
      ...checked,
      balances: Object.fromEntries(
        [...balances].slice(1).map(([, account = '', amount = '']) => [account, decimal(amount)]),
      ),
      entries: linesOf(run('hledger', ['-f', file, 'codes']).stdout),
    }
  },
  ledger(file) {
    const strict = ['-f', file, '--pedantic', '--explicit']
    const form = String.raw`%(account)\t%(display_total)\n`
    const totals = ['bal', '--flat', '--empty', '--no-total', '--balance-format', form]
    const { stdout, ...checked } = run('ledger', [...strict, ...totals])
    const codes = run('ledger', ['-f', file, 'reg', '--format', String.raw`%(code)\n`]).stdout
    return {
      ...checked,
      balances: Object.fromEntries(
        linesOf(stdout)
          .map((line) => line.split('\t'))
          .map(([account = '', amount = '']) => [account, decimal(amount.replace('USD ', ''))]),
      ),
      entries: linesOf(codes).filter((code, at, all) => code !== all[at - 1]),
    }
  },
  beancount(file) {
    const checked = run('bean-check', [file])
    const { stdout } = run('python3', ['-c', SUMS, file])
    const [entries = '', ...lines] = linesOf(stdout)
    return {
      ...checked,
      balances: Object.fromEntries(
        lines
          .map((line) => line.split('\t'))
          .map(([account = '', amount = '']) => [account, decimal(amount)]),
      ),
      entries: entries.split(' '),
    }
  },
}

const SUMS = `
import sys
from collections import defaultdict
from beancount import loader
from beancount.core.data import Transaction
entries, errors, options = loader.load_file(sys.argv[1])
sums = defaultdict(int)
seen = [entry for entry in entries if isinstance(entry, Transaction)]
for entry in seen:
    for posting in entry.postings:
        sums[posting.account] += posting.units.number
print(' '.join(link for entry in sorted(seen, key=lambda e: e.meta['lineno']) for link in entry.links))
for account, amount in sorted(sums.items()):
    print(account, amount, sep='\\t')
`

const linesOf = (text: string) => text.split('\n').filter((line) => line !== '')

/** Two places for all: hledger and ledger print zero as 0. */
function decimal(text: string): string {
  if (!/^-?\d+(\.\d\d)?$/.test(text)) throw new Error(`${text} is no amount`)
  return text.includes('.') ? text : `${text}.00`
}

function run(command: string, args: string[]) {
  const done = spawnSync(command, args, {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    env: { ...process.env, LC_ALL: 'C.UTF-8' },
  })
  const complaint = done.stderr + (done.error === undefined ? '' : String(done.error))
  return { isAccepted: done.status === 0 && complaint === '', complaint, stdout: done.stdout }
}
