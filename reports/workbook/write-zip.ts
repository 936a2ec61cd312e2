/**
 * The writer of a zip archive, piece by piece. Without clock, owner or chance: the same content
 * gives the same bytes.
 */
import { open, type FileHandle } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createDeflateRaw, crc32 } from 'node:zlib'
import { assert } from '../../domain/failure.ts'

export interface ZipEntry {
  /** With `/`, in ASCII. */
  path: string
  /** Read once, after everything before it is written. */
  content: AsyncIterable<string> | Iterable<string>
}

interface Written {
  path: string
  at: number
  crc: number
  packed: number
  unpacked: number
}

/** 1980-01-01, the first day that a zip archive can name. */
const DOS_DATE = 0x0021
const DEFLATED = 8
const VERSION = 20
const LIMIT = 0xffff_ffff
const LOCAL_BYTES = 30

/** Creates the file, which only its owner can read. Throws if it exists. */
export async function writeZip(file: string, entries: Iterable<ZipEntry>): Promise<void> {
  const handle = await open(file, 'wx', 0o600)
  try {
    let at = 0
    const written: Written[] = []
    for (const entry of entries) {
      const one = await writeEntry(handle, entry, at)
      written.push(one)
      at += LOCAL_BYTES + one.path.length + one.packed
      assert(at < LIMIT, 'a workbook is smaller than 4 GiB')
    }
    await writeDirectory(handle, written, at)
  } finally {
    await handle.close()
  }
}

/** Writes the header last, when the sizes are known, into the space reserved for it. */
async function writeEntry(handle: FileHandle, entry: ZipEntry, at: number): Promise<Written> {
  const begins = at + LOCAL_BYTES + entry.path.length
  let [crc, packed, unpacked] = [0, 0, 0]
  async function* measured(): AsyncGenerator<Buffer> {
    for await (const text of entry.content) {
      const bytes = Buffer.from(text)
      crc = crc32(bytes, crc)
      unpacked += bytes.length
      yield bytes
    }
  }
  await pipeline(
    measured(),
    createDeflateRaw({ level: 6 }),
    async (chunks: AsyncIterable<Buffer>) => {
      for await (const chunk of chunks) {
        await writeWhole(handle, chunk, begins + packed)
        packed += chunk.length
      }
    },
  )
  assert(unpacked < LIMIT, 'a part of a workbook is smaller than 4 GiB')
  const written = { path: entry.path, at, crc, packed, unpacked }
  const header = Buffer.concat([
    numbers([4, 0x0403_4b50]),
    common(written),
    Buffer.from(entry.path),
  ])
  await writeWhole(handle, header, at)
  return written
}

/** A disk that is nearly full takes a part of the bytes without an error, and refuses the next one. */
async function writeWhole(handle: FileHandle, bytes: Buffer, at: number): Promise<void> {
  let written = 0
  while (written < bytes.length) {
    const rest = bytes.length - written
    written += (await handle.write(bytes, written, rest, at + written)).bytesWritten
  }
}

async function writeDirectory(
  handle: FileHandle,
  entries: readonly Written[],
  at: number,
): Promise<void> {
  const directory = Buffer.concat(
    entries.flatMap((entry) => [
      numbers([4, 0x0201_4b50], [2, VERSION]),
      common(entry),
      // No comment, first disk, no attributes.
      numbers([2, 0], [2, 0], [2, 0], [4, 0], [4, entry.at]),
      Buffer.from(entry.path),
    ]),
  )
  const count = entries.length
  const end = numbers(
    ...([
      [4, 0x0605_4b50],
      [2, 0],
      [2, 0],
      [2, count],
      [2, count],
    ] as const),
    ...([
      [4, directory.length],
      [4, at],
      [2, 0],
    ] as const),
  )
  await writeWhole(handle, Buffer.concat([directory, end]), at)
}

/**
 * The fields that the local header and the directory share, from the version needed to the length
 * of the extra field.
 */
const common = ({ path, crc, packed, unpacked }: Written): Buffer =>
  numbers(
    ...([
      [2, VERSION],
      [2, 0],
      [2, DEFLATED],
      [2, 0],
      [2, DOS_DATE],
    ] as const),
    ...([
      [4, crc],
      [4, packed],
      [4, unpacked],
      [2, path.length],
      [2, 0],
    ] as const),
  )

/** Unsigned numbers in little-endian order, each with its number of bytes. */
function numbers(...parts: readonly (readonly [2 | 4, number])[]): Buffer {
  return Buffer.concat(
    parts.map(([bytes, value]) => {
      const buffer = Buffer.alloc(bytes)
      buffer.writeUIntLE(value, 0, bytes)
      return buffer
    }),
  )
}
