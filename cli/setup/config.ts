/** The command `config`: shows every setting with its origin. */
import { Option, type Command } from 'commander'
import { readAccounts, type Flags } from '../../workers/config/settings.ts'
import {
  shownSettings,
  type ShownAccount,
  type ShownSetting,
} from '../../workers/config/shown-settings.ts'
import type { ErrorReport } from '../shell/failures.ts'
import type { Context } from '../shell/context.ts'

const HELP = `
A value comes from a flag, a variable of the environment, a key of the config file, or the default, in this order.
A secret is never shown, only its origin. After the values the command reports every fault in them (exit 2).`

export function addConfig(program: Command, context: Context): void {
  const group = program.command('config').description('Shows or checks the settings.')
  group
    .command('show')
    .description('Shows every value and its origin.')
    .option('--out <folder>', 'the folder for packs (TIEOUT_OUT)')
    .addOption(
      new Option('--csv-profile <profile>', 'the form of the CSV files').choices([
        'machine',
        'excel',
      ]),
    )
    .addHelpText('after', HELP)
    .action(async (flags: Flags) => {
      const { json, ...settable } = context.flagsOf(flags)
      const accounts = shownSettings(settable, process.env)
      if (json !== true) {
        for (const line of accounts.flatMap(linesOf)) context.terminal.print(line)
        readAccounts(settable)
        return
      }
      const wrong = await wrongIn(settable)
      context.terminal.print(
        JSON.stringify(wrong === undefined ? { accounts } : { accounts, error: wrong.error }),
      )
      if (wrong !== undefined) context.exit(wrong.exit)
    })
}

/** Reports the error on stderr, so that stdout stays one answer. */
async function wrongIn(flags: Flags): Promise<ErrorReport | undefined> {
  try {
    readAccounts(flags)
    return undefined
  } catch (error) {
    const { reportOf } = await import('../shell/failures.ts')
    return reportOf(error)
  }
}

function linesOf({ account, settings }: ShownAccount): string[] {
  const widest = (cells: string[]) => Math.max(...cells.map((cell) => cell.length))
  const keys = widest(settings.map(({ key }) => key))
  const values = Math.min(40, widest(settings.map(({ value }) => value)))
  return [
    `account ${account}`,
    ...settings.map((setting) =>
      [
        `  ${setting.key.padEnd(keys)}`,
        (setting.value === '' ? '-' : setting.value).padEnd(values),
        sourceOf(setting),
      ].join('  '),
    ),
  ]
}

const sourceOf = ({ from, name, value }: ShownSetting) => {
  if (from !== 'default') return `${from} ${name}`
  if (value !== '') return 'default'
  return name === '' ? 'not set' : `not set (${name})`
}
