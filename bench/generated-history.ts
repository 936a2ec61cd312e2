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
   * - `one`, if absent: all rows are landing 2, and have no order.
   * - `two`: ids and files are in the order of time; the last day is landing 3, and all else is landing 2.
   * - `nightly`: in the order of time, with a landing for each sweep of each night. Sweeps first see a transaction after
   *   its day's cut-off unsettled.
   */
  landings?: 'one' | 'two' | 'nightly'
}

/** The day on which a drawn history begins. */
const BEGIN = `timestamp '2025-09-01'`

/**
 * Generates a history of charges. There is one card for every twenty transactions. Each settlement's cut-off lies up
 * to six hours before it, and the net of one in a hundred is wrong. Sixty transactions in a thousand refund an
 * earlier charge, a few of them a hundred times its amount. Another one repeats an earlier charge.
 */
export async function generate(connection: DuckDBConnection, size: HistorySize): Promise<void> {
  const { transactions, terminals, days, landings = 'one' } = size
  const isSwept = landings !== 'one'
  const time = (id: string) =>
    `${BEGIN} + to_seconds((${isSwept ? `${id} * ${days} * 86400 // ${transactions}` : `hash(${id} * 13 + 5) % (${days} * 86400)`})::bigint)`
  const end = `${BEGIN} + interval ${days} days`
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
     select terminal_id, day, terminal_id * 1000 + day as settlement_id, ${BEGIN} + to_days((day + 1)::integer) as created,
       ${BEGIN} + to_days((day + 1)::integer)
         - to_seconds(((hash(terminal_id) % 6) * 3600 + hash(terminal_id * 1000 + day) % 1800)::bigint) as cut_at
     from (select (i + 1)::bigint as terminal_id from range(${terminals}) as numbers (i)), range(${days}) as days (day)`,
  )
  await connection.run(
    `create temp table member as
     select drawn.*, made.settlement_id, made.created as made_at, coalesce(made.day = ${days - 1}, true) as is_last from drawn
     asof left join made on made.terminal_id = drawn.terminal_id and made.cut_at >= drawn.created`,
  )
  await connection.run('drop table drawn')
  await connection.run(
    `create temp table net as
     select settlement_id, sum(case action when 'CHARGE' then cents when 'REFUND' then -cents end)::bigint as cents
     from member where settlement_id is not null group by settlement_id`,
  )
  if (landings === 'nightly') await landByNight(connection, days)
  else await landAtOnce(connection, days, isSwept)
  for (const drawn of ['made', 'member', 'net']) await connection.run(`drop table ${drawn}`)
}

const NIGHTS_AT_ONCE = 20

/** The net of a settlement from its members; one in a hundred is wrong. */
const NET = `coalesce(net.cents, 0)
  + case when hash(made.settlement_id * 777) % 100 = 0 then 30000 + hash(made.settlement_id) % 9000 else 0 end`

const insertSettlements = (rows: string): string =>
  `insert into lake.seen.settlement_version
   select 'bench', settlement_id, terminal_id, created, 'COMPLETE', ${NET}, false, hash(settlement_id), sweep_id, 1,
     observed_at, landing_seq
   from ${rows} as made left join net using (settlement_id)`

const insertTransactions = (rows: string): string =>
  `insert into lake.seen.transaction_version
     (account, transaction_id, terminal_id, action, status, approved, settled, created, last_modified, base_cents, total_cents,
      vault_type, account_type, last_four, billing_key, content_hash, sweep_id, ordinal, observed_at, landing_seq)
   select 'bench', id, terminal_id, action, 'CAPTURE', true, settled, created, last_modified, cents, cents,
     'CARD', 'VISA', (card % 10000)::varchar, hash(card), hash(id, settled), sweep_id, 1, observed_at, landing_seq
   from ${rows}`

const insertSweeps = (rows: string): string =>
  `insert into lake.ops.sweep
     (sweep_id, run_id, account, list, started_seq, covers_from, started_at, ended_at, pages, records, new_versions, quarantined, rewinds, requests,
      throttled, certificate, bodies_sha256, landing_seq)
   select sweep_id, 'r', 'bench', list, landing_seq - 1, covers_from, started_at, ended_at, 1, 1, 1, 0, 0, 1, 0, 'CONTIGUOUS', 'x', landing_seq
   from ${rows}`

async function landAtOnce(
  connection: DuckDBConnection,
  days: number,
  isSwept: boolean,
): Promise<void> {
  for (const seq of isSwept ? [2, 3] : [2]) {
    const lands = isSwept ? `(is_last = ${seq === 3})` : 'true'
    await connection.run(
      insertSettlements(
        `(select *, day = ${days - 1} as is_last, 's' as sweep_id, timestamp '2026-11-20' as observed_at, ${seq - 1} as landing_seq
          from made where ${lands})`,
      ),
    )
    await connection.run(
      insertTransactions(
        `(select *, settlement_id is not null as settled, created as last_modified, 't' as sweep_id,
            timestamp '2026-11-20' as observed_at, ${seq} as landing_seq
          from member where ${lands} ${isSwept ? 'order by id' : ''})`,
      ),
    )
    await connection.run(
      insertSweeps(
        `(select 't${seq === 2 ? '' : seq}' as sweep_id, 'transactions' as list, ${seq} as landing_seq, null as covers_from,
            timestamp '2026-11-20' as started_at, timestamp '2026-11-20' as ended_at)`,
      ),
    )
  }
}

/**
 * Lands settlements and transactions as sweeps leave them that run from 02:50 to 03:00 every night. The settlements of
 * night n are landing 3n + 2, and its transactions landing 3n + 3. Landing 3n + 4 finds no new settlement.
 */
async function landByNight(connection: DuckDBConnection, days: number): Promise<void> {
  const at = (night: string) => `${BEGIN} + to_days((${night} + 1)::integer) + interval 170 minutes`
  const ended = (night: string) => `${at(night)} + interval 10 minutes`
  await connection.run(
    insertSettlements(
      `(select *, 's' || day as sweep_id, ${ended('day')} as observed_at, 3 * day + 2 as landing_seq from made)`,
    ),
  )
  // A part at a time, because the sort of a long history at once does not fit into the memory.
  for (let night = 0; night < days; night += NIGHTS_AT_ONCE) {
    await connection.run(
      insertTransactions(
        `(with
            found as (
              select *, date_diff('day', ${BEGIN}, created) as first_night, date_diff('day', ${BEGIN}, made_at) - 1 as settled_night
              from member),
            version as (
              select *, false as settled, first_night as night, created as last_modified
              from found where coalesce(settled_night > first_night, true)
              union all
              select *, true, settled_night, made_at
              from found where settled_night is not null)
          select *, 't' || night as sweep_id, ${ended('night')} as observed_at, 3 * night + 3 as landing_seq
          from version where night >= ${night} and night < ${night + NIGHTS_AT_ONCE} order by night, id)`,
      ),
    )
  }
  await connection.run(
    insertSweeps(
      `(select sweep || night as sweep_id, list, 3 * night + place as landing_seq,
          ${at('night')} - interval 8 days as covers_from, ${at('night')} as started_at, ${ended('night')} as ended_at
        from range(${days}) as nights (night),
            (values ('s', 'settlements', 2), ('t', 'transactions', 3), ('u', 'settlements', 4)) as sweeps (sweep, list, place))`,
    ),
  )
  await connection.run(
    `insert into lake.ops.landing
     select landing_seq, account, sweep_id, 0, records, new_versions, quarantined, ended_at, '{}' from lake.ops.sweep`,
  )
}
