/** An opened lake, as everybody who reads or writes it gets it. */
import type { DuckDBConnection } from '@duckdb/node-api'
import type { LakeSettings } from '../../domain/settings.ts'

export interface Lake {
  readonly settings: LakeSettings
  /** A connection of its own; a transaction belongs to one connection. */
  connect(): Promise<DuckDBConnection>
  close(): void
}
