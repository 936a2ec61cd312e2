import { Failure } from '../../domain/failure.ts'
import type { ImportOrder } from '../../domain/import.ts'
import { shortageFailure } from '../connection/lake-errors.ts'
import { unread } from './file-kind.ts'

const REASONS: [RegExp, string][] = [
  [/unterminated quote/i, 'holds a quote that is not closed, or not doubled within a value'],
  [/Expected Number of Columns/i, 'has another number of values than the header'],
  [/unicode|utf-?8/i, 'is not UTF-8'],
  [/maximum line size/i, 'is longer than 16 MB'],
  [/invalid state/i, 'ends otherwise than the lines before it: all must end alike'],
]

const NAMES = { csv: 'CSV', ndjson: 'NDJSON', parquet: 'Parquet' } as const

/**
 * Turns an error of DuckDB about a file into import_unreadable with file and line. DuckDB's own message quotes the
 * file and is never shown. An error that is not about the file is returned unchanged.
 */
export function unreadable(order: ImportOrder, cause: unknown, linesAbove = 0): unknown {
  const { format } = order
  const said = String(cause)
  if (cause instanceof Failure || !isAboutFile(said) || isShortage(cause)) return cause
  const found = format === 'parquet' ? undefined : /\b[Ll]ine:? (\d+)/.exec(said)?.[1]
  const line = found === undefined ? undefined : Number(found) + linesAbove
  const reason = REASONS.find(([pattern]) => pattern.test(said))?.[1]
  const what =
    reason === undefined
      ? `can't be read as ${NAMES[format]}${line === undefined ? '' : ` from line ${line} on`}`
      : `${line === undefined ? 'a line' : `line ${line}`} ${reason}`
  return unread(order, what, { cause })
}

/** True for a full disk and the like. Such an error of DuckDB does not quote the file. */
const isShortage = (cause: unknown) =>
  /^(?:Error: )?(?:IO|Out of Memory) Error: /.test(String(cause)) &&
  shortageFailure(cause) !== undefined

const isAboutFile = (said: string) =>
  /CSV Error|CSV Parser|magic bytes|IO Error|Invalid Input Error|parquet|gzip|zstd|TProtocol|Thrift/i.test(
    said,
  ) && !/INTERRUPT/.test(said)
