/** What speaks for the members of one settlement, and against: its difference by name, other cut-offs, rivals, and what was seen when. */
import type { DuckDBConnection } from '@duckdb/node-api'

/** A named part of a difference, or a transaction that was moved; the amounts of all parts but the moved ones add up to the difference. */
export interface DifferencePart {
  name: string
  amount: string
  /** Transaction ids, `;`-separated; empty for what is unexplained. */
  transactions: string
  /** The settlement on the other side, where there is one. */
  otherSettlement: string
}

/** A place at which the settlement may end, and what its numbers would be. */
export interface CutOffTried {
  /** Time of the last transaction in, by the terminal's clock. */
  at: string
  computedNet: string
  difference: string
  isChosen: boolean
}

/** Other transactions between two cut-offs, this one's or another of it and of the settlement before, that come to the same net. */
export interface RivalStretch {
  /** Time of the first transaction in, by the terminal's clock; empty where none is. */
  from: string
  until: string
}

export interface Evidence {
  parts: DifferencePart[]
  /** Hours and minutes before created at which this terminal is usually cut off, and how far that strays; empty if nothing tells. */
  usualLag: string
  usualSpread: string
  /** How many hours before created the cut-off of this terminal's settlements is looked for. */
  reachHours: number
  /** How many places within the reach were tried; of them the nearest, and those at which it would tie. */
  cutOffsTried: number
  cutOffs: CutOffTried[]
  /** How many other stretches, where the settlement before may end elsewhere as well, are as good; of them the ten nearest. */
  rivalStretchesFound: number
  rivalStretches: RivalStretch[]
  /** Members that could leave, and others that could join, within two hours of a cut-off without changing the net; up to ten. */
  swaps: { leave: string; join: string }[]
  /** Where nothing else is as good: so many nets come into question for one that ties between two that don't that it may tie by chance; else 0. */
  netsByChance: number
  /** What was seen of the settlement and of its members turning settled, in order of time. */
  observed: { at: string; what: string }[]
}

/** Reads the evidence of the settlement in the variable `explained_id`, after the models ran. */
export async function evidenceOn(connection: DuckDBConnection): Promise<Evidence> {
  await connection.run(STRETCH)
  const read = (sql: string) => records(connection, sql)
  const [usual = {}] = await read(USUAL)
  const cutOffs = await read(CUT_OFFS)
  const rivals = await read(RIVAL_STRETCHES)
  const swaps = (await read(SWAPS)) as unknown as Evidence['swaps']
  const [chance = { nets: '0' }] = await read(NETS_BY_CHANCE)
  return {
    parts: (await read(PARTS)) as unknown as DifferencePart[],
    usualLag: usual['lag'] ?? '',
    usualSpread: usual['spread'] ?? '',
    reachHours: Number(usual['reach']),
    cutOffsTried: Number(cutOffs[0]?.['tried'] ?? 0),
    cutOffs: cutOffs.map((row) => ({
      at: row['at'] ?? '',
      computedNet: row['computedNet'] ?? '',
      difference: row['difference'] ?? '',
      isChosen: row['isChosen'] === 'true',
    })),
    rivalStretchesFound: Number(rivals[0]?.['found'] ?? 0),
    rivalStretches: rivals.map(({ from = '', until = '' }) => ({ from, until })),
    swaps,
    netsByChance: rivals.length + swaps.length > 0 ? 0 : Number(chance['nets']),
    observed: (await read(OBSERVED)) as unknown as Evidence['observed'],
  }
}

/** The rows of a query, every value as text. */
export async function records(
  connection: DuckDBConnection,
  sql: string,
): Promise<Record<string, string>[]> {
  const reader = await connection.runAndReadAll(sql)
  return reader
    .getRowObjectsJson()
    .map((row) => Object.fromEntries(Object.entries(row).map(([name, v]) => [name, String(v)])))
}

/**
 * Where the explained settlement begins and ends, by which clock. Its last transaction lies before the next one that arithmetic
 * places; where arithmetic places none of it, its members tell. What a person or a shift has placed may lie anywhere.
 */
