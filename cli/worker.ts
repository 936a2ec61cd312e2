/** The command `worker`: runs the work of schedules and people until it is stopped. */
import type { Command } from 'commander'
import { withEngine } from '../workers/engine.ts'
import { readAccounts, type Flags } from '../workers/config/settings.ts'
import type { Context } from './shell/context.ts'

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
    .action(async (flags: Flags) => {
      const accounts = readAccounts(context.flagsOf(flags), 'source')
      const { accountReportOf } = await import('./shell/failures.ts')
      const { logged } = await import('../workers/telemetry/logging.ts')
      const { signal } = context
      const say = logged(context.terminal.say)
      for (const { account, trouble } of accounts) {
        if (trouble !== undefined) say(accountReportOf(account, trouble).line)
      }
      await withEngine(accounts, { owner: 'worker', say, signal }, (engine) => {
        const names = accounts.length === 1 ? '' : `, ${accounts.length} accounts`
        const { folder } = accounts[0].lake
        say(`worker ready: Temporal ${engine.address}, lake ${folder}${names}`)
        return engine.ended
      })
    })
}
