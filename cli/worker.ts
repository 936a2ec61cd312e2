/** The command `worker`: runs the work of schedules and people until it is stopped. */
import { withEngine } from '../workers/engine.ts'
import { Failure } from '../domain/failure.ts'
import { isLocal } from '../lake/connection/read-only-copy.ts'
import { configFile, readAccounts, type Flags } from '../workers/config/settings.ts'
import type { WebSettings } from '../web/serve.ts'
import { actorOf } from './decide/actor.ts'
import { globalFlags } from './shell/global-flags.ts'
import type { Context } from './shell/context.ts'

export async function workerCommand(
  context: Context,
  given: Flags & { web?: string },
): Promise<void> {
  const { web, ...flags } = given
  const { json: _json, ...settable } = context.flagsOf(flags)
  const accounts = readAccounts(settable, 'source')
  const place = web === undefined ? undefined : webPlace(web, configFile(settable, process.env).web)
  const { accountReportOf } = await import('./shell/failures.ts')
  const { logged } = await import('../workers/telemetry/logging.ts')
  const { signal } = context
  const say = logged(context.terminal.say)
  for (const { account, trouble } of accounts) {
    if (trouble !== undefined) say(accountReportOf(account, trouble).line)
  }
  await withEngine(accounts, { owner: 'worker', say, signal }, async (engine) => {
    const names = accounts.length === 1 ? '' : `, ${accounts.length} accounts`
    const [{ lake }] = accounts
    const where = isLocal(lake) ? lake.folder : lake.catalog
    const console =
      place === undefined ? undefined : await serveBeside(context, { settable, place, say })
    say(`worker ready: Temporal ${engine.address}, lake ${where}${names}`)
    try {
      return await engine.ended
    } finally {
      await console?.close()
    }
  })
}

/** Starts the console of the worker's accounts. */
async function serveBeside(
  context: Context,
  { settable, place, say }: { settable: Flags; place: WebPlace; say: (line: string) => void },
): Promise<{ close(): Promise<void> }> {
  const accounts = readAccounts(settable)
  const { serveConsole } = await import('../web/serve.ts')
  const served = await serveConsole({
    ...{ accounts, ...place, say, signal: context.signal },
    ...{ actor: actorOf(undefined) ?? '', commandFlags: globalFlags(settable) },
  })
  const [{ account }, ...others] = accounts
  const whose = others.length === 0 ? account : `${accounts.length} accounts`
  say(`console of ${whose}: ${served.url}`)
  return served
}

interface WebPlace {
  host: string
  port: number
  proxy?: WebSettings
}

/**
 * Reads the address of the console. Away from this machine it needs the configured proxy, which names the people, because
 * anyone could read the books there. Throws usage and config_invalid.
 */
function webPlace(text: string, proxy: WebSettings | undefined): WebPlace {
  const [, host = '', port = ''] = /^(\[[\da-fA-F:.]+\]|[\w.-]+):(\d{1,5})$/.exec(text) ?? []
  if (host === '' || Number(port) > 65_535) {
    throw new Failure('usage', `--web ${text} is not a host and a port such as 127.0.0.1:8780`)
  }
  const isLocal = /^(127\.[\d.]+|localhost|\[::1\])$/.test(host)
  if (isLocal || proxy !== undefined) {
    const named = proxy === undefined ? {} : { proxy }
    return { host: host.replace(/^\[|\]$/g, ''), port: Number(port), ...named }
  }
  throw new Failure('config_invalid', `--web ${text} is not an address of this machine alone`, {
    remedy: 'serve it on 127.0.0.1, or name the proxy and its users under web in the config file',
  })
}
