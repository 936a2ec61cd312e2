/** The flags and the help of `query`. */
import { Option, type Command } from 'commander'
import type { Context } from '../shell/context.ts'
import { typed } from '../shell/typed-command.ts'
import { FORMATS } from './formats.ts'
import type { QueryFlags } from './query.ts'

export function addQuery(program: Command, context: Context): void {
  program
    .command('query')
    .description('Runs one read-only select over the views of the lake.')
    .argument('[SQL]', 'the select')
    .option('--file <file>', 'read the select from a file; - is stdin')
    .addOption(
      new Option(
        '--format <name>',
        'the format of the result (default: table in a console window, else csv)',
      ).choices(FORMATS),
    )
    .option('--output <file>', 'write to this new file instead of stdout')
    .option('--csv-profile <name>', 'machine, or excel with a byte order mark')
    .addOption(
      new Option(
        '--dictionary [form]',
        'print every view and column with its meaning, and run nothing: as a page, or as sources of dbt',
      )
        .choices(['page', 'dbt'])
        .conflicts(['file', 'format', 'output', 'csvProfile']),
    )
    .addHelpText('after', HELP)
    .action(async (sql: string | undefined, flags: QueryFlags) => {
      const { queryCommand } = await import('./query.ts')
      await queryCommand(context, sql, flags)
    })
}

const HELP = typed(`
The views, their columns, types and units: tieout query --dictionary, or docs/data-dictionary.md. Each has the column
account; --account chooses nothing here. Without SQL and --file it is read from stdin, or the views are listed.
Money and ids are text in JSON, one object a line, so that no reader rounds them; counts are numbers.`)
