/** The command `doctor`: finds faults in this machine and its configuration, each with a remedy. */
import type { DuckDBConnection } from '@duckdb/node-api'
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { settledFlag } from '../../queries/settled-flag.ts'
import { surveySource } from '../../api/sweep/probe-service.ts'
import { Failure, FAILURES, failureCode, type FailureCode } from '../../domain/failure.ts'
import { isObjectAddress } from '../../domain/object-address.ts'
import { reasonOf } from '../../domain/reason.ts'
import { Secret, type LakeSettings, type Settings } from '../../domain/settings.ts'
import { checkLake } from '../../lake/connection/check-lake.ts'
import { cantBeLake } from '../../lake/connection/lake-errors.ts'
import { makeFolder } from '../../lake/connection/make-folder.ts'
import { NoLake, openLake } from '../../lake/connection/open.ts'
import { readLake } from '../../lake/connection/read-lake.ts'
import type { Lake } from '../../lake/connection/lake.ts'
import { isLocal, isReadOnly, mayInsert } from '../../lake/connection/read-only-copy.ts'
import { refuseSetAside } from '../../lake/connection/set-aside.ts'
import { tryStore } from '../../reports/store/try-store.ts'
import { objectStore } from '../../workers/config/object-store.ts'
import { aborted } from '../../workers/temporal/aborted.ts'
import { ensureHashKeys, readAccounts, type Flags } from '../../workers/config/settings.ts'
import { namedProgram, temporalCli } from '../../workers/temporal/temporal-cli.ts'
import { checkService } from './check-service.ts'
import type { Context } from '../shell/context.ts'
import { errorLine } from '../shell/error-line.ts'
import { surveyLines, type SourceReport } from './survey-lines.ts'
import { typed } from '../shell/typed-command.ts'
import { extensionVersions, ownVersions, versionsText, type Versions } from './versions.ts'

interface Check {
  name: string
  /** Returns what the check found, or why it could not look. Throws a Failure with the remedy. */
  look: () => Promise<string | Unchecked>
}

/** An outcome that is no success: the check could not look. */
interface Unchecked {
  unchecked: string
}

/** Remedies that replace the hint to run this command. */
export const INSTEAD: Partial<Record<FailureCode, string>> = {
  source_refused: 'compare the request with the interface of the service, or ask its operator',
  schema_change: 'compare the fields named above with the interface of the service',
  temporal_unreachable: 'check TEMPORAL_ADDRESS, or unset it to use the embedded server',
  lake_unreachable: 'check TIEOUT_LAKE, TIEOUT_LAKE_DATA and the rights of this user',
  extension_missing: 'set DUCKDB_EXT_DIR to a folder that holds the extensions',
}

