/** A lake in memory with a random history from a seed, every kind of record in it, and its whole reconciliation. */
import type { DuckDBConnection } from '@duckdb/node-api'
import { neededFor, prepareModels, readModels, runModels } from '../../../lake/run/models.ts'
import { memoryLake } from '../../support/memory-lake.ts'
import { bindViews } from '../../support/bind-views.ts'
import { runVariables } from '../../support/run-variables.ts'

export interface World {
  seed: number
  transactions: number
}

/** Two leap-year Februaries lie within a year of one another's refunds. */
const FROM = '2023-12-01'
const DAYS = 470

export const VARIABLES = {
  account: 'acme',
  timezone: 'America/New_York',
  as_of: '2025-03-16 12:00:00',
  as_of_date: '2025-03-16',
  known_at: 10,
  pending_stale_days: 3,
  unsettled_days: 5,
}

/** Fills a lake with the world and runs every model up to the findings on it. */
export async function reconciled(world: World): Promise<DuckDBConnection> {
  const connection = await memoryLake()
  await connection.run('set preserve_insertion_order = false')
  const terminals = Math.max(3, Math.round(world.transactions / 12_000))
  for (const statement of drawn(world.seed, world.transactions, terminals)) {
    await connection.run(statement)
  }
  await prepareModels(
    connection,
    runVariables({
      account: VARIABLES.account,
      known_at: BigInt(VARIABLES.known_at),
      known_time: VARIABLES.as_of,
      timezone: VARIABLES.timezone,
      window_from: FROM,
      window_to: '2026-01-01',
      from_date: FROM,
      to_date: '2026-01-01',
      as_of: VARIABLES.as_of,
      as_of_date: VARIABLES.as_of_date,
      pending_stale_days: BigInt(VARIABLES.pending_stale_days),
      unsettled_days: BigInt(VARIABLES.unsettled_days),
    }),
  )
  const models = neededFor(readModels(), ['finding', 'transaction_standing'])
  await bindViews(connection, models)
  await runModels(connection, models)
  return connection
}

