/** The flags and the help of `upgrade` and `rollback`. */
import type { Command } from 'commander'
import type { Context } from '../shell/context.ts'
import type { RollbackFlags } from './upgrade.ts'

export function addUpgrade(program: Command, context: Context): void {
  program
    .command('upgrade')
    .description(
      'Brings the tables of an older lake to this version of tieout. The catalog is copied before. Stop workers first.',
    )
    .action(async () => {
      const { upgradeCommand } = await import('./upgrade.ts')
      await upgradeCommand(context)
    })
  program
    .command('rollback')
    .description(
      'Puts the catalog of the lake back as it was before the newest upgrade. Stop workers first.',
    )
    .option('--discard-newer', 'lose everything that the lake has got since the upgrade')
    .action(async (flags: RollbackFlags) => {
      const { rollbackCommand } = await import('./upgrade.ts')
      await rollbackCommand(context, flags)
    })
}