export async function doctorCommand(
  context: Context,
  flags: { deep?: boolean; source?: boolean },
): Promise<void> {
  const { json, ...settable } = context.flagsOf(flags)
  const say = (line: string) => {
    if (json !== true) context.terminal.print(line)
  }
  const checks: Result[] = []
  const versions = ownVersions()
  const deep =
    flags.deep === true
      ? [{ name: 'lake content', look: () => filesFound(settable, context.terminal.say) }]
      : []
  for (const check of [...checksFor(settable, context.signal, versions), ...deep]) {
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
  say(`      versions     ${versionsText(versions)}`)
  const answer = { checks, ...(flags.source === true ? { sources } : {}), versions }
  if (json === true) context.terminal.print(JSON.stringify(answer))
  context.exit(checks.find(({ exit }) => exit !== 0)?.exit ?? 0)
}

/** The settings; none if they can't be read, which their own check reports. */
function accountsOf(flags: Flags): readonly Settings[] {
  try {
    return readAccounts(flags, 'source')
  } catch {
    return []
  }
}

/** Reads every file of the lake. Throws lake_damaged. */
function filesFound(flags: Flags, say: (line: string) => void): Promise<string> {
  const [{ lake: settings }] = readAccounts(flags)
  const checking = async (connection: DuckDBConnection, lake: Lake) => {
    const { files, bytes } = await checkLake(lake, connection)
    return `${files.toLocaleString('en')} files of ${bytes.toLocaleString('en')} bytes are as they were written`
  }
  return readLake(settings, checking, say).catch(unlessAbsent(settings))
}

/** An empty database is no fault: the first run makes the lake there. */
const unlessAbsent =
  ({ catalog }: LakeSettings) =>
  (error: unknown): string => {
    if (!(error instanceof NoLake)) throw error
    return `no lake yet in ${catalog}; ${typed('tieout run')} makes one`
  }

type Result = Awaited<ReturnType<typeof outcomeOf>>

const lineOf = ({ ok, name, found, exit }: Result) =>
  `${ok ? 'ok  ' : exit === 0 ? '?   ' : 'FAIL'}  ${name.padEnd(12)} ${found}`

/** Describes how the service behaves, with what the lake observed of it. */
async function lookInto(
  settings: Settings,
  signal: AbortSignal,
): Promise<{ result: Result; report?: SourceReport }> {
  let report: SourceReport | undefined
  const look = async () => {
    if (settings.trouble !== undefined) throw settings.trouble
    if (settings.source === undefined)
      throw new Failure('config_missing', FAILURES.config_missing.remedy)
    const hashKey = ensureHashKeys(settings).first
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
    const found = await look()
    if (typeof found === 'string') return { name, ok: true, found, exit: 0 }
    return { name, ok: false, found: `not checked: ${found.unchecked}`, exit: 0 }
  } catch (error) {
    const { reportOf } = await import('../shell/failures.ts')
    const report = reportOf(error)
    if (report.error === undefined) throw error
    const instead =
      report.error.next === typed('tieout doctor')
        ? INSTEAD[failureCode(report.error.code)]
        : undefined
    const answer = { ...report.error, next: instead ?? report.error.next }
    return { name, ok: false, found: errorLine(answer), exit: report.exit, error: answer }
  }
}

/** The checks also write into `versions` what they learn. */
function checksFor(flags: Flags, signal: AbortSignal, versions: Versions): Check[] {
  return [
    { name: 'node', look: () => Promise.resolve(nodeVersion()) },
    { name: 'settings', look: () => Promise.resolve(settingsFound(flags)) },
    { name: 'temporal', look: () => temporalFound(signal, versions) },
    { name: 'lake', look: () => lakeFound(flags, versions) },
    { name: 'lake files', look: () => lakeWritten(flags) },
    { name: 'output', look: () => outputFound(flags) },
    ...serviceChecks(flags, signal),
  ]
}

/** Returns a check for each account. The account's name stands in the title if there are several. */
function serviceChecks(flags: Flags, signal: AbortSignal): Check[] {
  let accounts: readonly Settings[]
  try {
    accounts = readAccounts(flags, 'source')
  } catch (error) {
    return [{ name: 'service', look: () => Promise.reject(error) }]
  }
  return accounts.map((settings) => ({
    name: accounts.length === 1 ? 'service' : `service ${settings.account}`,
    look: () => checkService(settings, signal),
  }))
}

function nodeVersion(): string {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major > 20 || (major === 20 && minor >= 19)) return `Node ${process.versions.node}`
  throw new Failure('config_invalid', `Node ${process.versions.node} is too old`, {
    remedy: 'install Node 24; 20.19 or newer works',
  })
}

function settingsFound(flags: Flags): string {
  return readAccounts(flags)
    .map(({ account, timezone }) => `account ${account}, time zone ${timezone}`)
    .join('; ')
}

async function temporalFound(signal: AbortSignal, versions: Versions): Promise<string | Unchecked> {
  const { configuredAddress } = await import('../../workers/temporal/connect.ts')
  const { GRPC, grpcStatus } = await import('../../workers/temporal/grpc-status.ts')
  const service = configuredAddress()
  if (service === undefined) return embeddedFound(signal, versions)
  const { withClient } = await import('../../workers/temporal/with-client.ts')
  const { namespace } = service
  const where = `service at ${service.connection.address ?? ''}, namespace ${namespace}`
  // The check sends no payload, so it must work where the key can't be read.
  const payloadKey = new Secret(randomUUID())
  return withClient(
    { ...service, payloadKey },
    async ({ client }) => {
      try {
        const { serverVersion } = await client.workflowService.getSystemInfo({})
        versions.temporalServer = serverVersion
        await client.workflowService.describeNamespace({ namespace })
        return where
      } catch (error) {
        if (grpcStatus(error) !== GRPC.permissionDenied) throw error
        return { unchecked: `${where}: this key may not look at the namespace` }
      }
    },
    signal,
  )
}

