/** The flags and the help of `backfill`, and of its subcommands. */
import { Option, type Command } from 'commander'
import { Failure } from '../../domain/failure.ts'
import type { Context } from '../shell/context.ts'
import { CERTIFICATES } from '../run/certificates.ts'
import type { BackfillFlags } from './backfill.ts'
import type { SteerFlags, SteerVerb } from './control.ts'

export function addBackfill(program: Command, context: Context): void {
  const group = program
    .command('backfill')
    .description(
      'Reads past business dates again and reconciles them in chunks. A nightly run has priority over it.',
    )
    // Subcommands have options of their own.
    .configureHelp({ ...program.configureHelp(), visibleGlobalOptions: () => [...program.options] })
    .option('--from <date>', 'first business date, included')
    .option('--to <date>', 'last business date, not included')
    .option('--reason <text>', 'the reason; stored in the lake')
    .option('--by <name>', 'the name of the person who orders it (TIEOUT_ACTOR)')
    .option('--chunk-days <number>', 'business days in a chunk (default: calendar months)')
    .option('--rate <number>', 'the most requests per second that it sends')
    .option('--as-of <time>', 'the time from which ages are counted, such as 2026-11-21T04:15:00Z')
    .option('--out <place>', 'the folder or s3:// address for the packs (TIEOUT_OUT)')
    .addOption(
      new Option(
        '--min-certificate <certificate>',
        'withhold packs whose sweeps have a lower certificate',
      ).choices(Object.keys(CERTIFICATES)),
    )
    .option('--plan', 'print the plan and the estimate, and start nothing')
    .option('--detach', 'start it in a running `tieout worker` and return')
    .action(async (flags: BackfillFlags) => {
      const { backfillCommand } = await import('./backfill.ts')
      context.exit(await backfillCommand(context, flags))
    })
  addSteering(group, context)
}

function addSteering(group: Command, context: Context): void {
  group.hook('preSubcommand', (_, command) => {
    const stray = group.options.find(
      (option) =>
        option.long !== '--by' && group.getOptionValue(option.attributeName()) !== undefined,
    )
    if (stray !== undefined) {
      throw new Failure('usage', `${stray.long} is not a flag of backfill ${command.name()}`)
    }
  })
  group
    .command('status')
    .description('Lists running backfills with their progress, and earlier ones.')
    .action(async (flags: object) => {
      const { statusCommand } = await import('./control.ts')
      context.exit(await statusCommand(context, flags))
    })
  const named = (command: Command) =>
    command
      .argument(
        '[range]',
        'its dates, such as 2026-01-01..2026-07-01; needed if several backfills are running',
      )
      .option('--by <name>', 'your name (TIEOUT_ACTOR)')
  // The parent command takes --by too, and receives it first, wherever the flag stands.
  const flagsOf = (flags: SteerFlags): SteerFlags => {
    const { by } = group.opts<SteerFlags>()
    return by === undefined ? flags : { ...flags, by }
  }
  const add = (verb: SteerVerb, description: string) =>
    named(group.command(verb).description(description)).action(
      async (range: string | undefined, flags: SteerFlags) => {
        const { steerCommand } = await import('./control.ts')
        await steerCommand(context, verb, { range, flags: flagsOf(flags) })
      },
    )
  add('pause', 'Pauses a backfill after its current step.')
  add('resume', 'Resumes a paused backfill, or retries the step that failed.')
  named(
    group
      .command('slow')
      .description('Limits how many requests per second a backfill sends.')
      .argument('<rate>', 'requests per second, or full for no limit of its own'),
  ).action(async (rate: string, range: string | undefined, flags: SteerFlags) => {
    const { slowCommand } = await import('./control.ts')
    await slowCommand(context, rate, { range, flags: flagsOf(flags) })
  })
  add('cancel', 'Cancels a backfill. Landed records and published packs stay.')
}
