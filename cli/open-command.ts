/** The flags and the help of `open`. */
import { Option, type Command } from 'commander'
import type { Context } from './shell/context.ts'
import type { OpenFlags } from './open.ts'

export function addOpen(program: Command, context: Context): void {
  program
    .command('open')
    .description('Shows the lake in a browser: look, drill down, decide. Ends with Ctrl-C.')
    .addOption(new Option('--port <number>', 'the port on this machine').default('0', 'a free one'))
    .option('--no-browser', 'only print the address')
    .action(async (flags: OpenFlags) => {
      const { openCommand } = await import('./open.ts')
      await openCommand(context, flags)
    })
}
