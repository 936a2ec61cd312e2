/** Tables with a row for most transactions that only models read: each is dropped after its last reader, which frees its memory. */
import { readsOf, type Model } from './models.ts'

/** Only models read these tables in a run. An explanation reads them, too, and keeps them. */
const MIDDLE = new Set([
  'unplaced_settled_transaction',
  'settlement_running_net',
  'ordered_transaction',
  'bucket_end',
  'cutoff_window',
  'position_before_window',
  'cutoff_candidate',
  'offset_run',
])

/** The same models, each of which drops what it is the last one to read. */
export const droppingSpent = (models: readonly Model[]): Model[] =>
  models.map((reader) => ({
    ...reader,
    drops: readsOf(reader).filter(
      (table) =>
        MIDDLE.has(table) &&
        models.some(({ name }) => name === table) &&
        models.findLast((model) => readsOf(model).includes(table)) === reader,
    ),
  }))
