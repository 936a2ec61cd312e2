import { randomUUID } from 'node:crypto'
import type { CheckedFile, ImportOrder } from '../domain/import.ts'
import { Secret, type Settings } from '../domain/settings.ts'
import { checkFile } from '../lake/import/check-file.ts'
import { judging } from './judge-import.ts'

/** Reads a file and lands nothing. Its hashes are discarded, so that any key will do. */
export const checkImport = (
  settings: Settings,
  order: ImportOrder,
  signal: AbortSignal,
): Promise<CheckedFile> =>
  checkFile(order, judging(settings, order, { first: new Secret(randomUUID()), later: [] }), {
    ...{ lake: settings.lake, signal },
  })
