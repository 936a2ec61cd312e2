/** The flags and the help of `prove`. */
import type { Command } from 'commander'
import type { Context } from '../shell/context.ts'
import type { ProveFlags } from './prove.ts'

export function addProve(program: Command, context: Context): void {
  program
    .command('prove')
    .description('Recomputes a pack from the lake as of its run, and compares every byte.')
    .argument('<pack>', 'folder or address of the pack')
    .option(
      '--known-at <number or time>',
      'refuse a pack that was made from other knowledge than that of this landing number or time',
    )
    .action(async (pack: string, flags: ProveFlags) => {
      const { proveCommand } = await import('./prove.ts')
      await proveCommand(context, pack, flags)
    })
}
