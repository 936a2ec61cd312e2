/**
 * Draws histories whose truth is known: the members of each settlement, and the wrong nets. All values come from
 * hashes, so that the same size always gives the same history.
 */
import type { DuckDBConnection } from '@duckdb/node-api'
import { isBankDay } from '../domain/bank-days.ts'
import { addDays } from '../domain/business-day.ts'

export interface DrawnHistory {
  transactions: number
  /** Transactions per terminal and day. The number of terminals follows from it. */
  perDay: number
  days: number
  /** Share of the settlements whose net is wrong. */
  errors: number
  /** Share of the transactions that are captured one to three days after their creation. */
  late: number
  /** The sweeps that read the history: one at its end, one each night, or one on four nights of five. */
  sweeps: 'one' | 'nightly' | 'gaps'
  /** Settlements per terminal and day. */
  settlementsPerDay: 1 | 2
  /**
   * Banking days between the cut-off, at 21:00 of a banking day, and the settlement, at 13:00. With 0, hours lie
   * between them, on any day.
   */
  bankingDays?: number
  /** The event that turns the settled flag. */
  flips: 'created' | 'complete'
  /** The event that changes lastModified. */
  modifies: 'never' | 'capture' | 'settlement'
}

const BEGIN = '2025-09-01'

/** Returns the number of terminals of a history. */
const terminalsOf = ({ transactions, perDay, days }: DrawnHistory): number =>
  Math.max(1, Math.round(transactions / (perDay * days)))

/**
 * Makes the tables `drawn_member` and `drawn_settlement`, which hold the truth. The benches compare the results with
 * them.
 */
export async function drawHistory(
  connection: DuckDBConnection,
  history: DrawnHistory,
): Promise<void> {
  const { transactions, days, late } = history
  const terminals = terminalsOf(history)
  await connection.run(
    `create or replace temp table drawn as
     select *, created + to_seconds(late_s) as captured from (
       select i as transaction_id, (hash(i * 7 + 1) % ${terminals})::bigint + 1 as terminal_id,
         timestamp '${BEGIN}' + to_seconds((hash(i * 13 + 5) % (${days} * 86400))::bigint) as created,
         case when hash(i * 3 + 2) % 100 < 6 then 'REFUND' else 'CHARGE' end as action,
         (100 + hash(i * 11 + 3) % 20000)::bigint as cents,
         case when hash(i * 17 + 9) % 100000 < ${late * 100_000} then 86400 * (1 + hash(i) % 3)::bigint else 0 end as late_s
       from range(${transactions}) as numbers (i))`,
  )
  await (history.bankingDays
    ? cutByBankingDays(connection, history)
    : cutByHours(connection, history))
  await connection.run(
    `create or replace temp table drawn_member as
     select drawn.*, cut.settlement_id, cut.created as settled_at from drawn
     asof left join cut on cut.terminal_id = drawn.terminal_id and cut.cut_at >= drawn.captured`,
  )
  await connection.run(
    `create or replace temp table drawn_settlement as
     select settlement_id, any_value(cut.terminal_id) as terminal_id, any_value(cut.created) as created,
       any_value(cut.created) + to_hours(20 + (hash(settlement_id * 5) % 20)::integer) as completed,
       coalesce(sum(case action when 'CHARGE' then cents else -cents end), 0)::bigint as true_cents,
       case when hash(settlement_id * 777) % 1000 < ${history.errors * 1000} then 30000 + (hash(settlement_id) % 9000)::bigint else 0 end as error_cents
     from cut left join drawn_member using (settlement_id) group by settlement_id`,
  )
}

async function cutByHours(
  connection: DuckDBConnection,
  { days, settlementsPerDay, ...history }: DrawnHistory,
): Promise<void> {
  const terminals = terminalsOf({ days, settlementsPerDay, ...history })
  // A cut-off lies up to six hours before the settlement, and varies by half an hour. Every seventh day has no
  // settlement.
  await connection.run(
    `create or replace temp table cut as
     select *, created - to_seconds(((hash(terminal_id) % ${12 / settlementsPerDay / 2}) * 3600 + hash(settlement_id) % 1800)::bigint) as cut_at from (
       select terminal_id, slot, terminal_id * 10000 + slot as settlement_id,
         timestamp '${BEGIN}' + to_seconds((slot + 1) * ${86_400 / settlementsPerDay}) as created
       from (select (i + 1)::bigint as terminal_id from range(${terminals}) as numbers (i)), range(${days * settlementsPerDay}) as slots (slot)
       where (slot // ${settlementsPerDay} + terminal_id) % 7 <> 3)`,
  )
}