/** Runs the program, because one that exists may be for another kind of machine. */
async function embeddedFound(signal: AbortSignal, versions: Versions): Promise<string> {
  const program = await temporalCli(() => {}, signal)
  try {
    const { stdout } = await promisify(execFile)(program, ['--version'], {
      signal,
      timeout: 20_000,
    })
    versions.temporalServer = stdout.trim().replace(/^temporal version /, '')
    const proof =
      namedProgram() === undefined
        ? 'its file has the pinned hash'
        : 'named by TIEOUT_TEMPORAL_CLI and therefore not compared with the pinned hash'
    return `embedded server, ${program}, ${stdout.trim()}; ${proof}`
  } catch (cause) {
    signal.throwIfAborted()
    throw new Failure('temporal_unreachable', `${program} can't be run: ${reasonOf(cause)}`, {
      cause,
      remedy: 'set TIEOUT_TEMPORAL_CLI to the Temporal command line program, or unset it',
    })
  }
}

async function lakeFound(flags: Flags, versions: Versions): Promise<string | Unchecked> {
  const [{ lake: settings }] = readAccounts(flags)
  let fetched = ''
  const say = (line: string) => (fetched = `; ${line}`)
  // A database that is looked at stays empty, so that a backup can still be restored there.
  const create = isLocal(settings) && !isReadOnly(settings)
  const lake = await openLake(settings, { say, create }).catch(unlessAbsent(settings))
  if (typeof lake === 'string') return lake
  try {
    const connection = await lake.connect()
    versions.duckdbExtensions = await extensionVersions(connection)
    if (!(await mayInsert(connection, settings))) return mayOnlyRead(settings.catalog)
  } finally {
    lake.close()
  }
  return `${settings.catalog}, extensions ducklake and its catalog's${fetched}`
}

const mayOnlyRead = (place: string): Unchecked => ({
  unchecked: `this user may only read ${place}, so no sweep can land there`,
})

/** Opening the lake does not prove that its files can be written. */
async function lakeWritten(flags: Flags): Promise<string | Unchecked> {
  const [{ lake }] = readAccounts(flags)
  refuseSetAside(lake)
  if (isReadOnly(lake)) return mayOnlyRead(lake.folder)
  if (isObjectAddress(lake.data)) {
    await tryStore(lake.data, () => lake.store ?? objectStore(), false).catch((cause: unknown) => {
      throw cause instanceof Failure ? cantHoldLake(cause) : cause
    })
  } else tryFile(lake.data, (cause) => cantBeLake(lake.data, cause))
  return `${lake.data} accepts new files`
}

const cantHoldLake = (cause: Failure) =>
  new Failure(cause.retry ? 'lake_lost' : 'lake_unreachable', cause.message, {
    cause,
    ...(cause.retry ? {} : { remedy: 'check TIEOUT_LAKE_DATA, and the right to write there' }),
  })

async function outputFound(flags: Flags): Promise<string> {
  const [{ out, packStore }] = readAccounts(flags)
  if (isObjectAddress(out)) {
    await tryStore(out, packStore ?? objectStore)
    return out
  }
  tryFile(
    out,
    (cause) =>
      new Failure(
        'config_invalid',
        `the output folder ${out} can't be written: ${reasonOf(cause)}`,
        {
          cause,
          remedy: 'set TIEOUT_OUT to a folder that you may write',
        },
      ),
  )
  return out
}

/** Writes a file into the folder and removes it. Makes the folder if it is missing. */
function tryFile(folder: string, failed: (cause: unknown) => Failure): void {
  try {
    makeFolder(folder)
    const scratch = mkdtempSync(join(folder, '.doctor-'))
    try {
      writeFileSync(join(scratch, 'file'), 'x'.repeat(4096))
    } finally {
      rmSync(scratch, { recursive: true, force: true })
    }
  } catch (cause) {
    throw failed(cause)
  }
}
