import type { DuckDBConnection } from '@duckdb/node-api'
import { hasRows } from '../lake/connection/has-rows.ts'

/** Returns true if the account's part of the lake has the settlement. */
export const hasSettlement = (
  connection: DuckDBConnection,
  account: string,
  id: string,
): Promise<boolean> =>
  hasRows(
    connection,
    'from lake.seen.settlement_version where account = $1 and settlement_id = try_cast($2 as bigint)',
    [account, id],
  )
