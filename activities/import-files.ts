import { wordsOf } from '../api/known-names.ts'
import { readRecord } from '../api/record.ts'
import { DEFAULT_READING, type ImportedFile, type ImportOrder } from '../domain/import.ts'
import type { Secret, Settings } from '../domain/settings.ts'
import { importFile } from '../lake/import/import-file.ts'
import type { Judge } from '../lake/import/stage.ts'
import { asSent } from './as-sent.ts'
import type { SharedLake } from './shared-lake.ts'

/** Imports one file; what SQL does not vouch for is judged by the reader of the service's own records. */
export const createImportFile =
  (settings: Settings, shared: SharedLake, hashKey: () => Secret) =>
  async (order: ImportOrder, signal?: AbortSignal): Promise<ImportedFile> => {
    const reading = settings.imports?.[order.list] ?? DEFAULT_READING
    const key = hashKey()
    const judgeFor = (plan: { numeric: ReadonlySet<string> }): Judge => {
      const about = { order, reading, numeric: plan.numeric }
      return (suspects) =>
        suspects.map((suspect) => ({
          rowNo: suspect.rowNo,
          ...readRecord(order.list, asSent(suspect, about), key),
        }))
    }
    return importFile(order, {
      ...{ lake: await shared.lake(), reading, hashKey: key, judgeFor, signal },
      knownWords: wordsOf(order.list),
    })
  }
