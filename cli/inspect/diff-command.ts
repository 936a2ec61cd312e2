/** The flags and the help of `diff`. */
import type { Command } from 'commander'
import type { Context } from '../shell/context.ts'

export function addDiff(program: Command, context: Context): void {
  program
    .command('diff')
    .description('Compares two packs: restated settlements, exceptions and journal lines.')
    .argument('<pack>', 'folder or address of the earlier pack')
    .argument('<later>', 'folder or address of the later pack')
    .action(async (pack: string, later: string, flags: object) => {
      const { diffCommand } = await import('./diff.ts')
      await diffCommand(context, [pack, later], flags)
    })
}
