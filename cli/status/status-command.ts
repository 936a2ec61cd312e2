/** The flags and the help of `status`. */
import type { Command } from 'commander'
import type { Context } from '../shell/context.ts'

export function addStatus(program: Command, context: Context): void {
  program
    .command('status')
    .description('Shows how current each account is, its open exceptions, and running work.')
    .option('--max-age <hours>', 'exit with 1 if the last good pack of an account is older')
    .addHelpText('after', HELP)
    .action(async (flags: { maxAge?: string }) => {
      const { statusCommand } = await import('./status.ts')
      await statusCommand(context, flags)
    })
}

const HELP = `
Exits with code 0, also if no Temporal server is configured and none runs; with code 1 if the last good pack of an
account is older than --max-age; with code 6 if the lake, or the configured Temporal service, can't be reached. The
state of the rest is printed first.`
