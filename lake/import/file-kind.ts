/** Recognises the format of a file by its first bytes, whatever its name is. */
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { createGunzip } from 'node:zlib'
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

export const unread = (order: Pick<ImportOrder, 'file' | 'name'>, what: string, cause?: unknown) =>
  new Failure('import_unreadable', `${nameOf(order)}: ${what}`, { cause })

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
  const first = await firstBytes(file, HEAD_BYTES)
  const hex = first.toString('hex', 0, 4)
  if (hex === PARQUET) return 'parquet'
  const head = isGzip(first) ? await headOf({ file }, true) : first
  return /^[\s\0\ufeff]*[[{]/.test(head.toString('utf8')) ? 'ndjson' : 'csv'
}

export async function firstBytes(file: string, length: number): Promise<Buffer> {
  const handle = await open(file, 'r')
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(length), 0, length, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

export async function headOf(
  order: Pick<ImportOrder, 'file' | 'name'>,
  isPacked: boolean,
): Promise<Buffer> {
  if (!isPacked) return firstBytes(order.file, HEAD_BYTES)
  const bytes = createReadStream(order.file)
  const plain = bytes.pipe(createGunzip())
  bytes.on('error', (error) => plain.destroy(error))
  const head: Buffer[] = []
  try {
    for await (const chunk of plain) {
      head.push(Buffer.from(chunk))
      if (head.reduce((sum, { length }) => sum + length, 0) >= HEAD_BYTES) break
    }
  } catch (cause) {
    throw unread(order, BROKEN, cause)
  } finally {
    bytes.destroy()
  }
  return Buffer.concat(head)
}

export const BROKEN = 'is broken: what gzip packed ends too early or is damaged. Transfer it again'
