/** A file that continues in a numbered one when a program's limit is reached. */
import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ManifestFile } from '../pack/manifest.ts'
import { count, emptyTally, type Entry, type Tally } from './entry.ts'

/** A file, with its control totals. */
export interface TalliedFile {
  file: ManifestFile
  tally: Tally
}

/** The name of a part: `xero.csv`, then `xero-2.csv`. */
export const partName = (name: string, number: number): string =>
  number === 1 ? name : name.replace('.', `-${number}.`)

/** The frame of each part, and its limits. */
export interface PartShape {
  head: string
  tail: string
  /** Lines of a part, including its head. */
  maxLines: number
  maxBytes: number
}

/**
 * Writes `xero.csv`, then `xero-2.csv`, `xero-3.csv`: each part has the head and the tail, and no
 * entry is divided.
 */
export class NumberedParts {
  readonly #folder: string
  readonly #name: string
  readonly #shape: PartShape
  readonly #parts: Part[] = []
  #written = 0

  constructor(folder: string, name: string, shape: PartShape) {
    this.#folder = folder
    this.#name = name
    this.#shape = shape
    this.#begin()
  }

  /** Adds one whole entry as it is written; one that is larger than a part gets its own part. */
  add(entry: Entry, { text, rows }: { text: string; rows: number }): void {
    const { maxLines, maxBytes, tail } = this.#shape
    const part = this.#last()
    const isOver =
      part.lines + linesIn(text) + linesIn(tail) > maxLines ||
      part.bytes + Buffer.byteLength(text + tail) > maxBytes
    if (part.tally.entries > 0 && isOver) part.append(tail)
    const into = part.tally.entries > 0 && isOver ? this.#begin() : part
    into.append(text)
    count(into.tally, entry, rows)
  }

  /** Writes the entries added since the last call. */
  async flush(): Promise<void> {
    for (const part of this.#parts.slice(this.#written)) await part.flush(this.#folder)
    this.#written = this.#parts.length - 1
  }

  /** Ends the last part, which exists even without an entry, and returns all parts. */
  async finish(): Promise<TalliedFile[]> {
    this.#last().append(this.#shape.tail)
    await this.flush()
    return this.#parts.map((part) => part.described())
  }

  #last(): Part {
    return this.#parts.at(-1) ?? this.#begin()
  }

  #begin(): Part {
    const number = this.#parts.length + 1
    const part = new Part(partName(this.#name, number))
    part.append(this.#shape.head)
    this.#parts.push(part)
    return part
  }
}

class Part {
  lines = 0
  readonly tally = emptyTally()
  bytes = 0
  readonly #name: string
  readonly #hash = createHash('sha256')
  #pending: string[] = []
  #isNew = true

  constructor(name: string) {
    this.#name = name
  }

  append(text: string): void {
    this.#pending.push(text)
    this.lines += linesIn(text)
    this.bytes += Buffer.byteLength(text)
  }

  async flush(folder: string): Promise<void> {
    const text = this.#pending.join('')
    this.#pending = []
    this.#hash.update(text)
    const flag = this.#isNew ? 'wx' : 'a'
    this.#isNew = false
    await writeFile(join(folder, this.#name), text, { mode: 0o600, flag })
  }

  described(): TalliedFile {
    const { bytes, tally } = this
    const sha256 = this.#hash.digest('hex')
    return { file: { name: `accounting/${this.#name}`, rows: tally.lines, bytes, sha256 }, tally }
  }
}

function linesIn(text: string): number {
  let lines = 0
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines += 1
  return lines
}
