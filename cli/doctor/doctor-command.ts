/** The flags and the help of `doctor`. */
import type { Command } from 'commander'
import type { Context } from '../shell/context.ts'

export function addDoctor(program: Command, context: Context): void {
  program
    .command('doctor')
    .description('Checks Node, Temporal, lake, extensions, credentials and write access.')
    .option(
      '--source',
      'send fewer than 30 requests to learn how the service behaves where its documentation is silent',
    )
    .option('--deep', 'check every file of the lake against the hash that was stored with it')
    .action(async (flags: { deep?: boolean; source?: boolean }) => {
      const { doctorCommand } = await import('./doctor.ts')
      await doctorCommand(context, flags)
    })
}
