/** The commands that write, each with what a lake must hold before it. */
import { join } from 'node:path'

/** The results of the lake's first night that the commands act on. */
export interface Facts {
  pack: string
  mismatches: string[]
  waivable: string
  transaction: string
  settlement: string
}

export interface Command {
  name: string
  args: (facts: Facts) => string[]
  /** Commands that ran before it; their effect is part of the lake. */
  after?: readonly string[]
  /** The variables of its own. */
  env?: Record<string, string>
}

export const NOW = '2026-10-30T04:15:00Z'
/** A day on, with new records of the service. */
export const LATER = '2026-10-31T04:15:00Z'
export const RANGE = ['--from', '2026-10-01', '--to', '2026-10-30', '--as-of', NOW]
export const KEYS = ['first-key-of-the-lake', 'second-key-of-the-lake'] as const

const first = ({ mismatches }: Facts): string => {
  const [id] = mismatches
  if (id === undefined) throw new Error('the world has mismatches')
  return id
}

const night = (name: string): Command => ({
  name,
  args: () => [name, '--from', '2026-10-01', '--to', '2026-10-31', '--as-of', LATER],
})

export const COMMANDS: readonly Command[] = [
  night('run'),
  night('reconcile'),
  night('report'),
  {
    name: 'backfill',
    args: () => [
      ...['backfill', '--from', '2026-10-05', '--to', '2026-10-20', '--as-of', LATER],
      ...['--reason', 'late records'],
    ],
  },
  { name: 'import', args: () => ['import', 'more.csv', '--exported-at', LATER, '--yes'] },
  {
    name: 'assign',
    args: (facts) => ['exceptions', 'assign', ...facts.mismatches, '--to', 'Cleo'],
  },
  {
    name: 'waive',
    args: ({ waivable }) => [
      ...['exceptions', 'waive', waivable, '--until', '2029-12-31', '--reason', 'agreed'],
    ],
  },
  {
    name: 'resolve',
    args: (facts) => [
      ...['exceptions', 'resolve', first(facts), '--clear-to', 'tips', '--date', '2026-10-29'],
      ...['--reason', 'booked by hand'],
    ],
  },
  {
    name: 'reopen',
    after: ['waive'],
    args: ({ waivable }) => ['exceptions', 'reopen', waivable, '--reason', 'not so after all'],
  },
  { name: 'apply', args: () => ['exceptions', 'apply', 'decided.csv'] },
  {
    name: 'attribute',
    args: ({ transaction, settlement }) => [
      ...['attribute', transaction, '--to', settlement, '--reason', 'seen on the slip'],
    ],
  },
  {
    name: 'release',
    after: ['attribute'],
    args: ({ transaction }) => ['attribute', transaction, '--undo', '--reason', 'it was another'],
  },
  { name: 'approve', args: ({ pack }) => ['approve', pack, '--by', 'Ben', '--yes'] },
  {
    name: 'close',
    args: () => [
      ...['periods', 'close', '2026-10', '--by', 'Ben', '--reason', 'October is done'],
      ...['--accept-open', 'the breaks are being chased'],
    ],
  },
  {
    name: 'reopen-period',
    after: ['close'],
    args: () => ['periods', 'reopen', '2026-10', '--by', 'Ben', '--reason', 'a late slip'],
  },
  { name: 'maintain', after: ['waive', 'attribute'], args: () => ['maintain'] },
  { name: 'backup', args: () => ['maintain', '--backup', 'copy'] },
  {
    name: 'erase',
    args: ({ transaction }) => [
      ...['maintain', '--erase', transaction, '--reason', 'asked for it', '--by', 'Ben'],
    ],
  },
  {
    name: 'rotate-key',
    env: { TIEOUT_HASH_KEY: KEYS.join('\n') },
    args: () => ['maintain', '--rotate-key', '--reason', 'it leaked', '--by', 'Ben'],
  },
]

/** The file that `import` reads and the file that `apply` reads. */
export const filesOf = (cwd: string) => ({
  import: join(cwd, 'more.csv'),
  apply: join(cwd, 'decided.csv'),
})

export function commandNamed(name: string): Command {
  const found = COMMANDS.find((command) => command.name === name)
  if (found === undefined) throw new Error(`no command is named ${name}`)
  return found
}
