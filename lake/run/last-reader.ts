/**
 * The early drop of tables with a row for most transactions. If only models read a table, its last
 * reader drops it, which frees its memory.
 */
import { headerOf, readsOf, type Model } from './models.ts'

/**
 * True if only models read the table in a run. An explanation reads it as well, and drops nothing.
 */
const isIntermediate = (model: Model) => headerOf(model, 'drop') === 'after its last reader'

/** Returns the same models, each with the tables that it is the last one to read. */
export function dropAfterLastReader(models: readonly Model[]): Model[] {
  const intermediate = new Set(models.filter(isIntermediate).map(({ name }) => name))
  const lastReaders = new Map(
    models.flatMap((reader) => readsOf(reader).map((table) => [table, reader.name])),
  )
  return models.map((reader) => ({
    ...reader,
    drops: readsOf(reader).filter(
      (table) => intermediate.has(table) && lastReaders.get(table) === reader.name,
    ),
  }))
}
