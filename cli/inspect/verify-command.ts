/** The flags and the help of `verify`. */
import type { Command } from 'commander'
import type { Context } from '../shell/context.ts'

export function addVerify(program: Command, context: Context): void {
  program
    .command('verify')
    .description(
      'Checks the hashes and control totals of a delivered pack, without a lake. With --lake it also checks the audit trail.',
    )
    .argument('<pack>', 'folder or address of the pack')
    .action(async (pack: string, flags: object) => {
      const { verifyCommand } = await import('./verify.ts')
      await verifyCommand(context, pack, flags)
    })
}