/** Statements that draw the world. `draw(n, what)` is a number below n that depends on the seed, the row and what it is for. */
function drawn(seed: number, transactions: number, terminals: number): string[] {
  return [
    `create temp macro draw(i, what, n) as (hash(i * 1000003 + ${seed} * 7919 + what) % n)::bigint`,
    `create temp table item as
     with numbered as (
       -- Some repeat the card and the amount of the one before, minutes later.
       select i, case when draw(i, 1, 100) < 3 and i > 0 then i - 1 else i end as source from range(${transactions}) as r (i)),
     timed as (
       select *, 1 + draw(i, 2, ${terminals}) as terminal_id,
         timestamp '${FROM}' + to_seconds(case when draw(source, 3, 10) = 0
           then (case when draw(source, 4, 2) = 0 then 88 else 454 end) * 86400 + draw(source, 5, 3 * 86400)
           else draw(source, 6, ${DAYS} * 86400) end
           + case when i = source then 0 else draw(i, 7, 700) - 20 end) as created
       from numbered)
     select i as id, terminal_id, created,
       case when draw(i, 8, 100) < 3 then 'VERIFY' when draw(i, 9, 100) < 10 then 'REFUND' else 'CHARGE' end as action,
       case when draw(i, 10, 100) < 3 then 'HOLD' when draw(i, 10, 100) < 7 then 'VOID' else 'CAPTURE' end as status,
       case when draw(i, 11, 1000) < 2 then null else draw(i, 11, 100) >= 4 end as approved,
       case when draw(i, 12, 1000) < 5 then draw(i, 13, 2) = 0 else status = 'CAPTURE' and coalesce(approved, false) end as would_settle,
       case when action = 'VERIFY' then draw(i, 14, 40) // 39 * 100 when draw(i, 15, 5000) = 0 then 100000001 else 100 + draw(source, 16, 9000) end as base_cents,
       case when action <> 'VERIFY' and draw(source, 17, 3) = 0 then draw(source, 18, 800) end as tax_cents,
       case when action <> 'VERIFY' and draw(source, 19, 4) = 0 then draw(source, 20, 500) end as tip_cents,
       case when draw(source, 21, 9) = 0 then 0 end as shipping_cents,
       case when action <> 'VERIFY' and draw(source, 22, 12) = 0 then 1 + base_cents * (25 + draw(source, 23, 9)) // 1000 end as surcharge_cents,
       case when draw(i, 24, 3) = 0 then (250 + draw(i, 25, 4) * 25)::decimal(9, 4) / 100 end as surcharge_percentage,
       case when action = 'VERIFY' then base_cents // 100 * 100
         else base_cents + coalesce(tax_cents, 0) + coalesce(tip_cents, 0) + coalesce(surcharge_cents, 0) + case when draw(i, 26, 300) = 0 then draw(i, 27, 9) - 4 else 0 end
       end as total_cents,
       case when draw(source, 28, 100) < 88 then 'CARD' when draw(source, 28, 100) < 97 then 'ACH' end as vault_type,
       case when draw(i, 29, 25) = 0 or vault_type = 'ACH' then ['PPD', 'WEB', 'CCD'][1 + draw(i, 30, 3)] end as ach_type,
       ['VISA', 'MASTERCARD', null][1 + draw(source, 31, 2) + draw(source, 32, 20) // 19] as account_type,
       lpad(draw(source, 33, greatest(20, ${transactions} // 60))::varchar, 4, '0') as last_four,
       case when draw(source, 34, 8) > 0 then draw(source, 35, 3)::ubigint end as billing_key,
       [null, '', 'i1', 'i2', ' i1 ', null][1 + draw(i, 36, 6)] as invoice_number
     from timed`,
    `create temp table made as
     select settlement_id, terminal_id, created, cut_at, draw(settlement_id, 40, 100) as luck, day from (
       select t as terminal_id, day, t * 10000 + day as settlement_id,
         timestamp '${FROM}' + to_days((day + 1)::integer) + to_hours(5) as created,
         created - to_hours(t % 5) - to_seconds(case when t % 5 = 0 then 0 else draw(t * 10000 + day, 41, 600) end) as cut_at
       from range(1, ${terminals} + 1) as terminals (t), range(${DAYS}) as days (day))
     -- Some days have no settlement, and of some terminals the last ones are not there yet.
     where draw(settlement_id, 42, 30) > 0 and not (terminal_id % 3 = 0 and day >= ${DAYS} - 3)`,
    `create temp table member as
     select item.*, made.settlement_id, made.day from item
     asof left join made on made.terminal_id = item.terminal_id and made.cut_at >= item.created`,
    `insert into lake.seen.settlement_version
     with netted as (
       select made.*, coalesce(sum(case action when 'CHARGE' then total_cents when 'REFUND' then -total_cents end) filter (where would_settle), 0)::bigint as net_cents
       from made left join member using (settlement_id) group by all),
     versions as (
       select *, 1 as version, case when luck < 6 and luck > 3 then net_cents - 25 else net_cents end as seen_cents,
         case when luck between 2 and 4 or made_late then 'PENDING' else 'COMPLETE' end as seen_status, 2 as seq
       from (select *, day >= ${DAYS} - 2 or draw(settlement_id, 43, 400) = 0 as made_late from netted)
       union all
       select *, 2, case when luck = 9 then net_cents + 700 else net_cents end, case when luck = 6 or made_late then 'PENDING' else 'COMPLETE' end,
         -- What landed after the transactions were read is not judged, and what landed past known_at is not seen.
         case luck when 8 then 8 when 9 then 4 when 10 then 12 else 5 end
       from (select *, day >= ${DAYS} - 2 or draw(settlement_id, 43, 400) = 0 as made_late from netted) where luck between 2 and 10)
     select 'acme', settlement_id, terminal_id, created, seen_status,
       seen_cents + case when draw(settlement_id, 44, 80) = 0 and draw(settlement_id, 45, 3) > 0 then 30000 + draw(settlement_id, 46, 9000) else 0 end,
       false, hash(settlement_id, version), 's', version, timestamp '2025-03-15' + to_hours(seq), seq
     from versions`,
    `insert into lake.seen.transaction_version
       (account, transaction_id, terminal_id, action, status, approved, settled, created, last_modified, base_cents, tax_cents, shipping_cents,
        tip_cents, surcharge_cents, total_cents, ach_type, surcharge_percentage, invoice_number, vault_type, account_type, last_four, billing_key,
        content_hash, sweep_id, ordinal, observed_at, landing_seq)
     with versions as (
       select *, 1 as version, case when draw(id, 50, 200) < 2 then 3 else 2 end as seq,
         case when draw(id, 51, 500) = 0 then null when draw(id, 52, 100) = 0 then true else would_settle and (settlement_id is not null or draw(id, 53, 9) = 0) end as settled,
         0 as off_cents, status as seen_status
       from member
       union all
       select *, 2, case when draw(id, 54, 20) = 0 then 12 else 5 end, would_settle and settlement_id is not null,
         case when draw(id, 55, 20) = 0 then 5 else 0 end, case when draw(id, 56, 30) = 0 then 'VOID' else status end
       from member where draw(id, 57, 40) = 0)
     select 'acme', id, terminal_id, action, seen_status, approved, settled, created, created, base_cents + off_cents, tax_cents, shipping_cents, tip_cents,
       surcharge_cents, total_cents + off_cents, ach_type, surcharge_percentage, invoice_number, vault_type, account_type, last_four, billing_key,
       hash(id, version), 't', version, timestamp '2025-03-15' + to_hours(seq), seq
     from versions`,
    `insert into lake.seen.terminal_version (account, terminal_id, nick_name, type, enabled, surcharge_enabled, surcharge_percentage, acceptance, sweep_id, ordinal, observed_at, landing_seq)
     select 'acme', t, 'n', case when t % 4 = 1 then 'ACH' when t % 7 = 3 then null else 'CARD' end, true, [true, false, null][1 + (t % 3)::integer],
       case when t % 2 = 0 then 3 end, [null, 'PPD,WEB', 'CCD', ''][1 + (t % 4)::integer], 'r', 1, timestamp '2025-03-15', 2
     from range(1, ${terminals}) as r (t)`,
    // Some terminals change their settings between the two landings of transactions, or too late to count.
    `insert into lake.seen.terminal_version (account, terminal_id, nick_name, type, enabled, surcharge_enabled, surcharge_percentage, acceptance, sweep_id, ordinal, observed_at, landing_seq)
     select 'acme', t, 'n', case when t % 3 = 0 then 'ACH' else 'CARD' end, true, t % 2 = 1, 2.5, 'WEB', 'r', 2, timestamp '2025-03-15', case when t % 5 = 0 then 12 else 3 end
     from range(1, ${terminals}) as r (t) where t % 2 = 0 or t % 5 = 0`,
    `insert into lake.ops.sweep
       (sweep_id, run_id, account, list, started_seq, started_at, ended_at, pages, records, new_versions, quarantined, rewinds, requests, throttled, certificate, bodies_sha256, landing_seq)
     select list || seq, 'r', 'acme', list, seq, timestamp '2025-03-15' + to_hours(seq), timestamp '2025-03-15' + to_hours(seq + 1), 1, 1, 1, 0, 0, 1, 0, 'CONTIGUOUS', 'x', seq + 1
     from (values ('terminals', 1), ('settlements', 1), ('transactions', 1), ('transactions', 6), ('settlements', 7)) as sweeps (list, seq)`,
  ]
}
