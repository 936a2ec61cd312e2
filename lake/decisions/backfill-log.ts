/** The log of backfills: the actor, range, reason and code version of each, and its events. */
import type { DuckDBConnection } from '@duckdb/node-api'
import type { BackfillEvent } from '../../domain/backfill.ts'
import type { Lake } from '../connection/lake.ts'
import { raiseFenceOf, transact } from '../connection/transact.ts'
import { utc } from '../connection/sql-instant.ts'
import { hasRows } from '../connection/has-rows.ts'

/** Appends an event, once for each event and instant, however often it is retried. */
export async function appendBackfillEvent(
  lake: Lake,
  connection: DuckDBConnection,
  { codeVersion, ...event }: BackfillEvent & { codeVersion: string },
): Promise<void> {
  const { backfillId, account, window, actor = null, reason = null, detail } = event
  const at = utc(event.at)
  await transact(lake, connection, async () => {
    const known =
      'from lake.ops.backfill_event where backfill_id = $1 and event = $2 and occurred_at = $3::timestamp'
    if (await hasRows(connection, known, [backfillId, event.event, at])) return
    await raiseFenceOf(connection, 'run_fence')
    await connection.run(
      'insert into lake.ops.backfill_event values ($1, $2, $3, $4::date, $5::date, $6, $7, $8, $9, $10::timestamp)',
      [
        ...[backfillId, account, event.event, window.from, window.to, actor, reason],
        ...[codeVersion, JSON.stringify(detail), at],
      ],
    )
  })
}

/** A backfill, derived from its events. */
export interface RecordedBackfill {
  backfillId: string
  account: string
  from: string
  to: string
  state: BackfillEvent['event']
  actor: string | null
  reason: string | null
  codeVersion: string
  begunAt: string
  changedAt: string
  /** The actor of the last event; null if none is named. */
  changedBy: string | null
  detail: Record<string, string | number>
}

/** The backfills of an account, newest first. */
export async function recordedBackfills(
  connection: DuckDBConnection,
  account: string,
): Promise<RecordedBackfill[]> {
  const reader = await connection.runAndReadAll(
    `select backfill_id as "backfillId", any_value(account) as account,
       any_value(window_from)::varchar as "from", any_value(window_to)::varchar as "to",
       arg_max(event, occurred_at) as state,
       arg_min(actor, occurred_at) filter (event = 'BEGUN') as actor,
       arg_min(reason, occurred_at) filter (event = 'BEGUN') as reason,
       arg_min(code_version, occurred_at) as "codeVersion",
       strftime(min(occurred_at), '%Y-%m-%dT%H:%M:%SZ') as "begunAt",
       strftime(max(occurred_at), '%Y-%m-%dT%H:%M:%SZ') as "changedAt",
       arg_max_null(actor, occurred_at) as "changedBy",
       arg_max(detail, occurred_at) as detail
     from lake.ops.backfill_event where account = $1
     group by backfill_id order by min(occurred_at) desc, backfill_id`,
    [account],
  )
  return reader.getRowObjectsJson().map((row) => ({
    ...(row as unknown as RecordedBackfill),
    detail: JSON.parse(String(row['detail'])) as RecordedBackfill['detail'],
  }))
}