const STRETCH = `
  create or replace temp table explained_stretch as
  with
    here as (
      select tieout.settlement_id, tieout.terminal_id, tieout.created, boundary.clock, boundary.previous_position, boundary.position,
        coalesce(boundary.position > boundary.previous_position, false) as holds_some
      from tieout left join boundary using (settlement_id)
      where tieout.settlement_id = getvariable('explained_id')),
    ends as (
      select here.*, own.clock_at as cut_at, earlier.clock_at as after_at, earlier.transaction_id as after_id,
        following.clock_at as until_at, following.transaction_id as until_id
      from here
      left join ordered_transaction as own on own.terminal_id = here.terminal_id and own.clock = here.clock and own.position = here.position
      left join ordered_transaction as earlier on earlier.terminal_id = here.terminal_id and earlier.clock = here.clock and earlier.position = here.previous_position
      left join ordered_transaction as following on following.terminal_id = here.terminal_id and following.clock = here.clock and following.position = here.position + 1),
    member as (
      select t.transaction_id, t.created, case when holds_some and clock = 'modified' then coalesce(t.last_modified, t.created) else t.created end as clock_at,
        holds_some and (after_id is null or (clock_at, t.transaction_id) > (after_at, after_id))
          and (until_id is null or (clock_at, t.transaction_id) < (until_at, until_id)) as is_between
      from attribution inner join current_transaction as t using (transaction_id), ends
      where attribution.settlement_id = getvariable('explained_id')
        and transaction_id not in (select transaction_id from manual_member) and transaction_id not in (select transaction_id from shift)),
    lasting as (
      from member where is_between
      union all
      from member where not exists (from member where is_between))
  select any_value(ends.settlement_id) as settlement_id, any_value(terminal_id) as terminal_id,
    coalesce(bool_or(is_between), true) as is_cut_off,
    case when is_cut_off then any_value(clock) end as clock,
    min(clock_at) as begins_at, coalesce(max(clock_at), any_value(cut_at)) as ends_at,
    -- Of one that holds nothing, all that lies within the reach.
    coalesce(min(lasting.created), any_value(ends.created) - to_hours(any_value(reach_hours))) - interval 6 hours as low,
    coalesce(max(lasting.created), any_value(ends.created)) + interval 6 hours as high
  from ends inner join terminal_reach using (terminal_id) left join lasting on true`

const PARTS = `
  with
    here as (select * from tieout where settlement_id = getvariable('explained_id')),
    blamed as (
      select here.*, unnest(string_split(explained_by, ';')) as id
      from here where verdict = 'EXPLAINED' and explanation = 'COMBINATION'),
    part as (
      select 1 as place, explanation as name, explained_cents as cents, explained_by as ids,
        (select min(other.settlement_id) from tieout as other
         where other.explanation = 'WRONG_TERMINAL' and here.explanation = 'WRONG_TERMINAL'
           and other.explained_by = here.explained_by and other.settlement_id <> here.settlement_id) as other_id
      from here where verdict = 'EXPLAINED' and explanation <> 'COMBINATION'
      union all
      select 1, case when attribution.settlement_id is null then 'counted, though not settled' else 'left out' end,
        case when attribution.settlement_id is null then -t.signed_cents else t.signed_cents end, blamed.id, null
      from blamed inner join current_transaction as t on t.transaction_id = blamed.id::bigint
      left join attribution on attribution.transaction_id = t.transaction_id and attribution.settlement_id = blamed.settlement_id
      union all
      select 2, 'unexplained', unexplained_cents, '', null from here where unexplained_cents <> 0
      union all
      select 3, case when shift.to_settlement_id = here.settlement_id then 'moved here' else 'moved away' end,
        t.signed_cents, shift.transaction_id::varchar,
        case when shift.to_settlement_id = here.settlement_id then shift.from_settlement_id else shift.to_settlement_id end
      from here
      inner join shift on here.settlement_id in (shift.to_settlement_id, shift.from_settlement_id)
      inner join current_transaction as t using (transaction_id))
  select name, money(cents) as amount, ids as transactions, coalesce(other_id::varchar, '') as "otherSettlement"
  from part order by place, try_cast(ids as bigint), name`

