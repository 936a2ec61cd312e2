/** Builds the rules for the records of an imported file, for the import and for its check. */
import { type KeyRing, type Settings } from '../domain/settings.ts'
import { type ImportOrder, DEFAULT_READING } from '../domain/import.ts'
import type { Judging } from '../lake/import/judging.ts'
import { spellingsOf, wordsOf } from '../domain/record-fields.ts'
import { inServiceForm, leftOutOf, type About } from '../api/record/export-record.ts'
import { readRecord } from '../api/record/record.ts'

/** Returns the rules for the records of a file of an account. */
export function judging(settings: Settings, order: ImportOrder, hashKeys: KeyRing): Judging {
  const reading = order.reading ?? settings.imports?.[order.list] ?? DEFAULT_READING
  return {
    ...{ reading, hashKeys, knownWords: wordsOf(order.list), spellings: spellingsOf(order.list) },
    ...{ currency: settings.currency, timezone: settings.timezone },
    judgeFor: (plan, as) => {
      const about: About = { order, reading: as, ...plan }
      return (suspects) =>
        suspects.map((suspect) => {
          const sent = inServiceForm(suspect, about)
          const leftOut = leftOutOf(sent, order)
          const judged = { rowNo: suspect.rowNo, ...readRecord(order.list, sent, hashKeys.first) }
          return leftOut.length === 0 || 'reject' in judged ? judged : { ...judged, leftOut }
        })
    },
  }
}
