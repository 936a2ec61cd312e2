import type { KeyRing, Settings } from '../../domain/settings.ts'
import { importFile } from '../../lake/import/import-file.ts'
import type { ImportOrder, ImportedFile } from '../../domain/import.ts'
import { judging } from '../../queries/judge-import.ts'
import type { SharedLake } from '../runtime/shared-lake.ts'

/**
 * Imports one file. SQL checks most records; the reader of the service's own records judges the
 * rest.
 */
export const createImportFile =
  (settings: Settings, shared: SharedLake, hashKeys: KeyRing) =>
  async (order: ImportOrder, signal?: AbortSignal): Promise<ImportedFile> =>
    importFile(order, { ...judging(settings, order, hashKeys), lake: await shared.lake(), signal })
