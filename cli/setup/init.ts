/** The command `init`: writes a config file that explains every key. */
import { chmodSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { Failure } from '../../domain/failure.ts'
import { reasonOf } from '../../domain/reason.ts'
import { chosen } from '../../workers/config/options.ts'
import { starterConfig } from '../../workers/config/starter-config.ts'
import type { Flags } from '../../workers/config/settings.ts'
import type { Context } from '../shell/context.ts'
import { typed } from '../shell/typed-command.ts'

export function initCommand(context: Context, flags: Flags & { output?: string }): void {
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
      typed(
        'next: set base_url there or TIEOUT_BASE_URL, set the credentials in variables, then run tieout doctor',
      ),
    )
  }
}

function write(file: string, text: string): void {
  try {
    writeFileSync(file, text, { flag: 'wx' })
    // The config file holds no secret, and a service of another user may read it.
    chmodSync(file, 0o644)
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'EEXIST') {
      throw new Failure('would_overwrite', `the config file ${file} exists already`, {
        cause,
        remedy: 'tieout config show to see its values, or tieout init --output FILE',
      })
    }
    throw new Failure('usage', `the file ${file} can't be written: ${reasonOf(cause)}`, { cause })
  }
}
