/** Files to import, a lake to import them into, and the rows that result. */
import type { DuckDBConnection } from '@duckdb/node-api'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createImportFile } from '../../../activities/import/import-files.ts'
import { SharedLake } from '../../../activities/runtime/shared-lake.ts'
import type { Secret } from '../../../domain/settings.ts'
import {
  DEFAULT_READING,
  type ImportedFile,
  type ImportFormat,
  type ImportList,
  type ImportOrder,
  type ImportReading,
} from '../../../domain/import.ts'
import type { Lake } from '../../../lake/connection/lake.ts'
import { onTestFinished } from 'vitest'
import { HASH_KEY } from '../api/records.ts'
import { emptyLakeIn } from '../../support/lake-template.ts'
import { plainAccount } from '../../support/plain-account.ts'
import { rowsOf, tempFolder } from '../../support/temp-lake.ts'

const EXPORTED = '2026-11-02T00:00:00.000Z'

export interface Importer {
  lake: Lake
  connection: DuckDBConnection
  folder: string
  /** Writes a file of this content and imports it. */
  bring(content: string | Buffer, more?: Bring): Promise<ImportedFile>
  /** Without `exportedAt: undefined` the export was made on the second of November 2026. */
  importFile(order: Order, more?: Bring): Promise<ImportedFile>
  rows(sql: string): Promise<Record<string, unknown>[]>
}

type Order = Partial<Omit<ImportOrder, 'exportedAt'>> & {
  file: string
  exportedAt?: string | undefined
}

interface Bring {
  format?: ImportFormat
  list?: ImportList
  reading?: Partial<ImportReading>
  exportedAt?: string
  completeFrom?: string
}

export async function importer(hashKey: Secret = HASH_KEY): Promise<Importer> {
  const folder = tempFolder()
  const settings = plainAccount({ out: join(folder, 'out'), lake: emptyLakeIn(folder) })
  const shared = new SharedLake(settings.lake, () => {})
  const lake = await shared.lake()
  const connection = await lake.connect()
  onTestFinished(async () => {
    connection.closeSync()
    await shared.close()
  })
  let files = 0
  const importFile: Importer['importFile'] = async (order, more = {}) => {
    const { reading, ...said } = more
    const imports = {
      transactions: { ...DEFAULT_READING, ...reading },
      settlements: { ...DEFAULT_READING, ...reading },
    }
    const run = createImportFile({ ...settings, imports }, shared, { first: hashKey, later: [] })
    const { exportedAt = EXPORTED, ...rest } = { ...said, ...order }
    const isDated = !('exportedAt' in order)
    return run({
      account: 'acme',
      list: 'transactions',
      format: 'ndjson',
      ...rest,
      ...(isDated ? { exportedAt } : {}),
    })
  }
  return {
    lake,
    connection,
    folder,
    importFile,
    bring: async (content, more = {}) => {
      const file = join(folder, `export-${(files += 1)}`)
      writeFileSync(file, content)
      return importFile({ file }, more)
    },
    rows: (sql) => rowsOf(connection, sql),
  }
}
