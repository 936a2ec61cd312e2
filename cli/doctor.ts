/** `doctor`: what this machine and this configuration lack, each with its remedy. */
import type { Command } from 'commander'
import { accessSync, constants, mkdirSync } from 'node:fs'
import { settledFlag } from '../activities/settled-flag.ts'
import { createSource } from '../api/source.ts'
import { surveySource } from '../api/survey.ts'
import { Failure, FAILURES } from '../domain/failure.ts'
import type { Settings } from '../domain/settings.ts'
import { openLake } from '../lake/open.ts'
import { aborted } from '../workers/aborted.ts'
import { ensureHashKey, readAccounts, type Flags } from '../workers/settings.ts'
import { temporalCli } from '../workers/temporal-cli.ts'
import type { Context } from './context.ts'
import { surveyLines, type SourceReport } from './survey-lines.ts'

interface Check {
  name: string
  /** Answers with what was found; throws a Failure with the remedy. */
  look: () => Promise<string>
}

export function addDoctor(program: Command, context: Context): void {
  program
    .command('doctor')
    .description('Checks Node, Temporal, lake, extensions, credentials and write access.')
    .option(
      '--source',
      'find out by fewer than 30 requests what the service does where its interface is silent',
    )
    .action(async (flags: { source?: boolean }) => {
      const { json, ...settable } = context.flagsOf(flags)
      const say = (line: string) => {
        if (json !== true) context.terminal.print(line)
      }
      const checks: Result[] = []
      for (const check of checksFor(settable)) {
        const result = await Promise.race([outcomeOf(check), aborted(context.signal)])
        checks.push(result)
        say(lineOf(result))
      }
      const sources: object[] = []
      for (const settings of flags.source === true ? accountsOf(settable) : []) {
        const looking = lookInto(settings, context.signal)
        const { report, result } = await Promise.race([looking, aborted(context.signal)])
        checks.push(result)
        say(lineOf(result))
        if (report === undefined) continue
        sources.push({ account: settings.account, ...report })
        for (const line of surveyLines(report)) say(`      ${line}`)
      }
      const answer = flags.source === true ? { checks, sources } : { checks }
      if (json === true) context.terminal.print(JSON.stringify(answer))
      context.exit(checks.find(({ exit }) => exit !== 0)?.exit ?? 0)
    })
}

/** Settings that can't be read were told by their own check. */
function accountsOf(flags: Flags): readonly Settings[] {
  try {
    return readAccounts(flags, 'source')
  } catch {
    return []
  }
}

type Result = Awaited<ReturnType<typeof outcomeOf>>

const lineOf = ({ ok, name, found }: Result) =>
  `${ok ? 'ok  ' : 'FAIL'}  ${name.padEnd(12)} ${found}`

/** What the service shows, and what the lake has seen of it. */
async function lookInto(
  settings: Settings,
  signal: AbortSignal,
): Promise<{ result: Result; report?: SourceReport }> {
  let report: SourceReport | undefined
  const look = async () => {
    if (settings.trouble !== undefined) throw settings.trouble
    if (settings.source === undefined)
      throw new Failure('config_missing', FAILURES.config_missing.remedy)
    const hashKey = ensureHashKey(settings)
    const { terminals } = settings
    const survey = await surveySource(settings.source, { hashKey, terminals, signal })
    report = { ...survey, settledFlag: await settledFlag(settings) }
    return `${settings.account}, ${survey.requests} requests`
  }
  const result = await outcomeOf({ name: 'source', look })
  return report === undefined ? { result } : { result, report }
}

async function outcomeOf({ name, look }: Check) {
  try {
    return { name, ok: true, found: await look(), exit: 0 }
  } catch (error) {
    const { tell } = await import('./failures.ts')
    const told = tell(error)
    return { name, ok: false, found: told.line, exit: told.exit }
  }
}

function checksFor(flags: Flags): Check[] {
  return [
    { name: 'node', look: () => Promise.resolve(nodeVersion()) },
    { name: 'settings', look: () => Promise.resolve(settingsFound(flags)) },
    { name: 'temporal', look: temporalFound },
    { name: 'lake', look: () => lakeFound(flags) },
    { name: 'output', look: () => Promise.resolve(outputFound(flags)) },
    ...serviceChecks(flags),
  ]
}

/** One for each account, named where there are several. */
function serviceChecks(flags: Flags): Check[] {
  let accounts: readonly Settings[]
  try {
    accounts = readAccounts(flags, 'source')
  } catch (error) {
    return [{ name: 'service', look: () => Promise.reject(error) }]
  }
  return accounts.map((settings) => ({
    name: accounts.length === 1 ? 'service' : `service ${settings.account}`,
    look: () => serviceFound(settings),
  }))
}

function nodeVersion(): string {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major > 20 || (major === 20 && minor >= 19)) return `Node ${process.versions.node}`
  throw new Failure('config_invalid', `Node ${process.versions.node} is too old`, {
    remedy: 'install Node 20.19 or newer',
  })
}

function settingsFound(flags: Flags): string {
  return readAccounts(flags)
    .map(({ account, timezone }) => `account ${account}, time zone ${timezone}`)
    .join('; ')
}

async function temporalFound(): Promise<string> {
  const { configuredService, unreachable } = await import('../workers/connect.ts')
  const service = configuredService()
  if (service === undefined) return `embedded server, ${await temporalCli(() => {})}`
  const { address } = service.connection
  const { Connection } = await import('@temporalio/client')
  const connection = await Connection.connect({
    ...service.connection,
    connectTimeout: '5s',
  }).catch((cause: unknown) => {
    throw unreachable(address, cause)
  })
  await connection.close()
  return `service at ${address ?? ''}, namespace ${service.namespace}`
}

async function lakeFound(flags: Flags): Promise<string> {
  const [{ lake: settings }] = readAccounts(flags)
  let fetched = ''
  const lake = await openLake(settings, { say: (line) => (fetched = `; ${line}`) })
  lake.close()
  return `${settings.catalog}, extensions ducklake and its catalog's${fetched}`
}

function outputFound(flags: Flags): string {
  const [{ out }] = readAccounts(flags)
  try {
    mkdirSync(out, { recursive: true, mode: 0o700 })
    accessSync(out, constants.W_OK)
  } catch (cause) {
    throw new Failure('config_invalid', `the output folder ${out} can't be written`, {
      cause,
      remedy: 'set TIEOUT_OUT to a folder that you may write',
    })
  }
  return out
}

async function serviceFound(settings: Settings): Promise<string> {
  if (settings.trouble !== undefined) throw settings.trouble
  if (settings.source === undefined)
    throw new Failure('config_missing', FAILURES.config_missing.remedy)
  const source = createSource(settings.source, { hashKey: ensureHashKey(settings) })
  try {
    await source.probe()
  } finally {
    await source.close()
  }
  return `${settings.source.baseUrl} answers and takes the credentials`
}
