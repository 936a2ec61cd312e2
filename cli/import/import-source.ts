/** The files of an import. A pipe is first copied into a file. */
import {
  createReadStream,
  createWriteStream,
  fstatSync,
  mkdirSync,
  rmSync,
  statSync,
} from 'node:fs'
import { randomUUID } from 'node:crypto'
import { join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Failure } from '../../domain/failure.ts'
import type { ImportFormat, ImportOrder } from '../../domain/import.ts'
import { shortageFailure } from '../../lake/connection/lake-errors.ts'
import { ownName } from '../../lake/connection/process-mark.ts'
import { formatIn } from '../../lake/import/file-kind.ts'

const FORMATS: Record<string, ImportFormat> = {
  csv: 'csv',
  tsv: 'csv',
  json: 'ndjson',
  jsonl: 'ndjson',
  ndjson: 'ndjson',
  parquet: 'parquet',
}

const STDIN = new Set(['-', '/dev/stdin', '/dev/fd/0', '/proc/self/fd/0'])

export type Source = Pick<ImportOrder, 'exportedAt' | 'file' | 'format' | 'name'>

/** The folder for copies of pipes, which is as private as the files of the person. */
export interface Spooling {
  folder: string
  signal: AbortSignal
}

/**
 * Runs `work` with the named files in their order, then deletes the copies of pipes. Throws usage
 * or import_unreadable.
 */
export async function withSources<T>(
  names: readonly string[],
  { format, ...spooling }: Spooling & { format: ImportFormat | undefined },
  work: (sources: readonly Source[]) => Promise<T>,
): Promise<T> {
  if (names.filter((name) => STDIN.has(name)).length > 1) {
    throw new Failure('usage', 'stdin is named twice, and can be read only once')
  }
  const kinds = names.map((name) => ({ name, isPipe: isPipe(name) }))
  const spooled: string[] = []
  try {
    const sources: Source[] = []
    for (const { name, isPipe } of kinds) {
      if (!isPipe) {
        sources.push({ file: resolve(name), format: format ?? formatOf(name) })
        continue
      }
      const file = join(spooling.folder, `import-pipe-${ownName()}-${randomUUID()}`)
      spooled.push(file)
      sources.push(await throughPipe(name, file, { format, ...spooling }))
    }
    return await work(sources)
  } finally {
    for (const file of spooled) rmSync(file, { force: true })
  }
}

/**
 * Throws import_unreadable for a path that can't be read to an end. A device such as /dev/zero has none, and would fill
 * the disk.
 */
function isPipe(name: string): boolean {
  const isStdin = STDIN.has(name)
  const found = isStdin ? fstatSync(0) : statSync(resolve(name), { throwIfNoEntry: false })
  if (found === undefined) throw refused(name, 'there is no such file')
  if (found.isDirectory()) throw refused(shownAs(name), 'is a folder; name the files in it')
  if (found.isCharacterDevice() || found.isBlockDevice()) {
    throw refused(shownAs(name), 'is a device or a terminal; name a file or a pipe')
  }
  return isStdin || !found.isFile()
}

const shownAs = (name: string) => (STDIN.has(name) ? 'stdin' : name)

const refused = (name: string, what: string) =>
  new Failure('import_unreadable', `${name}: ${what}`, {
    remedy: 'tieout import --help',
  })

async function throughPipe(
  name: string,
  file: string,
  { format, folder, signal }: Spooling & { format: ImportFormat | undefined },
): Promise<Source> {
  const shown = shownAs(name)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const exportedAt = new Date().toISOString()
  const from = STDIN.has(name) ? process.stdin : createReadStream(resolve(name))
  await pipeline(from, createWriteStream(file, { mode: 0o600 }), { signal }).catch(
    (error: unknown) => {
      throw shortageFailure(error) ?? error
    },
  )
  if (statSync(file).size === 0) throw refused(shown, 'is empty')
  return { file, name: shown, exportedAt, format: format ?? (await formatIn(file)) }
}

function formatOf(name: string): ImportFormat {
  const ending = /\.([a-z]+)(?:\.gz)?$/i.exec(name)?.[1]?.toLowerCase() ?? ''
  const format = FORMATS[ending]
  if (format !== undefined) return format
  throw new Failure(
    'usage',
    `${name} does not end in .csv, .tsv, .ndjson, .jsonl, .json or .parquet`,
    {
      remedy: /^xls[mx]?$/.test(ending)
        ? 'save the sheet of the workbook as CSV, and import that file'
        : 'give --format csv, ndjson or parquet',
    },
  )
}
