/** The flags and the help of `worker`. */
import type { Command } from 'commander'
import type { Context } from './shell/context.ts'
import type { Flags } from '../workers/config/options.ts'

export function addWorker(program: Command, context: Context): void {
  program
    .command('worker')
    .description(
      'Runs a worker until it is stopped. Without TEMPORAL_ADDRESS it hosts the embedded server, which schedules need.',
    )
    .option(
      '--metrics <address>',
      'the address of its metrics, such as 127.0.0.1:9464, or off (TIEOUT_METRICS)',
    )
    .option('--web <address>', 'serve the console beside the worker, such as 127.0.0.1:8780')
    .action(async (given: Flags & { web?: string }) => {
      const { workerCommand } = await import('./worker.ts')
      await workerCommand(context, given)
    })
}