/** As hours and minutes; cut-offs by lastModified may lie after created. */
const clockText = (seconds: string) =>
  `case when ${seconds} < 0 then '-' else '' end || (abs(${seconds})::bigint // 3600)::varchar || ':' || lpad((abs(${seconds})::bigint % 3600 // 60)::varchar, 2, '0')`

const USUAL = `
  select coalesce(${clockText('usual_lag.lag_s')}, '') as lag, coalesce(${clockText('usual_lag.spread_s')}, '') as spread, reach_hours::varchar as reach
  from explained_stretch inner join terminal_reach using (terminal_id)
  left join boundary using (settlement_id) left join usual_lag on usual_lag.settlement_id = boundary.settlement_id and usual_lag.clock = boundary.clock`

/** Another end changes the net by what lies between, but for what was moved anyway; the three nearest on either side, and at most five at which it would tie. */
const CUT_OFFS = `
  with moved as (
    select ordered_transaction.terminal_id, ordered_transaction.clock, position, ordered_transaction.signed_cents
    from shift inner join ordered_transaction using (transaction_id)),
  placed as (
    select cutoff_candidate.clock_at, cutoff_candidate.position, boundary.position as chosen_position, computed_cents, difference_cents,
      cutoff_candidate.transactions_cents - boundary.running_cents - coalesce((
        select sum(case when moved.position <= cutoff_candidate.position then signed_cents else -signed_cents end) from moved
        where moved.terminal_id = boundary.terminal_id and moved.clock = boundary.clock
          and (moved.position <= cutoff_candidate.position) <> (moved.position <= boundary.position)), 0)::bigint as more_cents
    from cutoff_candidate
    inner join boundary on boundary.settlement_id = cutoff_candidate.settlement_id and boundary.clock = cutoff_candidate.clock
    inner join tieout on tieout.settlement_id = boundary.settlement_id
    inner join explained_stretch on explained_stretch.settlement_id = boundary.settlement_id and is_cut_off
    where computed_cents is not null and cutoff_candidate.position > 0
      and cutoff_candidate.position >= boundary.previous_position),
  tried as (
    select clock_at, position = chosen_position as is_chosen, computed_cents + more_cents as net_cents, difference_cents + more_cents as off_cents,
      row_number() over (order by position) - count(*) filter (where position <= chosen_position) over () as steps,
      count(*) over () as tried
    from placed),
  ranked as (
    select *, row_number() over (partition by off_cents = 0 order by abs(steps)) as rank from tried)
  select instant(case when is_chosen then ends_at else clock_at end) as at, money(net_cents) as "computedNet", money(off_cents) as difference,
    is_chosen::varchar as "isChosen", tried::varchar as tried
  from ranked, explained_stretch where abs(steps) <= 3 or (off_cents = 0 and rank <= 5) order by steps`

