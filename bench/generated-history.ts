/**
 * Draws histories of any size for benches, from hashes: charges, some refunds, and one settlement per terminal and
 * day.
 */
import type { DuckDBConnection } from '@duckdb/node-api'
import { prepareModels } from '../lake/run/models.ts'
import { runVariables } from '../test/support/run-variables.ts'

/** Sets the variables of a run over a drawn history, with the knowledge up to `known_at`. */
export async function prepareHistory(
  connection: DuckDBConnection,
  known_at: bigint,
): Promise<void> {
  await prepareModels(
    connection,
    runVariables({
      account: 'bench',
      known_at: known_at,
      known_time: '2026-11-20',
      from_date: '2025-01-01',
      to_date: '2027-01-01',
      window_from: '2025-01-01',
      window_to: '2027-01-01',
      as_of: '2026-11-20',
      as_of_date: '2026-11-20',
      cutoff_tolerance_hours: null,
    }),
  )
}

export interface HistorySize {
  transactions: number
  terminals: number
  days: number
  /**
   * True: the history looks as sweeps leave it, with ids and files in the order of time. The last day is landing 3,
   * and all else is landing 2. False: the rows have no order, and all are landing 2.
   */
  isSwept?: boolean
  /**
   * True: each settlement and its members were read in the night after its creation. False: all were read at once.
   */
  isNightly?: boolean
}

/**
 * Generates a history of charges. There is one card for every twenty transactions. Each settlement's cut-off lies up
 * to six hours before it, and the net of one in a hundred is wrong. Sixty transactions in a thousand refund an
 * earlier charge, a few of them a hundred times its amount. Another one repeats an earlier charge.
 */
export async function generate(connection: DuckDBConnection, size: HistorySize): Promise<void> {
  const { transactions, terminals, days, isSwept = false, isNightly = false } = size
  const time = (id: string) =>
    `timestamp '2025-09-01' + to_seconds((${isSwept ? `${id} * ${days} * 86400 // ${transactions}` : `hash(${id} * 13 + 5) % (${days} * 86400)`})::bigint)`
  const end = `timestamp '2025-09-01' + interval ${days} days`
  const observed = (made_at: string) =>
    isNightly ? `coalesce(${made_at}, ${end}) + interval 3 hours` : `timestamp '2026-11-20'`
  await connection.run(
    `create temp table drawn as
     with lots as (select i as id, hash(i * 3 + 2) % 1000 as lot from range(${transactions}) as numbers (i)),
     sourced as (
       select id, lot, case when lot < 60 then id - 1 - (hash(id * 17 + 6) % least(greatest(id, 1), ${Math.ceil((transactions * 30) / days)}))::bigint when lot = 60 then greatest(id - 1, 0) end as earlier
       from lots),
     -- The transaction that it repeats or refunds, if that is not itself a repetition or a refund; else the transaction itself.
     found as (select id, lot, case when earlier is not null and hash(earlier * 3 + 2) % 1000 > 60 then earlier else id end as source from sourced)
     select id, source % ${Math.ceil(transactions / 20)} as card, (hash(source * 7 + 1) % ${terminals})::bigint + 1 as terminal_id,
       ${
         isSwept
           ? time('id')
           : `case when source = id then ${time('id')} when lot = 60 then ${time('source')} + interval 1 minute
         else ${time('source')} + (${end} - (${time('source')})) * ((hash(id * 23 + 9) % 1000) / 1000) end`
       } as created,
       case when source <> id and lot < 60 then 'REFUND' else 'CHARGE' end as action,
       (100 + hash(source * 11 + 3) % 20000)::bigint * case when source <> id and lot < 60 and hash(id * 19 + 8) % 1000 = 0 then 100 else 1 end as cents
     from found`,
  )
  await connection.run(
    `create temp table made as
     select terminal_id, day, terminal_id * 1000 + day as settlement_id, timestamp '2025-09-01' + to_days((day + 1)::integer) as created,
       timestamp '2025-09-01' + to_days((day + 1)::integer)
         - to_seconds(((hash(terminal_id) % 6) * 3600 + hash(terminal_id * 1000 + day) % 1800)::bigint) as cut_at
     from (select (i + 1)::bigint as terminal_id from range(${terminals}) as numbers (i)), range(${days}) as days (day)`,
  )
  await connection.run(
    `create temp table member as
     select drawn.*, made.settlement_id, made.created as made_at, coalesce(made.day = ${days - 1}, true) as is_last from drawn
     asof left join made on made.terminal_id = drawn.terminal_id and made.cut_at >= drawn.created`,
  )
  for (const seq of isSwept ? [2, 3] : [2]) {
    const lands = isSwept ? `(is_last = ${seq === 3})` : 'true'
    await connection.run(
      `insert into lake.seen.settlement_version
       select 'bench', made.settlement_id, any_value(made.terminal_id), any_value(made.created), 'COMPLETE',
         coalesce(sum(case action when 'CHARGE' then cents when 'REFUND' then -cents end), 0)::bigint
           + case when hash(made.settlement_id * 777) % 100 = 0 then 30000 + hash(made.settlement_id) % 9000 else 0 end,
         false, hash(made.settlement_id), 's', 1, ${observed('any_value(made.created)')}, ${seq - 1}
       from (select *, day = ${days - 1} as is_last from made) as made left join member using (settlement_id, is_last)
       where ${lands} group by made.settlement_id`,
    )
    await connection.run(
      `insert into lake.seen.transaction_version
         (account, transaction_id, terminal_id, action, status, approved, settled, created, last_modified, base_cents, total_cents,
          vault_type, account_type, last_four, billing_key, content_hash, sweep_id, ordinal, observed_at, landing_seq)
       select 'bench', id, terminal_id, action, 'CAPTURE', true, settlement_id is not null, created, created, cents, cents,
         'CARD', 'VISA', (card % 10000)::varchar, hash(card), hash(id), 't', 1, ${observed('made_at')}, ${seq}
       from member where ${lands} ${isSwept ? 'order by id' : ''}`,
    )
    await connection.run(
      `insert into lake.ops.sweep
         (sweep_id, run_id, account, list, started_seq, started_at, ended_at, pages, records, new_versions, quarantined, rewinds, requests,
          throttled, certificate, bodies_sha256, landing_seq)
       values ('t${seq === 2 ? '' : seq}', 'r', 'bench', 'transactions', ${seq - 1}, '2026-11-20', '2026-11-20', 1, 1, 1, 0, 0, 1, 0, 'CONTIGUOUS', 'x', ${seq})`,
    )
  }
  for (const drawn of ['drawn', 'made', 'member']) await connection.run(`drop table ${drawn}`)
  if (!isNightly) return
  await connection.run(
    `insert into lake.ops.sweep
       (sweep_id, run_id, account, list, started_seq, covers_from, started_at, ended_at, pages, records, new_versions, quarantined, rewinds, requests,
        throttled, certificate, bodies_sha256, landing_seq)
     select 'n' || night, 'r', 'bench', 'transactions', 1, night_at - interval 8 days, night_at, night_at + interval 30 minutes, 1, 1, 1, 0, 0, 1, 0, 'CONTIGUOUS', 'x', 2
     from (select night, timestamp '2025-09-01 02:50:00' + to_days((night + 1)::integer) as night_at from range(${days - 1}) as nights (night))`,
  )
}
