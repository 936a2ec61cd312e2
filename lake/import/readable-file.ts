/**
 * Makes a file readable for DuckDB. The result is the file itself, or a copy in plain UTF-8 that is removed after the
 * import.
 */
import { createReadStream, createWriteStream, statSync } from 'node:fs'
import { truncate } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { type ImportOrder, type ImportReading } from '../../domain/import.ts'
import { systemCode } from '../../domain/reason.ts'
import { BROKEN, firstBytes, isGzip, partOf, refuseOther, unpacked, unread } from './file-kind.ts'
import { JsonValues, NotJson } from './json-values.ts'
import { windows1252 } from './windows-1252.ts'

export interface ReadableFile {
  path: string
  /** The number of lines of the file above the first line of `path`. */
  linesAbove: number
  /** The lines below the last record, which `path` lacks. */
  below: string
  /** The delimiter that the file itself states in a first line such as `sep=;`. */
  delimiter?: string
  /** The line on which each record begins, if it differs from the line in `path`. */
  lines?: readonly number[]
  /** The conversions that were needed, for display. Empty if there were none. */
  form: string
}

const TAIL_BYTES = 65_536

/**
 * Makes a file readable; `copy` is the path for a copy. A packed file is read to its last byte. Throws
 * import_unreadable, which names the kind of file.
 */
export async function readableFile(
  order: ImportOrder,
  reading: ImportReading,
  copy: string,
): Promise<ReadableFile> {
  const first = await firstBytes(order.file)
  refuseOther(order, first)
  const isPacked = isGzip(first)
  if (order.format === 'parquet') {
    if (isPacked) throw unread(order, 'is packed with gzip; unpack it first')
    return { path: order.file, linesAbove: 0, below: '', form: '' }
  }
  const head = unpacked(order, first)
  const about = { order, reading, isPacked, encoding: encodingOf(head, reading), head }
  return order.format === 'csv' ? readableCsv(about, copy) : readableJson(about, copy)
}

interface About {
  order: ImportOrder
  reading: ImportReading
  isPacked: boolean
  encoding: string
  head: Buffer
}

async function readableCsv(about: About, copy: string): Promise<ReadableFile> {
  const { reading, encoding, head } = about
  const text = new TextDecoder(encoding).decode(head)
  const said = /^sep=(.)\r?\n/i.exec(text)?.[1]
  const linesAbove = reading.titleLines + (said === undefined ? 0 : 1)
  const form = formOf(about)
  const isPlain = form === '' && linesAbove === 0 && reading.totalLines === 0
  const known = { linesAbove, form, ...(said !== undefined && { delimiter: said }) }
  if (isPlain) return { path: about.order.file, below: '', ...known }
  await copied(about, [...decoding(encoding), ...without(linesAbove)], copy)
  return { path: copy, below: await cutBelow(copy, reading.totalLines), ...known }
}