/** As the model rival counts them: the net is what is sought, or with a shift what lies there now. */
const RIVAL_STRETCHES = `
  with
    here as (
      select boundary.*, sequence.ordinal as at_ordinal, sought_cents,
        boundary.running_cents - previous_cents <> sought_cents and boundary.settlement_id in (
          select unnest([from_settlement_id, to_settlement_id]) from shift) as is_shifted
      from boundary inner join settlement_running_net as sequence on sequence.settlement_id = boundary.settlement_id
      inner join explained_stretch on explained_stretch.settlement_id = boundary.settlement_id and is_cut_off),
    begins as (
      select cutoff_candidate.position, transactions_cents from cutoff_candidate
      inner join here on here.terminal_id = cutoff_candidate.terminal_id and here.clock = cutoff_candidate.clock and cutoff_candidate.ordinal = at_ordinal - 1
      union all
      select 0, 0 from here where at_ordinal = 1),
    alternative as (
      select here.terminal_id, here.clock, here.previous_position, here.position, begins.position as begins_after, ends.position as ends_with
      from here
      inner join cutoff_candidate as ends on ends.settlement_id = here.settlement_id and ends.clock = here.clock
      inner join begins on begins.position <= ends.position and (begins.position <> previous_position or ends.position <> here.position)
      where ends.transactions_cents - begins.transactions_cents = sought_cents
        or (is_shifted and ends.transactions_cents = running_cents and begins.transactions_cents = previous_cents)),
    timed as (
      select first_in.clock_at as from_at, last_in.clock_at as until_at,
        abs(epoch(from_at) - epoch(own_first.clock_at)) + abs(epoch(until_at) - epoch(own_last.clock_at)) as off_s
      from alternative
      ${Object.entries({
        first_in: 'begins_after + 1',
        last_in: 'ends_with',
        own_first: 'previous_position + 1',
        own_last: 'alternative.position',
      })
        .map(
          ([name, position]) =>
            `left join ordered_transaction as ${name} on ${name}.terminal_id = alternative.terminal_id and ${name}.clock = alternative.clock and ${name}.position = ${position}`,
        )
        .join(' ')})
  select case when from_at <= until_at then instant(from_at) else '' end as "from", case when from_at <= until_at then instant(until_at) else '' end as until,
    count(*) over ()::varchar as found
  from timed order by off_s nulls last, from_at, until_at limit 10`

const SWAPS = `
  with
    here as (select * from boundary where settlement_id = getvariable('explained_id')),
    cuts as (
      select here.*, cut.clock_at as at, cut.position as cut_position
      from here inner join ordered_transaction as cut on cut.terminal_id = here.terminal_id and cut.clock = here.clock
        and cut.position in (here.position, here.previous_position)),
    near as (
      select cuts.cut_position, around.transaction_id,
        around.position > cuts.previous_position and around.position <= cuts.position as is_inside,
        case when is_inside then -around.signed_cents else around.signed_cents end as change_cents
      from cuts inner join ordered_transaction as around on around.terminal_id = cuts.terminal_id and around.clock = cuts.clock
        and around.clock_at between cuts.at - interval 2 hours and cuts.at + interval 2 hours),
    found as (
      select distinct [one.transaction_id] as ids, [one.is_inside] as inside from near as one where change_cents = 0
      union
      select distinct [one.transaction_id, other.transaction_id], [one.is_inside, other.is_inside]
      from near as one inner join near as other on other.cut_position = one.cut_position
        and other.change_cents = -one.change_cents and other.transaction_id > one.transaction_id)
  select array_to_string([id for id, place in ids if inside[place]], ';') as leave,
    array_to_string([id for id, place in ids if not inside[place]], ';') as join
  from found order by len(ids), ids limit 10`

/** Where no rival is found, the one that the model tieout counts stands for chance. */
const NETS_BY_CHANCE = `
  select (count(*) * count(*))::varchar as nets
  from attribution inner join current_transaction using (transaction_id)
  where attribution.settlement_id in (
    select settlement_id from tieout where settlement_id = getvariable('explained_id') and verdict = 'TIED' and method = 'ALIGNED'
      and certificate = 'AMBIGUOUS' and rival_count = 1 and coalesce(explanation, '') <> 'CUTOFF_SHIFT')
  having may_tie_by_chance(count(*), sum(abs(current_transaction.signed_cents)))`

const OBSERVED = `
  with seen as (
    select observed_at as seen_at, 0 as place, 'settlement ' || status || ' at ' || money(net_cents) as what
    from settlement_version where settlement_id = getvariable('explained_id')
    union all
    select settled_at, 1, count(*) || case when count(*) = 1 then ' member' else ' members' end || ' settled, not yet so at ' || instant(unsettled_at)
    from attribution inner join flag_observation using (transaction_id)
    where attribution.settlement_id = getvariable('explained_id') and flag_observation.unsettled_at > flag_observation.created
    group by settled_at, unsettled_at)
  select instant(seen_at) as at, what from seen order by seen_at, place, what`
