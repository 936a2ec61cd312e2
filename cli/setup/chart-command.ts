/** The flags and the help of `chart`. */
import type { Command } from 'commander'
import type { Context } from '../shell/context.ts'
import type { Flags } from '../../workers/config/options.ts'

export function addChart(program: Command, context: Context): void {
  program
    .command('chart')
    .description('Maps the chart of accounts to your ledger, and writes it into the config file.')
    .option(
      '--set <key=number:name>',
      'an account of the chart; may be repeated',
      (one: string, all: string[]) => [...all, one],
      [],
    )
    .addHelpText('after', HELP)
    .action(async (flags: Flags & { set: string[] }) => {
      const { chartCommand } = await import('./chart.ts')
      await chartCommand(context, flags)
    })
}

const HELP = `
A person in a console window is asked for the number and the name of each account. Enter keeps the value in brackets.
With --set it asks nothing: --set sales=4000:Sales --set tips=2200. Without a name the old one stays. Without --set
and without a person it only shows the chart. Entries of approved packs keep the accounts that they were exported
with. --account changes one of the accounts of a file.`
