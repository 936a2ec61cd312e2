/** The long proofs: for each its command, its seeds, and the figure that it ends with. */

import { stripVTControlCharacters } from 'node:util'

export interface Proof {
  /** Names the row of the page. */
  name: string
  /** Half a sentence: the thing that the figure shows. */
  shows: string
  /** Program and arguments; those without drawn input ignore the seed. */
  command: (seed: number) => string[]
  /** The figure, read from what the command printed. */
  result: (output: string) => string
}

const lastLine = (output: string) => output.trim().split('\n').at(-1) ?? ''

/** All lines that match, without colours and blanks, in one sentence. */
const linesWith = (pattern: RegExp) => (output: string) =>
  stripVTControlCharacters(output)
    .split('\n')
    .filter((line) => pattern.test(line))
    .map((line) => line.trim().replaceAll(/\s+/g, ' '))
    .join('; ')

/** All lines that match, each as a sentence of its own. */
const sentencesWith = (pattern: RegExp) => (output: string) =>
  output
    .split('\n')
    .filter((line) => pattern.test(line))
    .map((line) => `${line.charAt(0).toUpperCase()}${line.slice(1)}.`)
    .join(' ')

const npm = (script: string, ...args: string[]) => ['npm', 'run', '-s', script, '--', ...args]
const vitest = (...args: string[]) => ['npx', 'vitest', 'run', ...args]

const [MUTANTS, KILLS, SIXTY_NIGHTS, ACCOUNTS] = [
  'test/mutants',
  'test/system/kills',
  'test/system/workers/sixty-nights.long.test.ts',
  'test/system/scale/accounts.long.test.ts',
]
/** The patterns by which vitest excludes them. */
const OWN_ROWS = [`${MUTANTS}/**`, `${KILLS}/**`, SIXTY_NIGHTS, ACCOUNTS]

export const PROOFS: readonly Proof[] = [
  {
    name: 'long tests',
    shows:
      'every test whose file ends with `.long.test.ts`, without those that have a row of their own',
    command: () => vitest('--project', 'long', ...OWN_ROWS.flatMap((path) => ['--exclude', path])),
    result: lastLine,
  },
  {
    name: 'TypeScript variants',
    shows:
      'each broken variant of landing, sweep, pack, audit trail, locks and codec fails the test that is named for it',
    command: () => vitest('--project', 'long', MUTANTS),
    result: lastLine,
  },
  {
    name: 'branch coverage',
    shows:
      'tests take every branch of the code for money, time windows, paging, payloads and the audit trail',
    command: () => npm('test:coverage'),
    result: linesWith(/^(All files|Branches) /),
  },
  {
    name: 'sweeps',
    shows: 'a sweep loses, doubles and invents no record while lists change and requests fail',
    command: (seed) =>
      npm('simulate:sweeps', '--first', String(seed), '--seeds', '20000', '--lake-every', '40'),
    result: linesWith(/seeds,|^wrong/),
  },
  {
    name: 'drawn cases',
    shows:
      'certificates and explanations are those of a reference that tries all possible cuts and sets',
    command: (seed) =>
      npm('simulate:cases', '--cases', '1000000', '--first', String(1 + (seed % 1_500_000))),
    result: linesWith(/cases from seed/),
  },
  {
    name: 'whole-system simulation',
    shows: 'faults at any step leave lake, packs and decisions in agreement with the truth',
    command: (seed) => npm('simulate:system', '--first', String(seed), '--seeds', '200'),
    result: linesWith(/seeds in/),
  },
  ...['sweeps', 'runs', 'decisions'].map((part) => ({
    name: `failed operations of ${part}`,
    shows: 'each operation of each writer fails once, and a second delivery leaves the right state',
    command: () => npm('simulate:operations', '--of', part),
    result: sentencesWith(/failed operations/),
  })),
  {
    name: 'kills',
    shows:
      'commands, workers, servers and databases that are killed lose, double and tear no record, decision or pack',
    command: (seed) => [
      ...['env', `TIEOUT_TEST_KILL_SEED=${seed}`],
      ...vitest('--project', 'long', KILLS),
    ],
    result: linesWith(/^\d+ kills |^\d+ passed/),
  },
  {
    name: 'sixty nights',
    shows:
      'memory, handles, files and work of one worker and its server stay level over its nights',
    command: () => vitest('--project', 'long', SIXTY_NIGHTS),
    result: linesWith(/^night (1|20|40|60):|^files after/),
  },
  {
    name: 'many accounts',
    shows:
      'one, two and three workers make the same packs of 60 accounts, and none waits for the largest',
    command: () => npm('test:scale'),
    result: linesWith(/^\| [123] \||^\d+ passed/),
  },
  {
    name: 'bit errors',
    shows: 'a changed bit of any file of the lake never gives other books',
    command: (seed) => npm('simulate:bit-errors', '--bits', '500', '--seed', String(seed)),
    result: linesWith(/bits, wrong/),
  },
]
