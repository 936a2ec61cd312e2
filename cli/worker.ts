/** `worker`: stays, and does the work that schedules and people ask for. */
import type { Command } from 'commander'
import { withEngine } from '../workers/engine.ts'
import { readSettings } from '../workers/settings.ts'
import type { Context } from './context.ts'

export function addWorker(program: Command, context: Context): void {
  program
    .command('worker')
    .description(
      'A long-running worker. Without TEMPORAL_ADDRESS it hosts the embedded server, which schedules need.',
    )
    .action(async (flags: object) => {
      const settings = readSettings(context.flagsOf(flags), 'source')
      const { signal, terminal } = context
      await withEngine(settings, { owner: 'worker', say: terminal.say, signal }, (engine) => {
        terminal.say(`worker ready: Temporal ${engine.address}, lake ${settings.lake.folder}`)
        return engine.ended
      })
    })
}
