/** `doctor`: what this machine and this configuration lack, each with its remedy. */
import { Connection } from '@temporalio/client'
import type { Command } from 'commander'
import { accessSync, constants, mkdirSync } from 'node:fs'
import { createSource } from '../api/source.ts'
import { Failure, FAILURES } from '../domain/failure.ts'
import { openLake } from '../lake/open.ts'
import { configuredService, unreachable } from '../workers/connect.ts'
import { aborted } from '../workers/engine.ts'
import { ensureHashKey, readSettings, type Flags } from '../workers/settings.ts'
import { temporalCli } from '../workers/temporal-cli.ts'
import type { Context } from './context.ts'
import { tell } from './failures.ts'

interface Check {
  name: string
  /** Answers with what was found; throws a Failure with the remedy. */
  look: () => Promise<string>
}

export function addDoctor(program: Command, context: Context): void {
  program
    .command('doctor')
    .description('Checks Node, Temporal, lake, extensions, credentials and write access.')
    .action(async (flags: object) => {
      const { json, ...settable } = context.flagsOf(flags)
      const results = []
      let exit = 0
      for (const check of checksFor(settable)) {
        const result = await Promise.race([outcomeOf(check), aborted(context.signal)])
        if (exit === 0) exit = result.exit
        results.push(result)
        if (json !== true) {
          context.terminal.print(
            `${result.ok ? 'ok  ' : 'FAIL'}  ${check.name.padEnd(12)} ${result.found}`,
          )
        }
      }
      if (json === true) context.terminal.print(JSON.stringify({ checks: results }))
      context.exit(exit)
    })
}

async function outcomeOf({ name, look }: Check) {
  try {
    return { name, ok: true, found: await look(), exit: 0 }
  } catch (error) {
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
    { name: 'service', look: () => serviceFound(flags) },
  ]
}

function nodeVersion(): string {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major > 20 || (major === 20 && minor >= 19)) return `Node ${process.versions.node}`
  throw new Failure('config_invalid', `Node ${process.versions.node} is too old`, {
    remedy: 'install Node 20.19 or newer',
  })
}

function settingsFound(flags: Flags): string {
  const settings = readSettings(flags)
  return `account ${settings.account}, time zone ${settings.timezone}`
}

async function temporalFound(): Promise<string> {
  const service = configuredService()
  if (service === undefined) return `embedded server, ${await temporalCli(() => {})}`
  const { address } = service.connection
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
  const { lake: settings } = readSettings(flags)
  let fetched = ''
  const lake = await openLake(settings, { say: (line) => (fetched = `; ${line}`) })
  lake.close()
  return `${settings.catalog}, extensions ducklake and its catalog's${fetched}`
}

function outputFound(flags: Flags): string {
  const { out } = readSettings(flags)
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

async function serviceFound(flags: Flags): Promise<string> {
  const settings = readSettings(flags, 'source')
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
