/** A lake of its own in a temporary folder, gone after the test. */
import type { DuckDBConnection } from '@duckdb/node-api'
import { rmSync } from 'node:fs'
import { onTestFinished } from 'vitest'
import { openLake } from '../../lake/connection/open.ts'
import { type Lake } from '../../lake/connection/lake.ts'
import { emptyLakeIn, newFolder } from './lake-template.ts'

export { lakeSettingsIn } from './lake-template.ts'

export function tempFolder(): string {
  const folder = newFolder()
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export async function tempLake(): Promise<{ lake: Lake; connection: DuckDBConnection }> {
  const lake = await openLake(emptyLakeIn(tempFolder()))
  const connection = await lake.connect()
  onTestFinished(() => {
    connection.closeSync()
    lake.close()
  })
  return { lake, connection }
}

export const rowsOf = async (connection: DuckDBConnection, sql: string) =>
  (await connection.runAndReadAll(sql)).getRowObjectsJson()
