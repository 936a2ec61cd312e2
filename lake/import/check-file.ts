/** Reads a file without landing it, and reports how it is understood and which records would be rejected. */
import type { DuckDBConnection } from '@duckdb/node-api'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Failure } from '../../domain/failure.ts'
import {
  nameOf,
  type CheckedFile,
  type CheckedReading,
  type ImportOrder,
} from '../../domain/import.ts'
import type { LakeSettings } from '../../domain/settings.ts'
import { interruptible } from '../connection/interruptible.ts'
import { openAside } from '../connection/open.ts'
import { proposeReading } from './propose.ts'
import { readFile, refusalOf, type ReadFile } from './read-file.ts'
import { type Judging } from './judging.ts'

/**
 * Checks one file. The check opens no lake and leaves no file behind. Faults of the file are part of the result. Any
 * other error is thrown.
 */
export async function checkFile(
  order: ImportOrder,
  judging: Judging,
  { lake, signal }: { lake: LakeSettings; signal?: AbortSignal },
): Promise<CheckedFile> {
  const folder = mkdtempSync(join(tmpdir(), 'tieout-import-'))
  const instance = await openAside(lake, folder)
  try {
    const [main, aside] = [await instance.connect(), await instance.connect()]
    return await interruptible([main, aside], signal, () =>
      checked(order, judging, { main, aside, folder }),
    )
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
  const asConfirmed = await readFile(place, { order, scratch }, judging)
  const proposal = await proposeReading(order, { scratch, connection: main, judging })
  const { reading, said, questions } = proposal
  const asProposed =
    said.length === 0
      ? undefined
      : await readFile(place, { order, scratch }, { ...judging, reading })
  const read = [asProposed, asConfirmed].find(
    (one) => one !== undefined && !(one instanceof Failure),
  )
  return {
    ...{ file: nameOf(order), format: order.format, understood: said, questions, reading },
    form: read === undefined || read instanceof Failure ? '' : read.form,
    confirmed: outcomeOf(order, asConfirmed),
    ...(asProposed && { proposed: outcomeOf(order, asProposed) }),
  }
}

function outcomeOf(order: ImportOrder, read: Failure | ReadFile): CheckedReading {
  const refusal = refusalOf(order, read)
  const said = refusal === undefined ? {} : { refusal: refusal.message }
  if (read instanceof Failure) {
    return { rows: 0, quarantined: 0, rejects: [], columns: {}, unknownWords: {}, ...said }
  }
  const { staged, places, unknownWords = {} } = read
  const { rows, rejects, first } = staged
  return { rows, quarantined: rejects, rejects: first, columns: places, unknownWords, ...said }
}
