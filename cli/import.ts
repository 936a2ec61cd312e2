/** `import`: transactions or settlements from files, instead of the service's lists or beside them. */
import { Option, type Command } from 'commander'
import type { Client } from '@temporalio/client'
import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { isDate, startOfDay } from '../domain/business-day.ts'
import { Failure } from '../domain/failure.ts'
import type { ImportedFile, ImportFormat, ImportList, ImportOrder } from '../domain/import.ts'
import type { Settings } from '../domain/settings.ts'
import { withEngine } from '../workers/engine.ts'
import { readSettings, type Flags } from '../workers/settings.ts'
import { TASK_QUEUE } from '../workers/task-queue.ts'
import type { importFiles } from '../workflows/import-files.ts'
import type { Context } from './context.ts'
import { instantFlag } from './instant-flag.ts'

export interface ImportFlags extends Flags {
  list: ImportList
  format?: ImportFormat
  exportedAt?: string
  completeFrom?: string
  json?: boolean
}

/** Their names are in one payload, and so are their counts. */
const FILES_OF_A_PART = 25

const FORMATS: Record<string, ImportFormat> = {
  csv: 'csv',
  tsv: 'csv',
  json: 'ndjson',
  jsonl: 'ndjson',
  ndjson: 'ndjson',
  parquet: 'parquet',
}

export function addImport(program: Command, context: Context): void {
  program
    .command('import')
    .description(
      'Transactions or settlements from NDJSON, CSV or Parquet, whatever their columns are called.',
    )
    .argument('<file...>')
    .addOption(
      new Option('--list <list>', 'what the files hold')
        .choices(['transactions', 'settlements'])
        .default('transactions'),
    )
    .addOption(
      new Option('--format <format>', 'by default what the name ends in').choices([
        'csv',
        'ndjson',
        'parquet',
      ]),
    )
    .option(
      '--exported-at <time>',
      'when the files were made; by default when they were last written',
    )
    .option(
      '--complete-from <date>',
      'the files hold all that was created from this business date on',
    )
    .action(async (files: string[], flags: ImportFlags) => importCommand(context, files, flags))
}

async function importCommand(context: Context, files: string[], flags: ImportFlags): Promise<void> {
  const { json, ...settable } = context.flagsOf(flags)
  const settings = readSettings(settable)
  const orders = ordersOf(settings, files, flags)
  const { terminal, signal } = context
  const imported = await withEngine(
    [settings],
    { owner: 'command', say: terminal.say, signal },
    async ({ client }) => {
      const files: ImportedFile[] = []
      for (const some of inParts(orders)) files.push(...(await importSome(client, settings, some)))
      return files
    },
  )
  if (json === true) terminal.print(JSON.stringify(resultOf(imported)))
  else for (const line of linesOf(imported)) terminal.print(line)
  refuseUnread(imported)
}

/** What was quarantined stays so; a file of which nothing could be read is no success. Throws import_unreadable. */
export function refuseUnread(files: readonly ImportedFile[]): void {
  const unread = files.find(({ rows, quarantined }) => rows > 0 && quarantined === rows)
  if (unread === undefined) return
  throw new Failure(
    'import_unreadable',
    `${unread.file}: none of its ${unread.rows} records could be read; they are quarantined`,
    { remedy: 'tieout query "select * from quarantine", which tells field and reason' },
  )
}

/** Each part is a workflow of its own, so that any number of files makes neither a long history nor a large payload. */
export function inParts(orders: readonly ImportOrder[]): ImportOrder[][] {
  const parts = Math.ceil(orders.length / FILES_OF_A_PART)
  return Array.from({ length: parts }, (_, part) =>
    orders.slice(part * FILES_OF_A_PART, (part + 1) * FILES_OF_A_PART),
  )
}

async function importSome(
  client: Client,
  { account }: Settings,
  orders: readonly ImportOrder[],
): Promise<ImportedFile[]> {
  const asked = createHash('sha256').update(JSON.stringify(orders)).digest('hex').slice(0, 16)
  const handle = await client.workflow.start<typeof importFiles>('importFiles', {
    taskQueue: TASK_QUEUE,
    workflowId: `import/${account}/${asked}`,
    args: [orders],
    // The same command goes on with an import that was interrupted.
    workflowIdConflictPolicy: 'USE_EXISTING',
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    staticSummary: `Import for ${account}`,
  })
  return handle.result()
}

/** Reads and checks the flags and that the files are there. Throws usage or import_unreadable. */
export function ordersOf(
  settings: Settings,
  files: readonly string[],
  flags: ImportFlags,
): ImportOrder[] {
  const { exportedAt, completeFrom } = flags
  const said = {
    account: settings.account,
    list: flags.list,
    ...(exportedAt === undefined ? {} : { exportedAt: exportedFlag(exportedAt) }),
    ...(completeFrom === undefined
      ? {}
      : { completeFrom: startOf(settings.timezone, completeFrom) }),
  }
  return files.map((name) => {
    const format = flags.format ?? formatOf(name)
    const file = resolve(name)
    if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) {
      throw new Failure('import_unreadable', `${name}: there is no such file`)
    }
    return { ...said, file, format }
  })
}

function exportedFlag(text: string): string {
  const instant = instantFlag('--exported-at', text)
  if (Date.parse(instant) <= Date.now()) return new Date(instant).toISOString()
  throw new Failure('usage', `--exported-at ${text} is in the future`)
}

function startOf(timezone: string, date: string): string {
  if (isDate(date)) return new Date(startOfDay(timezone, date)).toISOString()
  throw new Failure('usage', `--complete-from ${date} is no date such as 2026-01-31`)
}

function formatOf(name: string): ImportFormat {
  const ending = /\.([a-z]+)(?:\.gz)?$/i.exec(name)?.[1]?.toLowerCase() ?? ''
  const format = FORMATS[ending]
  if (format !== undefined) return format
  throw new Failure(
    'usage',
    `${name} ends in none of .csv, .tsv, .ndjson, .jsonl, .json, .parquet`,
    {
      remedy: 'say --format csv, ndjson or parquet',
    },
  )
}

const COUNTS = ['rows', 'newVersions', 'quarantined', 'differing', 'older'] as const

function resultOf(files: readonly ImportedFile[]) {
  const total = (count: (typeof COUNTS)[number]) =>
    files.reduce((sum, file) => sum + file[count], 0)
  return { files, ...Object.fromEntries(COUNTS.map((count) => [count, total(count)])) }
}

/** One line for each file, in words, and one for what it says beyond the known interface. */
export function linesOf(files: readonly ImportedFile[]): string[] {
  return files.flatMap((file) => [lineOf(file), ...unknownLines(file)])
}

const n = (count: number) => count.toLocaleString('en')

function lineOf(imported: ImportedFile): string {
  const { file, landed, rows, newVersions, quarantined, differing, older } = imported
  if (!landed) return `${file}: ${n(rows)} records, imported before; nothing changed`
  const differ = `${n(differing)} differed from what was known`
  return [
    `${file}: ${n(rows)} records, ${n(newVersions)} new or changed`,
    ...(quarantined === 0 ? [] : [`${n(quarantined)} quarantined`]),
    ...(differing === 0 ? [] : [differ]),
    ...(older === 0 ? [] : [`${n(older)} left as the service has shown them since`]),
  ].join(', ')
}

function unknownLines({ file, unknownWords = {} }: ImportedFile): string[] {
  const shown = Object.entries(unknownWords).map(([name, records]) => `${name} (${n(records)})`)
  return shown.length === 0
    ? []
    : [`${file} holds what the known interface doesn't have: ${shown.join(', ')}`]
}
