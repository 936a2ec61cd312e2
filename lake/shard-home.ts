/** Terminals that belong together, though they are not the same: a record leads from one to the other. */
import type { DuckDBConnection } from '@duckdb/node-api'
import { mkdirSync } from 'node:fs'
import { quoted } from './quoted.ts'

/**
 * Writes `home.parquet`: for each terminal of a group the least of the group, so that all of a group go into one shard.
 * Linked are terminals by a transaction or a settlement that was seen on both, and by a transaction of one that names, or
 * was put into, a settlement of the other. Nearly always there is none.
 */
export async function writeHomes(
  connection: DuckDBConnection,
  account: string,
  folder: string,
): Promise<void> {
  if (!folder.includes('://')) mkdirSync(folder, { recursive: true, mode: 0o700 })
  await connection.run('set variable account = $1::varchar', [account])
  await connection.run(
    `create or replace temp table shard_home as
     with recursive
     -- Ids of one block of 32 are bits of one number: only a block of more rows than bits holds an id twice.
     crowded as (
       select transaction_id >> 5 as block
       from lake.seen.transaction_version where account = getvariable('account')
       group by block having count(*) > bit_count(bit_or(1::bigint << (transaction_id & 31)))),
     moved as (
       select min(terminal_id) as low, max(terminal_id) as high
       from lake.seen.transaction_version where account = getvariable('account')
       and transaction_id >> 5 in (select block from crowded)
       group by transaction_id having min(terminal_id) <> max(terminal_id)
       union
       select min(terminal_id), max(terminal_id)
       from lake.seen.settlement_version where account = getvariable('account')
       group by settlement_id having min(terminal_id) <> max(terminal_id)),
     named as (
       select terminal_id, explicit_settlement_id as settlement_id
       from lake.seen.transaction_version
       where account = getvariable('account') and explicit_settlement_id is not null
       union
       select transactions.terminal_id, try_cast(json_extract_string(audit.detail, '$.settlement') as bigint)
       from lake.ops.audit as audit
       inner join lake.seen.transaction_version as transactions
         on transactions.account = audit.account and transactions.transaction_id = try_cast(audit.subject as bigint)
       where audit.account = getvariable('account') and audit.action = 'transaction.attribute'),
     placed as (
       select named.terminal_id as low, settlements.terminal_id as high
       from named
       inner join lake.seen.settlement_version as settlements
         on settlements.account = getvariable('account') and settlements.settlement_id = named.settlement_id
       where settlements.terminal_id <> named.terminal_id),
     link as (
       select low as terminal_id, high as other from moved
       union select high, low from moved
       union select low, high from placed
       union select high, low from placed),
     reach as (
       select terminal_id, other from link
       union
       select reach.terminal_id, link.other from reach inner join link on link.terminal_id = reach.other)
     select terminal_id, min(other) as home from reach group by terminal_id`,
  )
  await connection.run(`copy shard_home to ${quoted(`${folder}/home.parquet`)} (format parquet)`)
}
