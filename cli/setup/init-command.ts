/** The flags and the help of `init`. */
import type { Command } from 'commander'
import type { Context } from '../shell/context.ts'
import type { Flags } from '../../workers/config/options.ts'

export function addInit(program: Command, context: Context): void {
  program
    .command('init')
    .description('Writes a config file that explains every key; never replaces an existing file.')
    .option(
      '--output <file>',
      'the file to write (--config, TIEOUT_CONFIG, else tieout.yaml); - is stdout',
    )
    .action(async (flags: Flags & { output?: string }) => {
      const { initCommand } = await import('./init.ts')
      initCommand(context, flags)
    })
}
