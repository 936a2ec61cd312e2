/** The flags and the help of `simulate`. */
import { Option, type Command } from 'commander'
import { DEFAULTS } from '../../simulator/world/options.ts'
import type { Context } from '../shell/context.ts'
import type { SimulateFlags } from './simulate.ts'

export function addSimulate(program: Command, context: Context): void {
  const command = program
    .command('simulate')
    .description('Runs only the simulator: a payments service with planted discrepancies.')
    .option('--port <port>', 'port on the loopback address (any free one)')
    .option('--now <time>', 'the simulated time (the end of the world)')
    .option('--truth <file>', 'write the planted discrepancies and the true results to this file')
  for (const [flag, what] of [
    ['--seed <n>', `the same seed makes the same world (${DEFAULTS.seed})`],
    ['--terminals <n>', `number of terminals (${DEFAULTS.terminals})`],
    ['--transactions <n>', `number of transactions (${DEFAULTS.transactions})`],
    ['--from <date>', `first day of the world (${DEFAULTS.from})`],
    ['--days <n>', `days of the world (${DEFAULTS.days})`],
    ['--limit-cap <n>', `most records of a page (${DEFAULTS.limitCap})`],
    ['--latency-ms <n>', `milliseconds before each answer (${DEFAULTS.latency_ms})`],
    ['--rate-per-second <n>', 'requests per second before 429 (no limit)'],
    [
      '--late-capture-rate <share>',
      `share of transactions that are captured days later (${DEFAULTS.lateCaptureRate})`,
    ],
    ['--mismatch-rate <share>', `share of settlements with a wrong net (${DEFAULTS.mismatchRate})`],
  ] as const) {
    command.option(flag, what)
  }
  for (const [flag, what, choices] of [
    [
      '--settled-flips <when>',
      `the event that sets the settled flag (${DEFAULTS.settledFlips})`,
      ['created', 'complete'],
    ],
    [
      '--last-modified-moves <when>',
      `the event that changes lastModified (${DEFAULTS.lastModifiedMoves})`,
      ['capture', 'settlement', 'never'],
    ],
    [
      '--order <order>',
      `order of every list (${DEFAULTS.order.transactions})`,
      ['created-asc', 'created-desc', 'modified-desc', 'id-asc', 'shuffled'],
    ],
    [
      '--limit-mode <mode>',
      `the answer to a larger limit (${DEFAULTS.limitMode})`,
      ['clamp', 'reject'],
    ],
    [
      '--api-version <date>',
      `version of the interface (${DEFAULTS.apiVersion})`,
      ['2018-06-01', '2023-05-16', '2026-08-21'],
    ],
  ] as const) {
    command.addOption(new Option(flag, what).choices([...choices]))
  }
  command
    .option('--reject-unknown-parameters', 'answer 400 to unknown parameters')
    .action(async (flags: SimulateFlags) => {
      const { simulateCommand } = await import('./simulate.ts')
      await simulateCommand(context, flags)
    })
}
