/** Recognises the format of a file by its first bytes, whatever its name is. */
import { open } from 'node:fs/promises'
import { constants, gunzipSync } from 'node:zlib'
import { Failure } from '../../domain/failure.ts'
import { nameOf, type ImportFormat, type ImportOrder } from '../../domain/import.ts'

const HEAD_BYTES = 65_536
const GZIP = '1f8b'

/** The first bytes of formats that tieout can't read, with the remedy. */
const OTHERS: readonly [string, string][] = [
  ['28b52ffd', 'is packed with zstd; unpack it first'],
  ['425a68', 'is packed with bzip2; unpack it first'],
  ['fd377a585a00', 'is packed with xz; unpack it first'],
  ['504b0304', 'is an Excel workbook or a ZIP archive; save the sheet as CSV, or unpack it'],
  ['d0cf11e0a1b11ae1', 'is an old Excel workbook; save the sheet as CSV'],
  ['25504446', 'is a PDF'],
  ['50415245', 'is encrypted Parquet'],
]
const PARQUET = '50415231'

type FileNames = Pick<ImportOrder, 'file' | 'name'>

/** The failure of a file that can't be read, which names it. */
export const unread = (
  order: FileNames,
  what: string,
  details: { cause?: unknown; remedy?: string } = {},
) => new Failure('import_unreadable', `${nameOf(order)}: ${what}`, details)

export function refuseOther(order: ImportOrder, first: Buffer): void {
  if (first.length === 0) throw unread(order, 'is empty')
  const begins = first.toString('hex')
  const other = OTHERS.find(([magic]) => begins.startsWith(magic))
  if (other !== undefined) throw unread(order, other[1])
  if (begins.startsWith(PARQUET) && order.format !== 'parquet') {
    throw unread(order, 'is Parquet; say --format parquet')
  }
}

/** Whether a file with these first bytes was packed by gzip. */
export const isGzip = (first: Buffer) => first.toString('hex').startsWith(GZIP)

/** Returns the format that the first bytes indicate, for a file whose name and flags do not state one. */
export async function formatIn(file: string): Promise<ImportFormat> {
  const first = await firstBytes(file)
  if (first.toString('hex').startsWith(PARQUET)) return 'parquet'
  return /^[\s\0\ufeff]*[[{]/.test(unpacked({ file }, first).toString('utf8')) ? 'ndjson' : 'csv'
}

export const firstBytes = (file: string): Promise<Buffer> => partOf(file, 0, HEAD_BYTES)

/** Reads a part of a file, which is shorter if the file ends before. */
export async function partOf(file: string, from: number, length: number): Promise<Buffer> {
  const handle = await open(file, 'r')
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(length), 0, length, from)
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

/** Returns the first bytes of a file as they were before it was packed, if it was. */
export function unpacked(order: FileNames, first: Buffer): Buffer {
  if (!isGzip(first)) return first
  try {
    // The packed part goes on after these bytes.
    const plain = gunzipSync(first, { finishFlush: constants.Z_SYNC_FLUSH })
    return plain.subarray(0, HEAD_BYTES)
  } catch (cause) {
    throw unread(order, BROKEN, { cause })
  }
}

export const BROKEN = 'is broken: what gzip packed ends too early or is damaged. Transfer it again'
