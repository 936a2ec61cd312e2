/** The flags and the help of `import`. */
import { Option, type Command } from 'commander'
import type { Context } from '../shell/context.ts'
import type { ImportFlags } from './import.ts'

export function addImport(program: Command, context: Context): void {
  program
    .command('import')
    .description(
      'Imports transactions or settlements from NDJSON, CSV or Parquet files with any column names.',
    )
    .argument('<file...>', 'files, named pipes, or - for stdin')
    .addOption(
      new Option('--list <list>', 'the kind of records in the files')
        .choices(['transactions', 'settlements'])
        .default('transactions'),
    )
    .addOption(
      new Option(
        '--format <format>',
        "the format of the files (default: by the name's ending)",
      ).choices(['csv', 'ndjson', 'parquet']),
    )
    .option('--check', 'land nothing; print how tieout reads the files, and the config for them')
    .option('--yes', 'confirm the reading that --check prints')
    .option(
      '--exported-at <time>',
      "the time at which the files were made (default: each file's last change)",
    )
    .option('--complete-from <date>', 'the files are complete from this business date on')
    .action(async (files: string[], flags: ImportFlags) => {
      const { importCommand } = await import('./import.ts')
      await importCommand(context, files, flags)
    })
}
