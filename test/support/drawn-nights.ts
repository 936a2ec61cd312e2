/** Histories in which everything comes late, changes or goes wrong now and then, landed night by night. */
import type { DuckDBConnection } from '@duckdb/node-api'
import { memoryLake } from './memory-lake.ts'

export interface Drawn {
  seed: number
  terminals: number
  days: number
  /** Transactions of a terminal and day. */
  perDay: number
  /** How many in a thousand records come late, change, or are unreadable once the first `calm` nights are over. */
  restless: number
  calm: number
}

/** Night n lands as number n + 1, at six in the morning after day n. */
export async function drawnNights(drawn: Drawn): Promise<DuckDBConnection> {
  const { seed, terminals, days, perDay, restless, calm } = drawn
  const connection = await memoryLake()
  await connection.run(
    `create temp macro draw(i, what, n) as (hash(${seed}, i, what) % n)::bigint;
     create temp macro night_at(night) as timestamp '2025-01-02 06:00:00' + to_days(night::integer);
     create temp macro once_restless(what, i) as draw(i, what, 1000) < ${restless}`,
  )
  await connection.run(`
    create temp table item as
    select i as id, 1 + i % ${terminals} as terminal_id,
      timestamp '2025-01-01' + to_seconds(draw(i, 1, ${days} * 86400)) as created,
      case when draw(i, 2, 100) < 6 then 'REFUND' when draw(i, 2, 100) < 8 then 'VERIFY' else 'CHARGE' end as action,
      case when draw(i, 3, 100) < 3 then 'HOLD' when draw(i, 3, 100) < 6 then 'VOID' else 'CAPTURE' end as status,
      draw(i, 4, 100) > 3 as approved,
      case when i % ${terminals} % 4 = 2 then 500 * (1 + draw(i, 5, 12)) else 100 + draw(i, 5, 20000) end as cents
    from range(${terminals} * ${days} * ${perDay}) as numbers (i);
    create temp table made as
    select terminal_id, day, terminal_id * 1000 + day as settlement_id, timestamp '2025-01-01' + to_days((day + 1)::integer) as created,
      timestamp '2025-01-01' + to_days((day + 1)::integer)
        - to_seconds((terminal_id % 6) * 3600 + draw(terminal_id * 1000 + day, 6, case terminal_id % 5 when 0 then 20000 else 1800 end)) as cut_at
    from (select 1 + i as terminal_id from range(${terminals}) as numbers (i)), range(${days}) as days (day)
    where draw(terminal_id * 1000 + day, 7, 40) > 0;
    create temp table member as
    select item.*, made.settlement_id, made.created as made_at,
      made.settlement_id is not null and approved and status = 'CAPTURE' and action <> 'VERIFY' and draw(id, 8, 200) > 0 as settled
    from item asof left join made on made.terminal_id = item.terminal_id
      and made.cut_at >= case when draw(item.id, 9, 400) = 0 then item.created + interval 2 days else item.created end;
`)
  await connection.run(`
    -- Those of every third terminal are seen unsettled first.
    create temp table seen as
    with first_seen as (
      select member.*, date_diff('day', timestamp '2025-01-01', case when terminal_id % 3 = 0 then created else coalesce(made_at, created) end) as usual_night
      from member),
    versions as (
      select *, usual_night + case when usual_night > ${calm} and once_restless(10, id) then 1 + draw(id, 11, 9) else 0 end as night,
        0 as version, terminal_id % 3 <> 0 and settled as is_settled from first_seen
      union all
      select *, date_diff('day', timestamp '2025-01-01', made_at) + 1 + case when once_restless(12, id) then draw(id, 13, 6) else 0 end, 1, true
      from first_seen where terminal_id % 3 = 0 and settled
      union all
      -- Late records of long ago, and records that change, are of the restless nights.
      select *, ${calm} + draw(id, 14, ${days} - ${calm}), 2 + draw(id, 15, 5), settled and draw(id, 16, 3) > 0
      from first_seen where once_restless(17, id) and draw(id, 18, 8) = 0 and usual_night < ${calm})
    select * from versions where night < ${days}`)
  // Some records can't be read when they come: some never, others days later. Some settlements can't be read again, and some never could.
  await connection.run(`
    create temp table unreadable as
    select 'transaction' as kind, id, terminal_id, created, night, draw(id, 40, 400) = 1 as is_lost
    from seen where ${restless} > 0 and version = 0 and draw(id, 40, 400) < 3
    union all
    select 'settlement', settlement_id, terminal_id, created, day + draw(settlement_id, 41, 30), true from made
    where ${restless} > 0 and draw(settlement_id, 42, 150) = 0
    union all
    select 'settlement', 900000000 + n, 1 + draw(n, 43, ${terminals}), timestamp '2025-01-01 18:00:00' + to_days(draw(n, 44, ${calm})::integer),
      case when n % 2 = 0 then draw(n, 44, ${calm}) else ${calm} + draw(n, 45, ${days} - ${calm}) end, true
    from range(${Math.floor(restless / 3)}) as numbers (n);
    delete from seen where id in (select id from unreadable where kind = 'transaction' and is_lost);
    update seen set night = night + 1 + draw(id, 46, 12) where version = 0 and id in (select id from unreadable where kind = 'transaction');
    delete from seen where night >= ${days};
    insert into lake.seen.quarantine
      (account, list, subject_type, subject_id, terminal_id, created, field, reason, excerpt, record_hash, sweep_id, ordinal, observed_at, landing_seq)
    select 'bench', kind || 's', kind, id::varchar, case when draw(id, 47, 4) > 0 then terminal_id end, case when draw(id, 48, 4) > 0 then created end,
      'field', 'unreadable', 'x', id::varchar, left(kind, 1) || night, id, night_at(night), night + 1
    from unreadable where night < ${days};
    drop table unreadable`)
  await connection.run(`
    insert into lake.seen.transaction_version
      (account, transaction_id, terminal_id, action, status, approved, settled, explicit_settlement_id, created, last_modified, base_cents, tip_cents, total_cents,
       surcharge_cents, invoice_number, vault_type, account_type, last_four, billing_key, content_hash, sweep_id, ordinal, observed_at, landing_seq)
    select 'bench', id, terminal_id, action, case when version = 4 then 'VOID' else status end, approved, is_settled,
      case when terminal_id % 7 = 6 and is_settled then settlement_id end,
      created, case when terminal_id % 4 = 1 and settled then made_at + to_minutes(draw(id, 19, 40)) else created end,
      cents, null, cents + case when version = 3 then 250 else 0 end, null, ['a', 'b', null][1 + draw(id // 3, 20, 3)],
      case when draw(id, 21, 15) = 0 then 'ACH' else 'CARD' end, 'VISA', draw(id // 3, 22, 60)::varchar, hash(draw(id // 3, 23, 4)), hash(id, version),
      't' || night, id * 8 + version, night_at(night), night + 1
    from seen;
    -- What lands for the first time long after its day.
    insert into lake.seen.transaction_version
      (account, transaction_id, terminal_id, action, status, approved, settled, created, last_modified, base_cents, total_cents,
       vault_type, account_type, last_four, billing_key, content_hash, sweep_id, ordinal, observed_at, landing_seq)
    select 'bench', 1000000 + n, 1 + draw(n, 30, ${terminals}), 'CHARGE', 'CAPTURE', true, true,
      timestamp '2025-01-01' + to_seconds(draw(n, 31, ${calm} * 86400)), null, 4200, 4200,
      'CARD', 'VISA', draw(n, 32, 60)::varchar, hash(draw(n, 33, 4)), hash(n), 't' || (${calm} + n), n, night_at(${calm} + n), ${calm} + n + 1
    from range(${days} - ${calm}) as numbers (n) where draw(n, 34, 1000) < ${restless} * 8;
    insert into lake.seen.settlement_version
    with net as (
      select made.settlement_id, any_value(made.terminal_id) as terminal_id, any_value(made.created) as created, any_value(made.day) as day,
        coalesce(sum(case action when 'CHARGE' then cents else -cents end) filter (settled), 0)::bigint
          + case when draw(made.settlement_id, 24, 50) = 0 then 777 + draw(made.settlement_id, 25, 900) else 0 end as net_cents
      from made left join member using (settlement_id) group by made.settlement_id),
    versions as (
      select *, 'COMPLETE' as status, day + case when day > ${calm} and once_restless(26, settlement_id) then 1 + draw(settlement_id, 27, 5) else 0 end as night from net
        where draw(settlement_id, 28, 6) > 0
      union all
      select *, unnest(['PENDING', 'COMPLETE']), unnest([day, day + 1]) from net where draw(settlement_id, 28, 6) = 0
      union all
      select * replace (net_cents + 100 as net_cents), 'COMPLETE', ${calm} + draw(settlement_id, 29, ${days} - ${calm}) from net
        where day < ${calm} and draw(settlement_id, 35, 8) = 0 and once_restless(36, settlement_id))
    select 'bench', settlement_id, terminal_id, created, status, net_cents, false, hash(settlement_id, night), 's' || night, settlement_id, night_at(night), night + 1
    from versions where night < ${days};
    insert into lake.ops.sweep
      (sweep_id, run_id, account, list, started_seq, covers_from, started_at, ended_at, pages, records, new_versions, quarantined, rewinds, requests,
       throttled, certificate, bodies_sha256, landing_seq)
    select list || night, 'r', 'bench', case list when 't' then 'transactions' when 's' then 'settlements' else 'terminals' end, night,
      -- Only some nights read the whole list.
      case when list = 't' and night % 20 > 0 then night_at(night) - interval 4 days end, night_at(night) - interval 5 minutes, night_at(night) + interval 5 minutes,
      1, 0, 0, 0, 0, 1, 0, 'CONTIGUOUS', 'x', night + 1
    from range(${days}) as nights (night), (select unnest(['t', 's', 'm']) as list);
    insert into lake.seen.terminal_version
      (account, terminal_id, nick_name, type, enabled, surcharge_enabled, acceptance, content_hash, sweep_id, ordinal, observed_at, landing_seq)
    select 'bench', 1 + n, 'T' || n, 'CARD', true, false, '', n, 'm0', n, night_at(0), 1 from range(${terminals}) as numbers (n)`)
  for (const table of ['item', 'made', 'member', 'seen'])
    await connection.run(`drop table ${table}`)
  return connection
}
