/** The command `exceptions`: lists exceptions, shows one with its history, and records decisions on one or many. */
import type { Command } from 'commander'
import type { Context } from '../../shell/context.ts'
import { addApply, addExport } from './round-trip.ts'
import { addDecision } from './decision.ts'
import { addList } from './list.ts'
import { addShow } from './show.ts'

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
    .description('Accepts exceptions until a date; they open again on the day after.')
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
