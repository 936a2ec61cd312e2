/** The flags and the help of `maintain`. */
import type { Command } from 'commander'
import type { Context } from '../shell/context.ts'
import type { MaintainFlags } from './maintain.ts'

export function addMaintain(program: Command, context: Context): void {
  program
    .command('maintain')
    .description('Merges small files of the lake, expires old snapshots and deletes unused files.')
    .option('--backup <folder>', 'copy the lake into a new folder instead')
    .option(
      '--restore <folder>',
      'put such a copy in the place of the lake, or into an empty database, instead',
    )
    .option(
      '--erase <transactionId>',
      "erase the cardholder's identity from all transactions of this card instead",
    )
    .option(
      '--rotate-key',
      "hash the account's stored hashes again with the keys added to its hash key instead",
    )
    .option(
      '--reason <text>',
      'the reason for the erasure or the rotation; stored in the audit trail',
    )
    .option('--by <name>', 'your name (TIEOUT_ACTOR)')
    .action(async (flags: MaintainFlags) => {
      const { maintainCommand } = await import('./maintain.ts')
      await maintainCommand(context, flags)
    })
}
