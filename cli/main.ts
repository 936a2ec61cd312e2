/** The command line: reads it, runs one command, leaves with the promised code. */
import { Command } from 'commander'
import { addApprove } from './approve.ts'
import type { Context } from './context.ts'
import { addAttribute } from './attribute.ts'
import { addConfig } from './config.ts'
import { addDemo } from './demo.ts'
import { addDiff } from './diff.ts'
import { addDoctor } from './doctor.ts'
import { addExceptions } from './exceptions.ts'
import { addExplain } from './explain.ts'
import { Interrupted, tell, usageLine } from './failures.ts'
import { addImport } from './import.ts'
import { addInit } from './init.ts'
import { addPeriods } from './periods.ts'
import { addProve } from './prove.ts'
import { addQuery } from './query.ts'
import { addRun } from './run.ts'
import { addSchedule } from './schedule.ts'
import { addSimulate } from './simulate.ts'
import { openTerminal, type Terminal } from './terminal.ts'
import { addVerify } from './verify.ts'
import { addWorker } from './worker.ts'
import { configFile, type Flags } from '../workers/settings.ts'
import { strangeVariables } from '../workers/variables.ts'

const EXIT_CODES = `
Exit codes: 0 done; 1 done, and exceptions at or above --fail-on are open; 2 wrong usage or configuration; 3 the source
failed; 4 an own control total failed, the pack is withheld; 5 refused by policy; 6 Temporal or the lake can't be
reached or is locked; 70 a bug; 130, 143 interrupted.`

/** Ctrl-C, a service manager, a terminal that is closed. */
const ENDINGS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** The same on every terminal, so that it can be compared. */
const HELP_WIDTH = 100

/** Runs one command line and answers with the exit code. */
export async function main(args: readonly string[]): Promise<number> {
  const terminal = openTerminal()
  const gaveUp = new AbortController()
  const giveUp = (signal: NodeJS.Signals) => gaveUp.abort(new Interrupted(signal))
  for (const signal of ENDINGS) process.on(signal, giveUp)
  let code = 0
  try {
    const program = createProgram(terminal, gaveUp.signal, (exit) => {
      code = exit
    })
    await program.parseAsync(args, { from: 'user' })
    return code
  } catch (error) {
    const told = tell(error)
    if (told.line !== '') terminal.say(told.line)
    if (told.details !== undefined) terminal.say(told.details)
    return told.exit
  } finally {
    for (const signal of ENDINGS) process.off(signal, giveUp)
  }
}

/** A mistyped variable is told before the work, and whatever is wrong with the file by the command itself. */
function warningsFor(flags: Flags): string[] {
  const file = () => {
    try {
      return configFile(flags, process.env)
    } catch {
      return undefined
    }
  }
  return strangeVariables(process.env, file).map(({ line }) => line)
}

export function createProgram(
  terminal: Terminal,
  signal: AbortSignal,
  exit: (code: number) => void,
): Command {
  const program = new Command('tieout')
    .description('Proves every settlement of a payments service from its transactions.')
    .option('--config <file>', 'config file (TIEOUT_CONFIG, else tieout.yaml)')
    .option('--account <name>', 'short name of the account (TIEOUT_ACCOUNT)')
    .option('--lake <folder>', 'where the lake lies (TIEOUT_LAKE)')
    .option('--json', 'machine-readable result on stdout')
    .addHelpText('afterAll', EXIT_CODES)
    .exitOverride()
    .configureHelp({ showGlobalOptions: true, helpWidth: HELP_WIDTH })
    .configureOutput({
      writeOut: (text) => terminal.print(text.trimEnd()),
      writeErr: (text) => terminal.say(text.trimEnd()),
      outputError: (text, write) => write(usageLine(text)),
    })
  const context: Context = {
    terminal,
    signal,
    exit,
    flagsOf: (flags) => ({ ...program.opts(), ...flags }),
  }
  program.hook('preAction', () => {
    for (const line of warningsFor(context.flagsOf({}))) terminal.say(line)
  })
  for (const add of [
    addRun,
    addImport,
    addWorker,
    addSchedule,
    addExplain,
    addVerify,
    addDiff,
    addProve,
    addPeriods,
    addApprove,
    addQuery,
    addExceptions,
    addAttribute,
    addInit,
    addConfig,
    addDoctor,
    addDemo,
    addSimulate,
  ]) {
    add(program, context)
  }
  return program
}
