/** The flags and the help of `approve`. */
import { Option, type Command } from 'commander'
import type { Context } from '../shell/context.ts'
import type { ApproveFlags } from './approve.ts'

export function addApprove(program: Command, context: Context): void {
  program
    .command('approve')
    .description(
      "Records a reviewer's approval of a pack. Its entries count as exported from then on.",
    )
    .argument('<pack>', 'folder or address of the pack')
    .option('--by <name>', 'the reviewer (TIEOUT_ACTOR); never the preparer')
    .option('--reason <text>', 'the scope of the review; stored in the audit trail', 'reviewed')
    .option('--prepared-by <name>', 'the preparer of a pack that does not name one')
    .option('--yes', 'approve although decisions were made after the pack, or it was refused')
    .addOption(
      new Option('--refuse <reason>', 'record why you do not approve the pack').conflicts([
        ...['preparedBy', 'reason', 'yes'],
      ]),
    )
    .action(async (pack: string, flags: ApproveFlags) => {
      const { approveCommand } = await import('./approve.ts')
      await approveCommand(context, pack, flags)
    })
}
