/**
 * The command `import`: lands transactions or settlements from files, instead of or beside the
 * service's lists.
 */
import type { Client } from '@temporalio/client'
import { hash as digestOf } from 'node:crypto'
import { join } from 'node:path'
import { dayStart, isDate } from '../../domain/business-day.ts'
import { Failure } from '../../domain/failure.ts'
import type {
  CheckedFile,
  ImportedFile,
  ImportFormat,
  ImportList,
  ImportOrder,
} from '../../domain/import.ts'
import type { Settings } from '../../domain/settings.ts'
import { withEngine } from '../../workers/engine.ts'
import { readSettings, type Flags } from '../../workers/config/settings.ts'
import { TASK_QUEUE } from '../../workers/temporal/task-queue.ts'
import type { importFiles } from '../../workflows/import-files.ts'
import type { Context } from '../shell/context.ts'
import { saysIfOpen } from '../shell/goes-on.ts'
import { checkedJson, checkedLines, linesOf, resultOf } from './text.ts'
import { withSources, type Source } from './import-source.ts'
import { instantFlag } from '../shell/instant-flag.ts'

export interface ImportFlags extends Flags {
  list: ImportList
  format?: ImportFormat
  exportedAt?: string
  completeFrom?: string
  check?: boolean
  yes?: boolean
  json?: boolean
}

/** A payload holds the names and the counts of this many files. */
const FILES_OF_A_PART = 25

export async function importCommand(
  context: Context,
  names: readonly string[],
  flags: ImportFlags,
): Promise<void> {
  const { json, ...settable } = context.flagsOf(flags)
  const settings = readSettings(settable)
  const { terminal, signal } = context
  const fromFlags = fromFlagsOf(settings, flags)
  if (flags.check === true && flags.yes === true) {
    throw new Failure('usage', 'give either --check or --yes: --check lands nothing to confirm')
  }
  const spooling = { folder: join(settings.lake.folder, 'scratch'), signal }
  await withSources(names, { ...spooling, format: flags.format }, async (sources) => {
    const orders = sources.map((source) => orderOf(source, fromFlags, terminal.say))
    if (flags.check === true) return check(context, { settings, orders }, flags)
    const confirmed = flags.yes === true ? await confirm(context, settings, orders) : orders
    const imported = await importAll(context, settings, confirmed)
    if (json === true) terminal.print(JSON.stringify(resultOf(imported)))
    else for (const line of linesOf(imported)) terminal.print(line)
  })
}

async function importAll(
  { terminal, signal }: Context,
  settings: Settings,
  orders: readonly ImportOrder[],
): Promise<ImportedFile[]> {
  const ids = inParts(orders).map((some) => importId(settings, some))
  return withEngine(
    [settings],
    { owner: 'command', say: terminal.say, signal, isMine: (id) => ids.includes(id) },
    async ({ client }) => {
      const { say } = terminal
      const files: ImportedFile[] = []
      for (const some of inParts(orders))
        files.push(...(await importSome(client, { settings, say }, some)))
      return files
    },
  )
}

/** Exits with 3 if a file can't be read with the settings or with the proposed ones. */
async function check(
  context: Context,
  { settings, orders }: { settings: Settings; orders: readonly ImportOrder[] },
  flags: ImportFlags,
): Promise<void> {
  const { terminal } = context
  const { json: isJson = false, ...settable } = context.flagsOf(flags)
  const checked: CheckedFile[] = []
  for (const order of orders) {
    const one = await checkOf(context, settings, order)
    checked.push(one)
    if (!isJson) for (const line of checkedLines(order, one, settable)) terminal.print(line)
  }
  if (isJson) terminal.print(JSON.stringify(checkedJson(orders, checked, settable)))
  const isUnread = ({ confirmed, proposed }: CheckedFile) =>
    (proposed ?? confirmed).refusal !== undefined
  if (checked.some(isUnread)) context.exit(3)
}

async function checkOf(
  { signal }: Context,
  settings: Settings,
  order: ImportOrder,
): Promise<CheckedFile> {
  const { checkImport } = await import('../../queries/check-import.ts')
  return checkImport(settings, order, signal)
}

/**
 * Adds the detected reading to each order. Throws import_unreadable if a value has two readings.
 */
async function confirm(
  context: Context,
  settings: Settings,
  orders: readonly ImportOrder[],
): Promise<ImportOrder[]> {
  const confirmed: ImportOrder[] = []
  for (const order of orders) {
    const { file, understood, questions, reading } = await checkOf(context, settings, order)
    if (questions.length > 0) {
      throw new Failure('config_invalid', `${file}: ${questions.join('; ')}`, {
        remedy: `set it under import.${order.list} in the config file and run the command again`,
      })
    }
    for (const one of understood) context.terminal.say(`${file}: ${one}`)
    confirmed.push(understood.length === 0 ? order : { ...order, reading })
  }
  return confirmed
}

/**
 * Splits the orders into workflows, so that many files make neither a long history nor a large
 * payload.
 */
export function inParts(orders: readonly ImportOrder[]): ImportOrder[][] {
  const parts = Math.ceil(orders.length / FILES_OF_A_PART)
  return Array.from({ length: parts }, (_, part) =>
    orders.slice(part * FILES_OF_A_PART, (part + 1) * FILES_OF_A_PART),
  )
}

/** Gives the same files the same id, so that the same command finds the import that it began before. */
function importId({ account }: Settings, orders: readonly ImportOrder[]): string {
  const hash = digestOf('sha256', JSON.stringify(orders)).slice(0, 16)
  return `import/${account}/${hash}`
}

async function importSome(
  client: Client,
  { settings, say }: { settings: Settings; say: (line: string) => void },
  orders: readonly ImportOrder[],
): Promise<ImportedFile[]> {
  const workflowId = importId(settings, orders)
  await saysIfOpen(client, { type: 'importFiles', workflowId }, say)
  const handle = await client.workflow.start<typeof importFiles>('importFiles', {
    taskQueue: TASK_QUEUE,
    workflowId,
    args: [orders],
    // The same command continues an interrupted import.
    workflowIdConflictPolicy: 'USE_EXISTING',
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    staticSummary: `Import for ${settings.account}`,
  })
  return handle.result()
}

type FromFlags = Pick<ImportOrder, 'account' | 'completeFrom' | 'exportedAt' | 'list'>

/** The flags that apply to all files. Throws usage. */
function fromFlagsOf(
  { account, timezone }: Settings,
  { list, exportedAt, completeFrom }: ImportFlags,
): FromFlags {
  return {
    ...{ account, list },
    ...(exportedAt !== undefined && { exportedAt: exportedFlag(exportedAt) }),
    ...(completeFrom !== undefined && { completeFrom: startOf(timezone, completeFrom) }),
  }
}

function orderOf(source: Source, fromFlags: FromFlags, say: (line: string) => void): ImportOrder {
  if (source.exportedAt !== undefined && fromFlags.exportedAt === undefined) {
    say(`${source.name ?? source.file}: counts as exported now; change that with --exported-at`)
  }
  return { ...source, ...fromFlags }
}

function exportedFlag(text: string): string {
  const instant = instantFlag('--exported-at', text)
  if (Date.parse(instant) <= Date.now()) return new Date(instant).toISOString()
  throw new Failure('usage', `--exported-at ${text} is in the future`, {
    remedy: 'write the time in UTC at which the file was exported',
  })
}

function startOf(timezone: string, date: string): string {
  if (isDate(date)) return dayStart(timezone, date)
  throw new Failure('usage', `--complete-from ${date} is not a date such as 2026-01-31`, {
    remedy: 'write the day as 2026-01-31',
  })
}