/** Cuts one settlement per banking day, which is created some banking days later. */
async function cutByBankingDays(
  connection: DuckDBConnection,
  { days, bankingDays = 1, ...history }: DrawnHistory,
): Promise<void> {
  const dates = Array.from({ length: days + 20 }, (_day, i) => addDays(BEGIN, i)).filter((date) =>
    isBankDay(date, { closed: [], open: [] }),
  )
  const rows = dates.map((date, slot) => `(${slot}, timestamp '${date}')`).join(', ')
  await connection.run(
    `create or replace temp table cut as
     select terminal_id, cut.slot, terminal_id * 10000 + cut.slot as settlement_id,
       paid.day + interval 13 hours as created, cut.day + interval 21 hours - to_seconds((hash(terminal_id) % 3600)::bigint) as cut_at
     from (select (i + 1)::bigint as terminal_id from range(${terminalsOf({ days, ...history })}) as numbers (i)),
       (values ${rows}) as cut (slot, day) inner join (values ${rows}) as paid (slot, day) on paid.slot = cut.slot + ${bankingDays}
     where cut.day < timestamp '${BEGIN}' + to_days(${days - 12})`,
  )
}

/** Lands the history as its sweeps would have landed it. */
export async function landHistory(
  connection: DuckDBConnection,
  { days, sweeps, flips, modifies }: DrawnHistory,
): Promise<void> {
  const end = `timestamp '${BEGIN}' + to_days(${days + 4})`
  const isNight =
    sweeps === 'one' ? 'false' : sweeps === 'nightly' ? 'true' : 'hash(n * 31) % 5 <> 0'
  // Each night reads the settlements, the transactions, and the settlements again: three landings.
  await connection.run(
    `create or replace temp table night as
     select row_number() over (order by swept_at) as n, swept_at from (
       select timestamp '${BEGIN}' + to_days(n::integer) + interval 5 hours as swept_at from range(1, ${days + 4}) as nights (n) where ${isNight}
       union select ${end})`,
  )
  await connection.run(
    `insert into lake.ops.sweep
       (sweep_id, run_id, account, list, started_seq, started_at, ended_at, pages, records, new_versions, quarantined, rewinds, requests,
        throttled, certificate, bodies_sha256, landing_seq)
     select list || n || word, n::varchar, 'bench', list, n * 3 - offset_seq - 1, swept_at, swept_at + interval 1 minute, 1, 1, 1, 0, 0, 1, 0, 'CONTIGUOUS', 'x', n * 3 - offset_seq
     from night, (values ('settlements', 2, ''), ('transactions', 1, ''), ('settlements', 0, ' again')) as lists (list, offset_seq, word)`,
  )
  await connection.run(
    `insert into lake.seen.settlement_version
     select 'bench', settlement_id, terminal_id, created, status, net, false, hash(settlement_id, status), 'settlements' || n, row_number() over (), swept_at, n * 3 - 2
     from (
       select settlement_id, terminal_id, created, true_cents + error_cents as net, change.status, night.n, night.swept_at,
         row_number() over (partition by settlement_id, night.n order by change.at desc) as age
       from drawn_settlement, (values ('PENDING'), ('COMPLETE')) as words (word),
         lateral (select word as status, case word when 'PENDING' then created else completed end as at) as change
       asof join night on night.swept_at > change.at)
     where age = 1`,
  )
  const settled = flips === 'created' ? 'settled_at' : 'completed'
  const moved = {
    never: 'created',
    capture: 'captured',
    settlement: "case kind when 'settled' then settled_at + interval 20 hours else captured end",
  }[modifies]
  await connection.run(
    `insert into lake.seen.transaction_version
       (account, transaction_id, terminal_id, action, status, approved, settled, created, last_modified, base_cents, total_cents,
        vault_type, account_type, last_four, billing_key, content_hash, sweep_id, ordinal, observed_at, landing_seq)
     select 'bench', transaction_id, terminal_id, action, case kind when 'held' then 'HOLD' else 'CAPTURE' end, true, kind = 'settled', created, ${moved}, cents, cents,
       'CARD', 'VISA', (transaction_id % 10000)::varchar, hash(transaction_id % 50000), hash(transaction_id, kind), 'transactions' || n, row_number() over (), swept_at, n * 3 - 1
     from (
       select change.*, night.n, night.swept_at, row_number() over (partition by transaction_id, night.n order by change.at desc, kind desc) as age
       from (
         select drawn_member.*, 'held' as kind, drawn_member.created as at from drawn_member where late_s > 0
         union all
         select *, 'captured', captured from drawn_member
         union all
         select drawn_member.*, 'settled', ${settled} from drawn_member inner join drawn_settlement using (settlement_id)
       ) as change
       asof join night on night.swept_at > change.at)
     where age = 1`,
  )
}
