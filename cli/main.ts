/** The command line: reads the arguments, runs one command, and exits with its code. */
import { Command, CommanderError } from 'commander'
import { Failure } from '../domain/failure.ts'
import { packageVersion } from '../lake/connection/package-root.ts'
import type { Context } from './shell/context.ts'
import { addExamples } from './shell/examples.ts'
import type { ErrorReport } from './shell/failures.ts'
import { BEGUN, openTerminal, type Terminal } from './shell/terminal.ts'
import type { CommandName } from './shell/typed-command.ts'
import type { Flags } from '../workers/config/settings.ts'
import { unknownVariables } from '../workers/config/environment-names.ts'

type Add = (program: Command, context: Context) => void

/**
 * The commands in the order of the help, and the files with their flags. These files load the work of a command when it
 * runs, so that the help needs nothing else.
 */
const COMMANDS: readonly { names: readonly CommandName[]; load: () => Promise<Add> }[] = [
  {
    names: ['run', 'reconcile', 'report'],
    load: async () => (await import('./run/run-command.ts')).addRun,
  },
  {
    names: ['backfill'],
    load: async () => (await import('./backfill/backfill-command.ts')).addBackfill,
  },
  { names: ['import'], load: async () => (await import('./import/import-command.ts')).addImport },
  { names: ['worker'], load: async () => (await import('./worker-command.ts')).addWorker },
  {
    names: ['schedule'],
    load: async () => (await import('./schedule/schedule-command.ts')).addSchedule,
  },
  { names: ['status'], load: async () => (await import('./status/status-command.ts')).addStatus },
  { names: ['open'], load: async () => (await import('./open-command.ts')).addOpen },
  {
    names: ['explain'],
    load: async () => (await import('./inspect/explain-command.ts')).addExplain,
  },
  { names: ['verify'], load: async () => (await import('./inspect/verify-command.ts')).addVerify },
  { names: ['diff'], load: async () => (await import('./inspect/diff-command.ts')).addDiff },
  { names: ['prove'], load: async () => (await import('./inspect/prove-command.ts')).addProve },
  {
    names: ['periods'],
    load: async () => (await import('./decide/periods-command.ts')).addPeriods,
  },
  {
    names: ['approve'],
    load: async () => (await import('./decide/approve-command.ts')).addApprove,
  },
  { names: ['query'], load: async () => (await import('./inspect/query-command.ts')).addQuery },
  {
    names: ['exceptions'],
    load: async () => (await import('./decide/exceptions/exceptions-command.ts')).addExceptions,
  },
  {
    names: ['attribute'],
    load: async () => (await import('./decide/attribute-command.ts')).addAttribute,
  },
  {
    names: ['maintain'],
    load: async () => (await import('./schedule/maintain-command.ts')).addMaintain,
  },
  {
    names: ['upgrade', 'rollback'],
    load: async () => (await import('./schedule/upgrade-command.ts')).addUpgrade,
  },
  { names: ['init'], load: async () => (await import('./setup/init-command.ts')).addInit },
  { names: ['config'], load: async () => (await import('./setup/config-command.ts')).addConfig },
  { names: ['chart'], load: async () => (await import('./setup/chart-command.ts')).addChart },
  { names: ['doctor'], load: async () => (await import('./doctor/doctor-command.ts')).addDoctor },
  { names: ['demo'], load: async () => (await import('./setup/demo-command.ts')).addDemo },
  {
    names: ['simulate'],
    load: async () => (await import('./setup/simulate-command.ts')).addSimulate,
  },
  { names: ['completion'], load: async () => (await import('./completion.ts')).addCompletion },
]

const EXIT_CODES = `
Exit codes: 0 done; 1 done, and exceptions at or above --fail-on are open; 2 wrong usage or configuration; 3 the source
failed; 4 an own control total failed, the pack is withheld; 5 refused by policy; 6 Temporal or the lake can't be
reached or is locked; 70 a bug; 130, 143 interrupted.`

/** A fixed width makes the help pages comparable on every terminal. */
const HELP_WIDTH = 100

/**
 * Runs one command line and returns the exit code. An interruption sets `signal`, with an
 * Interrupted as its reason.
 */
export async function main(args: readonly string[], signal: AbortSignal): Promise<number> {
  const terminal = openTerminal()
  let code = 0
  const exit = (exitCode: number) => {
    code = exitCode
  }
  let command = ''
  let account: string | undefined
  try {
    const program = await createProgram({ terminal, signal, exit }, args)
    command = commandIn(program, args)
    program.on('option:account', (name: string) => {
      account = name
    })
    await program.parseAsync(args, { from: 'user' })
    await terminal.written()
    // An interruption during the last steps counts as well.
    if (code === 0) signal.throwIfAborted()
    return code
  } catch (error) {
    // The help was asked for and printed.
    if (error instanceof CommanderError && error.exitCode === 0 && !signal.aborted) return 0
    const { reportOf } = await import('./shell/failures.ts')
    // The output's failure explains any other one.
    const unwritten = await terminal.written().then(
      () => undefined,
      (failed: unknown) => failed,
    )
    // Any failure after an interruption is reported as the interruption.
    const cause = signal.aborted ? signal.reason : (unwritten ?? error)
    const report = reportOf(cause, command, account)
    printReport(terminal, report, isJson(args) && unwritten === undefined)
    await terminal.written().catch(() => {})
    return report.exit
  }
}

