/** Reads a file without landing it, and reports how it is understood and which records would be rejected. */
import type { DuckDBConnection } from '@duckdb/node-api'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '../../domain/failure.ts'
import {
  nameOf,
  type CheckedFile,
  type CheckedReading,
  type ImportOrder,
} from '../../domain/import.ts'
import type { LakeSettings } from '../../domain/settings.ts'
import { temporaryFolder } from '../../domain/temporary-folder.ts'
import { interruptible } from '../connection/interruptible.ts'
import { shortageFailure } from '../connection/lake-errors.ts'
import { openAside } from '../connection/open.ts'
import { proposeReading } from './propose.ts'
import { readFile, refusalOf } from './read-file.ts'
import { type Judging, type ScratchFiles } from './judging.ts'

/**
 * Checks one file. The check opens no lake and leaves no file behind. Faults of the file are part of the result. Any
 * other error is thrown.
 */
export async function checkFile(
  order: ImportOrder,
  judging: Judging,
  { lake, signal }: { lake: LakeSettings; signal?: AbortSignal },
): Promise<CheckedFile> {
  const folder = temporaryFolder('import')
  const instance = await openAside(lake, folder)
  try {
    const [main, aside] = [await instance.connect(), await instance.connect()]
    return await interruptible([main, aside], signal, () =>
      checked(order, judging, { main, aside, folder }),
    )
  } catch (error) {
    throw shortageFailure(error) ?? error
  } finally {
    instance.closeSync()
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Place {
  main: DuckDBConnection
  aside: DuckDBConnection
  folder: string
}

async function checked(order: ImportOrder, judging: Judging, place: Place): Promise<CheckedFile> {
  const { main, folder } = place
  const scratch = { rows: join(folder, 'rows.parquet'), copy: join(folder, 'copy.txt') }
  const confirmed = await outcomeOf(place, { order, scratch }, judging)
  const proposal = await proposeReading(order, { scratch, connection: main, judging })
  const { reading, said, questions } = proposal
  const proposed =
    said.length === 0
      ? undefined
      : await outcomeOf(place, { order, scratch }, { ...judging, reading })
  return {
    ...{ file: nameOf(order), format: order.format, understood: said, questions, reading },
    form: proposed?.form ?? confirmed.form ?? '',
    confirmed: confirmed.outcome,
    ...(proposed && { proposed: proposed.outcome }),
  }
}

interface Outcome {
  outcome: CheckedReading
  /** The form of a file that could be read. */
  form?: string
}

async function outcomeOf(
  place: Place,
  { order, scratch }: { order: ImportOrder; scratch: ScratchFiles },
  judging: Judging,
): Promise<Outcome> {
  const read = await readFile(place, { order, scratch }, judging)
  const refusal = refusalOf(order, read)
  const said = refusal === undefined ? {} : { refusal: refusal.message }
  if (read instanceof Failure) {
    const nothing = { rows: 0, quarantined: 0, differing: 0, rejects: [], unusedColumns: [] }
    return { outcome: { ...nothing, absentFields: [], columns: {}, unknownWords: {}, ...said } }
  }
  const { staged, places, unused: unusedColumns, unknownWords = {}, absentFields, form } = read
  const { rows, rejects, first } = staged
  const differing = await differingLines(place.main)
  const counts = { rows, quarantined: rejects, differing, rejects: first, absentFields }
  return { outcome: { ...counts, columns: places, unusedColumns, unknownWords, ...said }, form }
}

/** Counts the ids of which two lines of the file differ. */
async function differingLines(connection: DuckDBConnection): Promise<number> {
  const reader = await connection.runAndReadAll(
    `select count(*) from (
       select id from import_row group by id having min(content_hash) <> max(content_hash))`,
  )
  return Number(reader.getRows()[0]?.[0])
}
