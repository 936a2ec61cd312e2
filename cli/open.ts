/** The command `open`: shows the lake in a browser, from this machine only. */
import { spawn } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../domain/temporary-folder.ts'
import { shortageFailure } from '../lake/connection/lake-errors.ts'
import { readAccounts, type Flags } from '../workers/config/settings.ts'
import { actorOf } from './decide/actor.ts'
import type { Context } from './shell/context.ts'
import { globalFlags } from './shell/global-flags.ts'
import { portFlag } from './shell/number-flag.ts'

export interface OpenFlags extends Flags {
  port?: string
  browser: boolean
}

const HOST = '127.0.0.1'

export async function openCommand(context: Context, flags: OpenFlags): Promise<void> {
  const { port, browser, ...rest } = flags
  const { json: _json, ...settable } = context.flagsOf(rest)
  const accounts = readAccounts(settable)
  const { serveConsole } = await import('../web/serve.ts')
  const { terminal, signal } = context
  const served = await serveConsole({
    ...{ accounts, host: HOST, port: portFlag(port ?? '0') },
    ...{ actor: actorOf(undefined) ?? '', commandFlags: globalFlags(settable), signal },
    say: terminal.say,
  })
  let folder: string | undefined
  try {
    if (browser) {
      folder = temporaryFolder('open')
      openBrowser(folder, served.url)
    }
    terminal.print(`console ready: ${served.url}`)
    terminal.say('The address works once. Ctrl-C ends the console.')
    await new Promise<void>((resolve) => {
      if (signal.aborted) resolve()
      else signal.addEventListener('abort', () => resolve())
    })
  } finally {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
    await served.close()
  }
}

/**
 * Opens the address with the system's own program. A file of this user leads there, because every user of the machine
 * sees the arguments of a program, and the address holds the token. A machine without one shows the printed address.
 */
function openBrowser(folder: string, url: string): void {
  const file = join(folder, 'open.html')
  const page = `<!doctype html><title>tieout</title><meta http-equiv="refresh" content="0; url=${url}">`
  try {
    writeFileSync(file, page, { mode: 0o600 })
  } catch (error) {
    throw shortageFailure(error) ?? error
  }
  const program = process.platform === 'darwin' ? 'open' : 'xdg-open'
  const child = spawn(program, [file], { stdio: 'ignore', detached: true })
  child.once('error', () => {})
  child.unref()
}