async function readableJson(about: About, copy: string): Promise<ReadableFile> {
  const { encoding, head } = about
  const text = new TextDecoder(encoding).decode(head)
  const isSpread = /^\s*(?:\[|\{[ \t]*\r?\n)/.test(text)
  const form = [formOf(about), /^\s*\[/.test(text) ? 'one JSON array' : '']
    .filter(Boolean)
    .join(', ')
  if (form === '' && !isSpread) return { path: about.order.file, linesAbove: 0, below: '', form }
  if (!isSpread) {
    await copied(about, decoding(encoding), copy)
    return { path: copy, linesAbove: 0, below: '', form }
  }
  const values = new JsonValues()
  const steps = [...(encoding === 'utf-8' ? [] : decoding(encoding)), inLines(values)]
  await copied(about, steps, copy)
  return { path: copy, linesAbove: 0, below: '', form, lines: values.lines }
}

/** Recognises UTF-16 by its byte order mark, or by the zero bytes of plain letters. */
function encodingOf(head: Buffer, { encoding }: ImportReading): string {
  const [one = 1, two = 1] = head
  if (one === 0xff && two === 0xfe) return 'utf-16le'
  if (one === 0xfe && two === 0xff) return 'utf-16be'
  if (one !== 0 && two === 0) return 'utf-16le'
  if (one === 0 && two !== 0) return 'utf-16be'
  return encoding
}

const formOf = ({ encoding, isPacked }: About): string =>
  [
    encoding === 'utf-8' ? '' : encoding.toUpperCase().replace('LE', '').replace('BE', ''),
    isPacked ? 'gzip' : '',
  ]
    .filter(Boolean)
    .join(', ')

/** A conversion of a file's pieces. */
type Step = (pieces: AsyncIterable<Buffer>) => AsyncIterable<Buffer>

/** Writes the converted file, which only its owner can read. */
async function copied({ order, isPacked }: About, steps: Step[], copy: string): Promise<void> {
  const file = createReadStream(order.file)
  const unpack = createGunzip()
  const convert: Step = (pieces) => steps.reduce((before, step) => step(before), pieces)
  const out = createWriteStream(copy, { mode: 0o600 })
  try {
    await (isPacked ? pipeline(file, unpack, convert, out) : pipeline(file, convert, out))
  } catch (cause) {
    // Node does not name the file of a failed write.
    if (systemCode(cause) === 'ENOSPC') throw new Error(`no room for the file "${copy}"`, { cause })
    throw unreadCopy(order, cause)
  }
  if (isPacked) await refuseRest(order, unpack.bytesWritten)
}

function unreadCopy(order: ImportOrder, cause: unknown): unknown {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  if (code.startsWith('Z_')) return unread(order, BROKEN, { cause })
  if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') {
    return unread(order, 'has bytes that are no character of its encoding', { cause })
  }
  return cause instanceof NotJson
    ? unread(order, `line ${cause.line} is not JSON`, { cause })
    : cause
}

/**
 * Refuses bytes after the last packed part, unless they are zeros, with which some media are padded. Other bytes show
 * that data was lost.
 */
async function refuseRest(order: ImportOrder, read: number): Promise<void> {
  const { size } = statSync(order.file)
  if (read >= size) return
  for await (const chunk of createReadStream(order.file, { start: read })) {
    if (Buffer.from(chunk).some((byte) => byte !== 0)) throw unread(order, BROKEN)
  }
}

/** Converts the encoding to UTF-8. Text that should be UTF-8 already is checked by DuckDB, which names the line. */
function decoding(encoding: string): Step[] {
  if (encoding === 'utf-8') return []
  if (encoding === 'windows-1252') {
    return [
      async function* decode(pieces) {
        for await (const piece of pieces) yield Buffer.from(windows1252(piece))
      },
    ]
  }
  return [
    async function* decode(pieces) {
      for await (const text of decoded(pieces, encoding)) yield Buffer.from(text)
    },
  ]
}

/** Throws the error of the decoder for bytes that are no character. */
async function* decoded(pieces: AsyncIterable<Buffer>, encoding: string): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true })
  for await (const piece of pieces) yield decoder.decode(piece, { stream: true })
  yield decoder.decode()
}

const LINE_END = /\r\n|\n|\r(?!$)/g

/** Drops the first lines, whatever their line ends are. */
function without(lines: number): Step[] {
  if (lines === 0) return []
  return [
    async function* drop(pieces) {
      let above: Buffer | undefined = Buffer.alloc(0)
      for await (const piece of pieces) {
        if (above === undefined) {
          yield piece
          continue
        }
        above = Buffer.concat([above, piece])
        // Latin-1 has one character per byte, so that positions in the text are positions in the bytes.
        const last = [...above.toString('latin1').matchAll(LINE_END)][lines - 1]
        if (last === undefined) continue
        yield above.subarray(last.index + last[0].length)
        above = undefined
      }
    },
  ]
}

const inLines = (values: JsonValues): Step =>
  async function* split(pieces) {
    for await (const text of decoded(pieces, 'utf-8')) {
      yield Buffer.from(
        values
          .take(text)
          .map((value) => `${value}\n`)
          .join(''),
      )
    }
    values.end()
  }

/** Cuts the last lines that are not empty off a copy, and returns them. */
async function cutBelow(copy: string, lines: number): Promise<string> {
  if (lines === 0) return ''
  const { size } = statSync(copy)
  // Latin-1 has one character per byte.
  const tail = (await partOf(copy, Math.max(0, size - TAIL_BYTES), TAIL_BYTES)).toString('latin1')
  const ends = [...tail.matchAll(/[^\r\n]+/g)]
  const first = ends[ends.length - lines]
  if (first === undefined) return tail
  await truncate(copy, size - Buffer.byteLength(tail.slice(first.index), 'latin1'))
  return Buffer.from(tail.slice(first.index), 'latin1').toString('utf8')
}
