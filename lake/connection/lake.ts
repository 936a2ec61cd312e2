/** An opened lake, as all readers and writers use it. */
import type { DuckDBConnection } from '@duckdb/node-api'
import type { LakeSettings } from '../../domain/settings.ts'

export interface Lake {
  readonly settings: LakeSettings
  /** True for a lake that is only read: one without write access, whose catalog is copied, or one opened to read. */
  readonly isReadOnly?: boolean
  /** Receives a line when a transaction waits for another process. */
  readonly say?: (line: string) => void
  /** Opens a connection; a transaction belongs to one connection. */
  connect(): Promise<DuckDBConnection>
  close(): void
}
