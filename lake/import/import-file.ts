import { createHash } from 'node:crypto'
import { createReadStream, mkdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import { Failure } from '../../domain/failure.ts'
import type { ImportedFile, ImportOrder, ImportReading } from '../../domain/import.ts'
import { SCHEMA_VERSION } from '../../domain/schema-version.ts'
import type { Secret } from '../../domain/settings.ts'
import { interruptible } from '../interruptible.ts'
import type { Lake } from '../open.ts'
import { forgetHashKey, setHashKey } from './billing-sql.ts'
import { landedImport, landImport } from './land-import.ts'
import { planImport, type Plan } from './plan.ts'
import { stageImport, type Judge } from './stage.ts'
import { unknownWordsIn, type KnownWords } from './unknown-words.ts'

export interface ImportTools {
  lake: Lake
  reading: ImportReading
  hashKey: Secret
  /** Judges records one by one as the service's own are judged; the plan tells which texts of the file are numbers. */
  judgeFor: (plan: Plan) => Judge
  /** The words of the interface as it is known. */
  knownWords: KnownWords
  /** By which records are judged; absent: the present one. */
  schemaVersion?: number
  signal?: AbortSignal | undefined
}

/**
 * Imports one file, whole or not at all. A file that was imported before, with the same reading of it and by the same
 * version of the schemas, changes nothing; under another version all of it is judged again.
 * Throws import_unreadable naming file and line or column, or lake_locked.
 */
export async function importFile(order: ImportOrder, tools: ImportTools): Promise<ImportedFile> {
  const startedAt = new Date().toISOString()
  const written_ms = lastWritten(order.file)
  const fileSha256 = await sha256Of(order.file)
  const { schemaVersion = SCHEMA_VERSION } = tools
  const sweepId = sweepIdOf(order, { ...tools, schemaVersion }, fileSha256)
  const exportedAt = order.exportedAt ?? new Date(Math.min(written_ms, Date.now())).toISOString()
  return withConnections(tools, async (main, aside) => {
    const known = await landedImport(main, sweepId)
    if (known !== undefined) return { file: order.file, sweepId, ...known }
    const plan = await planImport(main, order, tools.reading)
    const scratch = scratchFile(tools.lake, fileSha256)
    try {
      await setHashKey(main, tools.hashKey)
      const about = { order, plan, scratch }
      const staged = await stageImport({ main, aside }, about, tools.judgeFor(plan))
      const unknownWords = await unknownWordsIn(main, order.list, tools.knownWords)
      const landed = await landImport(tools.lake, main, {
        ...staged,
        order: { ...order, exportedAt },
        ...{ sweepId, fileSha256, startedAt, schemaVersion },
        now: () => new Date().toISOString(),
      })
      return { file: order.file, sweepId, ...landed, ...(unknownWords && { unknownWords }) }
    } finally {
      await forgetHashKey(main).catch(() => {})
      rmSync(scratch, { force: true })
    }
  })
}

/** The same for the same bytes, read in the same way, with the same said of them. */
function sweepIdOf(
  order: ImportOrder,
  { reading, schemaVersion }: { reading: ImportReading; schemaVersion: number },
  fileSha256: string,
): string {
  const { account, list, format, completeFrom = '' } = order
  const columns = Object.entries(reading.columns).sort(([a], [b]) => (a < b ? -1 : 1))
  const how = JSON.stringify([
    ...[format, columns, reading.amounts, reading.delimiter, completeFrom],
    // Files of the first version were named without it.
    ...(schemaVersion === 1 ? [] : [schemaVersion]),
  ])
  const digest = createHash('sha256').update(how).digest('hex').slice(0, 8)
  return `import/${account}/${list}/${fileSha256}/${digest}`
}

async function withConnections<T>(
  { lake, signal }: ImportTools,
  work: (main: DuckDBConnection, aside: DuckDBConnection) => Promise<T>,
): Promise<T> {
  const main = await lake.connect()
  const aside = await lake.connect()
  try {
    signal?.throwIfAborted()
    // Months are written side by side, each from a buffer of its own.
    await main.run('set partitioned_write_flush_threshold = 122880')
    return await interruptible([main, aside], signal, () => work(main, aside))
  } finally {
    main.closeSync()
    aside.closeSync()
  }
}

function scratchFile(lake: Lake, fileSha256: string): string {
  const folder = join(lake.settings.folder, 'scratch')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return join(folder, `import-${fileSha256.slice(0, 16)}-${process.pid}-${Date.now()}.parquet`)
}

function lastWritten(file: string): number {
  const found = statSync(file, { throwIfNoEntry: false })
  if (found?.isFile() === true) return found.mtimeMs
  throw new Failure('import_unreadable', `${file}: there is no such file`)
}

async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256')
  try {
    for await (const chunk of createReadStream(file, { highWaterMark: 1 << 20 })) hash.update(chunk)
  } catch (cause) {
    throw new Failure('import_unreadable', `${file} can't be read`, { cause })
  }
  return hash.digest('hex')
}
