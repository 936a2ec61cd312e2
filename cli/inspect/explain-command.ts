/** The flags and the help of `explain`. */
import type { Command } from 'commander'
import type { Context } from '../shell/context.ts'
import type { Flags } from '../../workers/config/options.ts'

export function addExplain(program: Command, context: Context): void {
  program
    .command('explain')
    .description('Explains why a settlement does or does not tie out, down to its transactions.')
    .argument('<settlementId>')
    .option('--as-of <time>', 'the time from which ages are counted')
    .action(async (settlementId: string, flags: Flags & { asOf?: string }) => {
      const { explainCommand } = await import('./explain.ts')
      await explainCommand(context, settlementId, flags)
    })
}
