/** Finds the line of the file on which a record begins. */
import { createReadStream } from 'node:fs'
import type { ImportFormat } from '../../domain/import.ts'
import type { ReadableFile } from './readable-file.ts'

const QUOTE = 0x22
const LINE_FEED = 0x0a
const RETURN = 0x0d

/** Returns the lines of the records at these positions in the file, from 0. Parquet has rows instead of lines. */
export async function recordLines(
  { path, linesAbove, lines }: ReadableFile,
  { format, delimiter }: { format: ImportFormat; delimiter: string },
  places: ReadonlySet<number>,
): Promise<Map<number, number>> {
  if (format !== 'csv') {
    return new Map([...places].map((place) => [place, lines?.[place] ?? place + 1]))
  }
  const found = new Map<number, number>()
  if (places.size === 0) return found
  const counter = new LineCounter(delimiter.charCodeAt(0))
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) {
    for (const [record, line] of counter.take(Buffer.from(chunk))) {
      // The header is no record.
      if (places.has(record - 1)) found.set(record - 1, line + linesAbove)
    }
    if (found.size === places.size) break
  }
  return found
}

/** Yields the line on which each row of CSV begins, by the rules of RFC 4180. Empty lines are no rows. */
class LineCounter {
  readonly #delimiter: number
  #line = 1
  #record = 0
  #isInQuotes = false
  #isInRecord = false
  #before = LINE_FEED

  constructor(delimiter: number) {
    this.#delimiter = delimiter
  }

  take(bytes: Buffer): [record: number, line: number][] {
    const begun: [number, number][] = []
    for (const byte of bytes) {
      if (byte === LINE_FEED || byte === RETURN) this.#endLine(byte)
      else {
        if (!this.#isInRecord) begun.push([this.#record++, this.#line])
        this.#isInRecord = true
        if (byte === QUOTE) this.#quote()
      }
      this.#before = byte
    }
    return begun
  }

  #endLine(byte: number): void {
    if (!this.#isInQuotes) this.#isInRecord = false
    // A line feed after a carriage return ends no further line.
    if (byte === RETURN || this.#before !== RETURN) this.#line += 1
  }

  #quote(): void {
    const isFirst = [this.#delimiter, LINE_FEED, RETURN, 0x20, QUOTE].includes(this.#before)
    this.#isInQuotes = !this.#isInQuotes && isFirst
  }
}
