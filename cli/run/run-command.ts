/** The flags and the help of `run`, `reconcile` and `report`. */
import { Option, type Command } from 'commander'
import type { Context } from '../shell/context.ts'
import { CERTIFICATES } from './certificates.ts'
import type { RunFlags } from './run.ts'

/** Both names do the same, as people look for either. */
const LANDED = {
  reconcile:
    'Reconciles and reports what has already landed, without a request to the service. The command report does the same.',
  report:
    'Makes a new pack of what has already landed, with all decisions up to now. The same as reconcile, by another name.',
}

export function addRun(program: Command, context: Context): void {
  publishing(program.command('run'), 'Runs one reconciliation now: sweep, land, reconcile, report.')
    .option(
      '--dry-run',
      'print what it would read and how long that takes, and land nothing; a service that was never read is asked for the length of its lists',
    )
    .action(async (flags: RunFlags) => {
      const { runCommand } = await import('./run.ts')
      context.exit(await runCommand(context, flags, 'source'))
    })
  for (const name of ['reconcile', 'report'] as const) {
    publishing(program.command(name), LANDED[name])
      .option(
        '--known-at <number or time>',
        'use only records that had landed by this landing number or time',
      )
      .action(async (flags: RunFlags) => {
        const { runCommand } = await import('./run.ts')
        context.exit(await runCommand(context, flags, 'lake'))
      })
  }
}

function publishing(command: Command, description: string): Command {
  return command
    .description(description)
    .option('--from <date>', 'first business date, included')
    .option('--to <date>', 'last business date, not included')
    .option(
      '--as-of <time>',
      'the time from which ages are counted, such as 2026-11-21T04:15:00Z (run: now; reconcile and report: the end of the newest sweep)',
    )
    .option('--out <place>', 'the folder or s3:// address for the pack (TIEOUT_OUT)')
    .option(
      '--fail-on <conditions>',
      'exit with 1 while such exceptions are open: error, warning, never, unexplained=100.00, or several with commas',
      'never',
    )
    .addOption(
      new Option(
        '--min-certificate <certificate>',
        'withhold the pack if its sweeps have a lower certificate',
      ).choices(Object.keys(CERTIFICATES)),
    )
    .addOption(
      new Option('--csv-profile <profile>', 'excel adds a byte order mark to each CSV').choices([
        'machine',
        'excel',
      ]),
    )
}
