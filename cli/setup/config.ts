/** The command `config`: shows every setting with its origin, and checks the settings. */
import { checkedSettings } from '../../workers/config/check-settings.ts'
import { readAccounts, type Flags } from '../../workers/config/settings.ts'
import {
  shownSettings,
  type ShownAccount,
  type ShownSetting,
} from '../../workers/config/shown-settings.ts'
import type { ErrorReport } from '../shell/failures.ts'
import type { Context } from '../shell/context.ts'

export async function showCommand(context: Context, flags: Flags): Promise<void> {
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
}

/** Checks the settings; `isFileOnly` leaves out variables and credentials. */
export async function validateCommand(context: Context, isFileOnly: boolean): Promise<void> {
  const { json, ...settable } = context.flagsOf({})
  const { accounts, faults } = checkedSettings(settable, isFileOnly)
  const { reportOf } = await import('../shell/failures.ts')
  const reports = faults.map((fault) => reportOf(fault))
  if (json === true) {
    const errors = reports.map(({ error }) => error)
    const answer = { valid: errors.length === 0, accounts, errors }
    context.terminal.print(
      JSON.stringify(errors.length === 0 ? answer : { ...answer, error: errors[0] }),
    )
  } else if (reports.length === 0) {
    context.terminal.print(['valid', ...accounts.map((name) => `account ${name}`)].join(', '))
  } else for (const { line } of reports) context.terminal.say(line)
  context.exit(Math.max(0, ...reports.map(({ exit }) => exit)))
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
