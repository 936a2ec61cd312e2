/** The flags and the help of `config`: every setting with its origin, a check of them, the schema of the file. */
import { Option, type Command } from 'commander'
import type { Context } from '../shell/context.ts'
import type { Flags } from '../../workers/config/options.ts'

export function addConfig(program: Command, context: Context): void {
  const group = program.command('config').description('Shows or checks the settings.')
  group
    .command('show')
    .description('Shows every value and its origin.')
    .option('--out <place>', 'the folder or s3:// address for packs (TIEOUT_OUT)')
    .addOption(
      new Option('--csv-profile <profile>', 'the form of the CSV files').choices([
        'machine',
        'excel',
      ]),
    )
    .addHelpText('after', HELP)
    .action(async (flags: Flags) => {
      const { showCommand } = await import('./config.ts')
      await showCommand(context, flags)
    })
  group
    .command('validate')
    .description('Checks the settings as the start of a run does. Nothing is opened or sent.')
    .option('--file-only', 'check the config file alone, without variables and credentials')
    .addHelpText('after', CHECKS)
    .action(async ({ fileOnly = false }: { fileOnly?: boolean }) => {
      const { validateCommand } = await import('./config.ts')
      await validateCommand(context, fileOnly)
    })
  group
    .command('schema')
    .description('Prints the JSON Schema of the config file, for editors, or of an output.')
    .argument(
      '[output]',
      'manifest, webhook, error, or a command with a JSON result, such as "periods list"',
    )
    .action(async (output: string | undefined) => {
      const { json } = context.flagsOf({})
      context.terminal.print(
        JSON.stringify(await schemaOf(output), undefined, json === true ? 0 : 2),
      )
    })
}

async function schemaOf(output: string | undefined): Promise<object> {
  if (output === undefined) {
    const { configJsonSchema } = await import('../../workers/config/json-schema.ts')
    return configJsonSchema()
  }
  const { outputJsonSchema } = await import('../schemas/json-schemas.ts')
  return outputJsonSchema(output)
}

const CHECKS = `
Reports every fault of the config file with line and column, then the first fault of the other settings. Exits with
code 0, or with 2 if there is a fault.`

const HELP = `
A value comes from a flag, a variable of the environment, a key of the config file, or the default, in this order.
A secret is never shown, only its origin. After the values the command reports every fault in them (exit 2).`
