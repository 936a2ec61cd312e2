/** `init`: a config file to begin with, every key in it explained. */
import type { Command } from 'commander'
import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { Failure } from '../../domain/failure.ts'
import { reasonOf } from '../../domain/reason.ts'
import { chosen } from '../../workers/config/options.ts'
import { starterConfig } from '../../workers/config/starter-config.ts'
import type { Flags } from '../../workers/config/settings.ts'
import type { Context } from '../shell/context.ts'

export function addInit(program: Command, context: Context): void {
  program
    .command('init')
    .description(
      'Writes a config file in which every key is explained; never over one that exists.',
    )
    .option('--output <file>', 'where to (--config, TIEOUT_CONFIG, else tieout.yaml); - is stdout')
    .action((flags: Flags & { output?: string }) => {
      const { json } = context.flagsOf(flags)
      const { output } = flags
      const text = starterConfig()
      if (output === '-') {
        context.terminal.print(json === true ? JSON.stringify({ text }) : text.trimEnd())
        return
      }
      const named = chosen('config', { flags: context.flagsOf(flags), env: process.env }).value
      const file = resolve(output ?? named)
      write(file, text)
      if (json === true) context.terminal.print(JSON.stringify({ file }))
      else {
        context.terminal.print(`wrote ${file}`)
        context.terminal.say(
          'next: name the service there or by TIEOUT_BASE_URL, its credentials by variables, then tieout doctor',
        )
      }
    })
}

function write(file: string, text: string): void {
  try {
    writeFileSync(file, text, { flag: 'wx', mode: 0o644 })
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'EEXIST') {
      throw new Failure('would_overwrite', `the config file ${file} is there already`, {
        cause,
        remedy: 'tieout config show, which tells what it says, or tieout init --output FILE',
      })
    }
    throw new Failure('usage', `the file ${file} can't be written: ${reasonOf(cause)}`, { cause })
  }
}
