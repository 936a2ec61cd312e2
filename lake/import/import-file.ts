import { hash, randomUUID } from 'node:crypto'
import { mkdirSync, rmSync, statSync, type BigIntStats } from 'node:fs'
import { join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import { Failure } from '../../domain/failure.ts'
import {
  DEFAULT_READING,
  nameOf,
  type ImportedFile,
  type ImportOrder,
  type ImportReading,
} from '../../domain/import.ts'
import { SCHEMA_VERSION } from '../../domain/schema-version.ts'
import { sha256OfFile } from '../../domain/file-hash.ts'
import { interruptible } from '../connection/interruptible.ts'
import type { Lake } from '../connection/lake.ts'
import { scratchFolder } from '../connection/open.ts'
import { ownName } from '../connection/process-mark.ts'
import { landedImport, landImport } from './land-import.ts'
import { emptyNames } from '../landing/unknown-names.ts'
import { unread } from './file-kind.ts'
import { readFile, refuseUnlessRead } from './read-file.ts'
import { type Judging } from './judging.ts'

export type { Judging } from './judging.ts'

export interface ImportTools extends Judging {
  lake: Lake
  /** The version of the schemas that judge the records. Absent: the present one. */
  schemaVersion?: number
  signal?: AbortSignal | undefined
}

/**
 * Imports one file, either the whole of it or nothing. A second import with the same reading and the same version of
 * the schemas changes nothing. Under another version all records are judged again. Throws lake_locked, or
 * import_unreadable, which names the file and the line or column.
 */
export async function importFile(order: ImportOrder, tools: ImportTools): Promise<ImportedFile> {
  const startedAt = new Date().toISOString()
  const before = statOf(order)
  const fileSha256 = await sha256Of(order)
  const { schemaVersion = SCHEMA_VERSION } = tools
  const sweepId = sweepIdOf(order, { ...tools, schemaVersion }, fileSha256)
  const exportedAt = order.exportedAt ?? lastWritten(before)
  return withConnections(tools, async (main, aside) => {
    const name = nameOf(order)
    const known = await landedImport(main, sweepId)
    if (known !== undefined) return { file: name, sweepId, ...known }
    const scratch = scratchFiles(tools.lake)
    try {
      const read = await readFile({ main, aside }, { order, scratch }, tools)
      refuseChanged(order, before)
      const { staged, unknownWords, emptyFields, absentFields } = await refuseUnlessRead(
        order,
        read,
        {
          ...{ scratch, connection: main, judging: tools },
        },
      )
      const landed = await landImport(tools.lake, main, {
        ...staged,
        order: { ...order, exportedAt },
        hashKeys: tools.hashKeys,
        ...{ sweepId, fileSha256, startedAt, schemaVersion },
        names: { ...unknownWords, ...emptyNames(emptyFields) },
        now: () => new Date().toISOString(),
      })
      const { first, leftOut } = staged
      return {
        ...{ file: name, sweepId, ...landed },
        ...(unknownWords && { unknownWords }),
        ...(first.length > 0 && { rejects: first }),
        ...(Object.keys(leftOut).length > 0 && { leftOut }),
        ...(emptyFields && { emptyFields }),
        ...(absentFields.length > 0 && { absentFields }),
      }
    } finally {
      for (const path of Object.values(scratch)) rmSync(path, { force: true })
    }
  })
}

/** Returns the id of the import. The same bytes with the same reading and the same options give the same id. */
function sweepIdOf(
  order: ImportOrder,
  { reading, schemaVersion }: { reading: ImportReading; schemaVersion: number },
  fileSha256: string,
): string {
  const { account, list, format, completeFrom = '' } = order
  const columns = Object.entries(reading.columns).sort(([a], [b]) => (a < b ? -1 : 1))
  // Later options are part of the hash only if they differ from their default, so that older imports keep their ids.
  const others = Object.entries(reading).filter(
    ([key, value]) =>
      !['columns', 'amounts', 'delimiter'].includes(key) &&
      JSON.stringify(value) !== JSON.stringify(DEFAULT_READING[key as keyof ImportReading]),
  )
  const how = JSON.stringify([
    ...[format, columns, reading.amounts, reading.delimiter, completeFrom, schemaVersion],
    ...(others.length === 0 ? [] : [others.toSorted(([a], [b]) => (a < b ? -1 : 1))]),
  ])
  const digest = hash('sha256', how).slice(0, 8)
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
    // Months are written in parallel, each from its own buffer.
    await main.run('set partitioned_write_flush_threshold = 122880')
    return await interruptible([main, aside], signal, () => work(main, aside))
  } finally {
    main.closeSync()
    aside.closeSync()
  }
}

function scratchFiles(lake: Lake) {
  const folder = scratchFolder(lake.settings)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, `import-${ownName()}-${randomUUID()}`)
  return { rows: `${path}.parquet`, copy: `${path}.txt` }
}

function statOf(order: ImportOrder): BigIntStats {
  const found = statSync(order.file, { bigint: true, throwIfNoEntry: false })
  if (found?.isFile() === true) return found
  throw unread(order, found?.isDirectory() === true ? 'is a folder' : 'there is no such file')
}

const lastWritten = ({ mtimeMs }: BigIntStats): string =>
  new Date(Math.min(Number(mtimeMs), Date.now())).toISOString()

const STATE = ['dev', 'ino', 'size', 'mtimeNs', 'ctimeNs'] as const

/** Throws import_unreadable if the file is another than before its hash: the rows would not be those of the hash. */
function refuseChanged(order: ImportOrder, before: BigIntStats): void {
  const now = statSync(order.file, { bigint: true, throwIfNoEntry: false })
  if (STATE.some((part) => now?.[part] !== before[part])) {
    throw unread(order, 'the file was changed while it was read; import it again when it is whole')
  }
}

async function sha256Of(order: ImportOrder): Promise<string> {
  try {
    return await sha256OfFile(order.file)
  } catch (cause) {
    throw new Failure('import_unreadable', `${nameOf(order)} can't be read`, { cause })
  }
}