function printReport(terminal: Terminal, { error, line, details }: ErrorReport, json: boolean) {
  if (error !== undefined && json) terminal.print(JSON.stringify({ error }))
  else if (line !== '') terminal.say(line)
  if (details !== undefined) terminal.say(details)
}

/** The command that the arguments name, such as `periods close`; empty if they name none. */
function commandIn(program: Command, args: readonly string[]): string {
  let at = program
  const names: string[] = []
  let isValue = false
  for (const word of args) {
    const next = isValue ? undefined : at.commands.find((known) => known.name() === word)
    const option = at.options.find(({ long, short }) => long === word || short === word)
    isValue = option !== undefined && (option.required || option.optional)
    if (next === undefined) continue
    names.push(word)
    at = next
  }
  return names.join(' ')
}

/** Reads the raw arguments, because the command line itself may be the error. */
function isJson(args: readonly string[]): boolean {
  const end = args.indexOf('--')
  return (end === -1 ? args : args.slice(0, end)).includes('--json')
}

/**
 * Warns about mistyped variables before the work. The command itself reports errors in the config
 * file.
 */
async function warningsFor(flags: Flags): Promise<string[]> {
  const { configFile } = await import('../workers/config/settings.ts')
  const file = () => {
    try {
      return configFile(flags, process.env)
    } catch {
      return undefined
    }
  }
  return unknownVariables(process.env, file).map(({ line }) => line)
}

/** An empty value most likely comes from a variable of a script that is not set. Throws usage. */
function refuseEmpty(command: Command): void {
  for (let at: Command | null = command; at !== null; at = at.parent) {
    for (const option of at.options) {
      if (isEmpty(at.getOptionValue(option.attributeName()))) throw empty(option.long ?? '')
    }
  }
  for (const [place, argument] of command.registeredArguments.entries()) {
    if (isEmpty(command.processedArgs[place])) throw empty(`<${argument.name()}>`)
  }
}

const isEmpty = (value: unknown) => [value].flat().includes('')

const empty = (name: string) =>
  new Failure('usage', `${name} is empty`, { remedy: 'write a value, or leave it out' })

/** Builds the program with the commands that the arguments name, or with all if they name none. */
export async function createProgram(
  { terminal, signal, exit }: Pick<Context, 'terminal' | 'signal' | 'exit'>,
  args: readonly string[] = [],
): Promise<Command> {
  const program = new Command('tieout')
    .description('Proves every settlement of a payments service from its transactions.')
    .version(packageVersion(), '--version', 'print the version')
    .option('--config <file>', 'config file (TIEOUT_CONFIG, else tieout.yaml)')
    .option('--account <name>', 'short name of the account (TIEOUT_ACCOUNT)')
    .option('--lake <folder>', 'folder or address of the lake (TIEOUT_LAKE)')
    .option('--json', 'machine-readable result on stdout')
    .addHelpText('afterAll', EXIT_CODES)
    .exitOverride()
    .configureHelp({ showGlobalOptions: true, helpWidth: HELP_WIDTH })
    .configureOutput({
      writeOut: (text) => terminal.print(text.trimEnd()),
      writeErr: (text) => terminal.say(text.trimEnd()),
      // Commander throws the error too, and main reports it.
      outputError: () => {},
    })
  const context: Context = {
    terminal,
    signal,
    exit,
    flagsOf: (flags) => ({ ...program.opts(), ...flags }),
  }
  program.hook('preAction', async (_program, command) => {
    signal.throwIfAborted()
    refuseEmpty(command)
    terminal.wait(BEGUN)
    for (const line of await warningsFor(context.flagsOf({}))) terminal.say(line)
  })
  const help = args.findIndex((word) => word === '--help' || word === '-h')
  const words = help === -1 ? args : args.slice(0, help)
  for (const { load } of neededFor(words)) {
    const add = await load()
    add(program, context)
  }
  addExamples(program)
  return program
}

/** The commands that the words name, or all if they name none. A completion script is made from all. */
function neededFor(words: readonly string[]): typeof COMMANDS {
  if (words[0] === '--version') return []
  const named = COMMANDS.filter(({ names }) => names.some((name) => words.includes(name)))
  return named.length === 0 || words.includes('completion') ? COMMANDS : named
}
