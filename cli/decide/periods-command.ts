/** The flags and the help of `periods`. */
import type { Command } from 'commander'
import type { Context } from '../shell/context.ts'
import type { PeriodAct } from '../../domain/books.ts'
import type { PeriodFlags } from './periods.ts'

export function addPeriods(program: Command, context: Context): void {
  const group = program
    .command('periods')
    .description('Manages accounting periods. A closed period takes no new postings.')
  group
    .command('list')
    .description('Lists every period that was ever closed, with the last decision on it.')
    .action(async (flags: object) => {
      const { listCommand } = await import('./periods.ts')
      await listCommand(context, flags)
    })
  const add = (kind: PeriodAct['kind'], description: string) =>
    group
      .command(kind)
      .description(description)
      .argument('<period>', 'a month, such as 2026-11')
      .requiredOption('--reason <text>', 'the reason; stored in the audit trail')
      .option('--by <name>', 'your name (TIEOUT_ACTOR)')
      .action(async (period: string, flags: PeriodFlags) => {
        const { turnCommand } = await import('./periods.ts')
        await turnCommand(context, { kind, period }, flags)
      })
  add(
    'close',
    'Prints a checklist, then closes a period. Later entries post into the next open one.',
  ).option(
    '--accept-open <reason>',
    'close although blockers of the checklist are open, for this reason',
  )
  add('reopen', 'Opens a closed period again.')
}
