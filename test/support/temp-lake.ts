/** A lake of its own in a temporary folder, gone after the test. */
import type { DuckDBConnection } from '@duckdb/node-api'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { LakeSettings } from '../../domain/settings.ts'
import { openLake, type Lake } from '../../lake/open.ts'

export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tieout-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export const lakeSettingsIn = (folder: string): LakeSettings => ({
  catalog: `sqlite:${join(folder, 'catalog.sqlite')}`,
  data: join(folder, 'parquet'),
  folder,
  memoryLimit: '1GB',
  threads: 2,
})

export async function tempLake(): Promise<{ lake: Lake; connection: DuckDBConnection }> {
  const lake = await openLake(lakeSettingsIn(tempFolder()))
  const connection = await lake.connect()
  onTestFinished(() => {
    connection.closeSync()
    lake.close()
  })
  return { lake, connection }
}

export const rowsOf = async (connection: DuckDBConnection, sql: string) =>
  (await connection.runAndReadAll(sql)).getRowObjectsJson()
