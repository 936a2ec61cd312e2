/** Tables with a row for most transactions that only models read: each is dropped after its last reader, which frees its memory. */
import { headerOf, readsOf, type Model } from './models.ts'

/** True if only models read the table in a run; an explanation reads it as well, and drops nothing. */
const isIntermediate = (model: Model) => headerOf(model, 'drop') === 'after its last reader'

/** The same models, each of which drops what it is the last one to read. */
export const droppingSpent = (models: readonly Model[]): Model[] =>
  models.map((reader) => ({
    ...reader,
    drops: readsOf(reader).filter(
      (table) =>
        models.some((model) => model.name === table && isIntermediate(model)) &&
        models.findLast((model) => readsOf(model).includes(table)) === reader,
    ),
  }))
