/** Tables of the middle of the pipeline, with a row for most transactions: when their last reader is done, their memory is free for the models that come. */
import { readsOf, type Model } from './models.ts'

/** In a run nothing but models asks for the tables of these stages; an explanation does, and keeps them. */
const MIDDLE = /^(19_settled|2[0-2]_)/

/** The same models, each of which drops what it is the last one to read. */
export const droppingSpent = (models: readonly Model[]): Model[] =>
  models.map((reader) => ({
    ...reader,
    drops: readsOf(reader).filter(
      (table) =>
        models.some(({ stage, name }) => name === table && MIDDLE.test(stage)) &&
        models.findLast((model) => readsOf(model).includes(table)) === reader,
    ),
  }))
