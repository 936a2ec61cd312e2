/**
 * The command `query`: runs a select over the views of the lake and prints a table, CSV, JSON,
 * Arrow or Parquet.
 */
import { existsSync, readFileSync } from 'node:fs'
import { text as textOf } from 'node:stream/consumers'
import { Failure } from '../../domain/failure.ts'
import { reasonOf } from '../../domain/reason.ts'
import { interruptible } from '../../lake/connection/interruptible.ts'
import { answerTo, type Answer } from '../../lake/query/answer.ts'
import { dbtSources, dictionary, viewLines } from '../../lake/query/dictionary.ts'
import { openReadOnly } from '../../lake/query/open.ts'
import { aborted } from '../../workers/temporal/aborted.ts'
import { readAccounts, type Flags } from '../../workers/config/settings.ts'
import type { Context } from '../shell/context.ts'
import { alignedRows } from './aligned-rows.ts'
import { fileSink, scratchFile, stdoutSink } from './output.ts'
import type { Format } from './formats.ts'

export interface QueryFlags extends Flags {
  file?: string
  format?: Format
  output?: string
  dictionary?: true | 'page' | 'dbt'
}

export async function queryCommand(
  context: Context,
  sql: string | undefined,
  flags: QueryFlags,
): Promise<void> {
  if (flags.dictionary !== undefined) {
    if (sql !== undefined) throw new Failure('usage', '--dictionary runs no SQL, and SQL is given')
    const text = flags.dictionary === 'dbt' ? await dbtSources() : dictionary()
    context.terminal.print(text.trimEnd())
    return
  }
  const text = await Promise.race([statement(sql, flags), aborted(context.signal)])
  if (text === undefined) for (const line of viewLines()) context.terminal.print(line)
  else await query(context, text, flags)
}

/** Returns the SQL of the argument, the file or stdin; undefined if there is none. */
async function statement(
  sql: string | undefined,
  { file }: QueryFlags,
): Promise<string | undefined> {
  if (sql !== undefined && file !== undefined) {
    throw new Failure('usage', 'the SQL is given twice, as an argument and by --file')
  }
  if (sql !== undefined) return sql
  if (file !== undefined && file !== '-') return readFile(file)
  if (file === undefined && process.stdin.isTTY) return undefined
  const input = await textOf(process.stdin)
  return file === undefined && input.trim() === '' ? undefined : input
}

function readFile(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new Failure('usage', `the file ${file} can't be read: ${reasonOf(cause)}`, { cause })
  }
}

async function query(context: Context, text: string, flags: QueryFlags): Promise<void> {
  const { json, ...settable } = context.flagsOf(flags)
  const format = formatOf(flags, json === true)
  if (flags.output !== undefined && existsSync(flags.output)) {
    throw new Failure('would_overwrite', `the file ${flags.output} exists already`, {
      remedy: 'choose another --output, or remove the file',
    })
  }
  // All accounts share the lake, so the command needs no account.
  const [settings] = readAccounts(settable)
  const sink = flags.output === undefined ? stdoutSink() : fileSink(flags.output)
  const scratch = format === 'parquet' ? scratchFile(flags.output, settings.lake.folder) : undefined
  const lake = await openReadOnly(settings.lake, scratch === undefined ? [] : [scratch.path])
  const { signal } = context
  let ended: () => Promise<void> | undefined = () => undefined
  try {
    await interruptible([lake.connection], signal, async () => {
      const answer = await answerTo(lake.connection, text)
      if (format !== 'parquet') {
        context.terminal.live('')
        const read = untilItsEnd(piecesOf(answer, format, settings.csvProfile), signal)
        ended = read.ended
        await sink.write(read.pieces)
      } else if (scratch !== undefined) {
        await answer.writeParquet(scratch.path)
        context.terminal.live('')
        await sink.adopt(scratch.path)
      }
    })
    signal.throwIfAborted()
  } catch (error) {
    signal.throwIfAborted()
    throw error
  } finally {
    // A failing sink leaves while DuckDB reads the next rows; ending the process then would hang.
    lake.connection.interrupt()
    await ended()
    await sink.discard()
    scratch?.remove()
    lake.close()
  }
}

/**
 * Passes the pieces on until the signal is set. Its `ended` resolves when the reader has stopped,
 * or at once if it never started.
 */
function untilItsEnd(
  pieces: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): {
  pieces: AsyncIterable<Uint8Array>
  ended: () => Promise<void> | undefined
} {
  let end = () => {}
  let reading: Promise<void> | undefined
  async function* read() {
    reading = new Promise((resolve) => {
      end = resolve
    })
    try {
      for await (const piece of pieces) {
        signal.throwIfAborted()
        yield piece
      }
    } finally {
      end()
    }
  }
  return { pieces: read(), ended: () => reading }
}

function formatOf({ format, output }: QueryFlags, isJson: boolean): Format {
  if (isJson && format !== undefined && format !== 'json') {
    throw new Failure('usage', `--json and --format ${format} ask for two formats`)
  }
  if (format !== undefined) return format
  if (isJson) return 'json'
  return output === undefined && process.stdout.isTTY ? 'table' : 'csv'
}

function piecesOf(
  answer: Answer,
  format: Exclude<Format, 'parquet'>,
  profile: 'excel' | 'machine',
): AsyncIterable<Uint8Array> {
  return format === 'table' ? alignedRows(answer) : answer.stream(format, profile)
}
