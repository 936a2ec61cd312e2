/** The flags and the help of `demo`. */
import type { Command } from 'commander'
import type { Context } from '../shell/context.ts'
import { FOLDERS, WORLD } from './demo-world.ts'

export function addDemo(program: Command, context: Context): void {
  program
    .command('demo')
    .description('Runs three nights on simulated data and makes a report pack.')
    .option('--out <folder>', `the folder for the packs (${FOLDERS.out})`)
    .option('--transactions <n>', 'size of the simulated world', String(WORLD.transactions))
    .addHelpText(
      'after',
      `\nWithout --lake the lake lies in ${FOLDERS.lake}. Each demo starts afresh and replaces only the lake and packs of an earlier demo.`,
    )
    .action(async (flags: { out?: string; transactions: string }) => {
      const { demoCommand } = await import('./demo.ts')
      await demoCommand(context, flags)
    })
}
