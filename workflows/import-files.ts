import type { ImportedFile, ImportOrder } from '../domain/import.ts'
import { heavy } from './activity-options.ts'

/** Imports files one after the other in their order; files that landed before a failure stay. */
export async function importFiles(orders: readonly ImportOrder[]): Promise<ImportedFile[]> {
  const { importFile } = heavy()
  const imported: ImportedFile[] = []
  for (const order of orders) imported.push(await importFile(order))
  return imported
}
