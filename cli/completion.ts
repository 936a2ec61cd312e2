/** The command `completion`: prints a script with which a shell completes commands and flags. */
import { Argument, type Command } from 'commander'
import { completionScript, SHELLS, type Shell } from './shell/completion-script.ts'
import type { Context } from './shell/context.ts'

const HELP = `
Write the script to a file that the shell reads when it starts.`

export function addCompletion(program: Command, context: Context): void {
  program
    .command('completion')
    .description('Prints a script that completes commands and flags in a shell.')
    .addArgument(new Argument('<shell>', 'the shell that reads the script').choices(SHELLS))
    .addHelpText('after', HELP)
    .action((shell: Shell) => {
      const { json } = context.flagsOf({})
      const text = completionScript(program, shell)
      context.terminal.print(json === true ? JSON.stringify({ shell, text }) : text.trimEnd())
    })
}
