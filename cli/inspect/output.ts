/** The output of a query: stdout as rows come, or a file that appears only when it is complete. */
import { randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync, mkdirSync, rmSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Failure } from '../../domain/failure.ts'
import { reasonOf, systemCode } from '../../domain/reason.ts'

export interface Sink {
  /** Writes all pieces, at the speed of the reader. */
  write(pieces: AsyncIterable<Uint8Array>): Promise<void>
  /** Takes over a complete file. */
  adopt(file: string): Promise<void>
  /** Removes an incomplete file; does nothing after the end. */
  discard(): Promise<void>
}

export function stdoutSink(): Sink {
  const write = async (source: Readable) => {
    try {
      await pipeline(source, process.stdout, { end: false })
    } catch (error) {
      // The reader, such as `head`, has closed the pipe.
      if (!isCode(error, 'EPIPE')) throw error
    }
  }
  return {
    write: (pieces) => write(Readable.from(pieces, { objectMode: false })),
    adopt: (file) => write(createReadStream(file, { highWaterMark: 1 << 18 })),
    discard: async () => {},
  }
}

export function fileSink(file: string): Sink {
  const partial = besides(file)
  return {
    async write(pieces) {
      await placing(file, async () => {
        await pipeline(
          Readable.from(pieces, { objectMode: false }),
          createWriteStream(partial, { flags: 'wx' }),
        )
        await rename(partial, file)
      })
    },
    adopt: (from) => placing(file, () => rename(from, file)),
    discard: async () => remove(partial),
  }
}

/** Names a scratch file, beside the output or in the scratch folder of the lake. */
export function scratchFile(
  output: string | undefined,
  lakeFolder: string,
): { path: string; remove: () => void } {
  const folder = join(lakeFolder, 'scratch')
  // A query must not create a missing lake.
  if (output === undefined && existsSync(lakeFolder)) mkdirSync(folder, { recursive: true })
  const path = besides(output ?? join(folder, 'answer.parquet'))
  return { path, remove: () => remove(path) }
}

/** A file that can't be removed must not hide why it can't be written. */
function remove(file: string): void {
  try {
    rmSync(file, { force: true })
  } catch {
    // The command reports what failed before.
  }
}

const besides = (file: string) =>
  join(dirname(resolve(file)), `.${basename(file)}.${randomBytes(6).toString('hex')}`)

async function placing(file: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (cause) {
    if (systemCode(cause) === undefined) throw cause
    throw new Failure('usage', `the file ${file} can't be written: ${reasonOf(cause)}`, {
      cause,
      remedy: 'choose another --output',
    })
  }
}

const isCode = (error: unknown, code: string) =>
  error instanceof Error && 'code' in error && error.code === code
