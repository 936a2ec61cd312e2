/** The flags and the help of `exceptions`: lists exceptions, shows one, and records decisions on one or many. */
import { Option, type Command } from 'commander'
import type { Verb } from '../../../domain/decision-words.ts'
import type { Context } from '../../shell/context.ts'
import type { DecisionFlags } from './decision.ts'
import { addFilters, type FilterFlags } from './filter-flags.ts'
import type { ListFlags } from './list.ts'

export function addExceptions(program: Command, context: Context): void {
  const group = program
    .command('exceptions')
    .description('Lists exceptions and records decisions on them.')
  addList(group, context)
  addShow(group, context)
  addDecision(group, context, 'assign')
    .description('Assigns exceptions to a person. They stay open.')
    .requiredOption('--to <name>', 'the person who works on them')
    .option('--reason <text>', 'the reason; stored in the audit trail', 'to be worked on')
  addDecision(group, context, 'waive')
    .description(
      'Accepts exceptions until a date. Each opens again on the day after, or if its amount changes.',
    )
    .requiredOption('--until <date>', 'the last day on which they are accepted')
    .requiredOption('--reason <text>', 'the reason; stored in the audit trail')
  addDecision(group, context, 'resolve')
    .description('Marks exceptions as resolved. Each opens again if its amount changes.')
    .option(
      '--clear-to <account>',
      'clear the variance from suspense to this account or key of the chart',
    )
    .option('--date <date>', 'the posting date of that entry (default: today)')
    .requiredOption('--reason <text>', 'the solution; stored in the audit trail')
  addDecision(group, context, 'reopen')
    .description('Withdraws the last decision on exceptions.')
    .requiredOption('--reason <text>', 'the reason; stored in the audit trail')
  addExport(group, context)
  addApply(group, context)
}

function addList(group: Command, context: Context): void {
  addFilters(
    group
      .command('list')
      .description('Lists the exceptions of the newest run, with later decisions.'),
  )
    .addOption(
      new Option('--sort <key>', 'sort by this, the largest first (default: errors first)').choices(
        ['age', 'amount', 'code', 'terminal'],
      ),
    )
    .action(async (flags: ListFlags) => {
      const { listCommand } = await import('./list.ts')
      await listCommand(context, flags)
    })
}

function addShow(group: Command, context: Context): void {
  group
    .command('show')
    .description('Shows one exception with its history.')
    .argument('<exceptionId>')
    .action(async (exceptionId: string, flags: object) => {
      const { showCommand } = await import('./show.ts')
      await showCommand(context, exceptionId, flags)
    })
}

function addDecision(group: Command, context: Context, verb: Verb): Command {
  return addFilters(group.command(verb).argument('[exceptionIds...]', 'ids; none with filters'))
    .option('--by <name>', 'your name (TIEOUT_ACTOR)')
    .action(async (exceptionIds: string[], flags: DecisionFlags) => {
      const { decideCommand } = await import('./decision.ts')
      await decideCommand(context, { verb, exceptionIds }, flags)
    })
}

function addExport(group: Command, context: Context): void {
  addFilters(
    group
      .command('export')
      .description('Writes exceptions as CSV, with empty columns for decisions, for a spreadsheet.')
      .option('--output <file>', 'write to this new file instead of stdout'),
  ).action(async (flags: FilterFlags & { output?: string }) => {
    const { exportCommand } = await import('./round-trip.ts')
    await exportCommand(context, flags)
  })
}

function addApply(group: Command, context: Context): void {
  group
    .command('apply')
    .description('Records the decisions of an exported file: all of them, or none if one is wrong.')
    .argument('<file>', 'the CSV with its columns decision, to, until, clearTo, date, reason')
    .option('--by <name>', 'your name (TIEOUT_ACTOR)')
    .action(async (file: string, flags: { by?: string }) => {
      const { applyCommand } = await import('./round-trip.ts')
      await applyCommand(context, file, flags)
    })
}
