/** The flags and the help of `attribute`. */
import type { Command } from 'commander'
import type { Context } from '../shell/context.ts'
import type { AttributeFlags } from './attribute.ts'

export function addAttribute(program: Command, context: Context): void {
  program
    .command('attribute')
    .description('Assigns a settled transaction to a settlement, for all later runs.')
    .argument('<transactionId>')
    .option('--to <settlement>', 'id of the settlement, or none')
    .option('--undo', 'withdraw the decision')
    .requiredOption('--reason <text>', 'the reason; stored in the audit trail')
    .option('--by <name>', 'your name (TIEOUT_ACTOR)')
    .action(async (transactionId: string, flags: AttributeFlags) => {
      const { attributeCommand } = await import('./attribute.ts')
      await attributeCommand(context, transactionId, flags)
    })
}
