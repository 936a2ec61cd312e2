import { readRecord } from '../api/record.ts'
import { spellingsOf, wordsOf } from '../api/known-names.ts'
import { DEFAULT_READING, type ImportedFile, type ImportOrder } from '../domain/import.ts'
import type { Secret, Settings } from '../domain/settings.ts'
import { importFile, type Judging } from '../lake/import/import-file.ts'
import { asSent, leftOutOf, type About } from './as-sent.ts'
import type { SharedLake } from './shared-lake.ts'

/** Imports one file; what SQL does not vouch for is judged by the reader of the service's own records. */
export const createImportFile =
  (settings: Settings, shared: SharedLake, hashKey: () => Secret) =>
  async (order: ImportOrder, signal?: AbortSignal): Promise<ImportedFile> =>
    importFile(order, { ...judging(settings, order, hashKey()), lake: await shared.lake(), signal })

/** How the records of a file are judged, for an account. */
export function judging(settings: Settings, order: ImportOrder, hashKey: Secret): Judging {
  const reading = order.reading ?? settings.imports?.[order.list] ?? DEFAULT_READING
  return {
    ...{ reading, hashKey, knownWords: wordsOf(order.list), spellings: spellingsOf(order.list) },
    ...{ currency: settings.currency, timezone: settings.timezone },
    judgeFor: (plan, as) => {
      const about: About = { order, reading: as, ...plan }
      return (suspects) =>
        suspects.map((suspect) => {
          const sent = asSent(suspect, about)
          const leftOut = leftOutOf(sent, order)
          const judged = { rowNo: suspect.rowNo, ...readRecord(order.list, sent, hashKey) }
          return leftOut.length === 0 || 'reject' in judged ? judged : { ...judged, leftOut }
        })
    },
  }
}
