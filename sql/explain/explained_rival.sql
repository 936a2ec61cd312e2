-- model    explained_rival
-- grain    one row per other pair of cut-offs, the settlement's own and that of the one before, that gives the same net; the ten closest
-- reads    boundary, cutoff_candidate, explained_interval, ordered_transaction, settlement_running_net, shift
-- rule     R-09: rivals are other cut-offs whose offsets agree; after a shift, also those that leave its sums unchanged
-- silent   pairs beyond the tenth, which are counted in the column found
with
    settlement as (
        select
            boundary.*,
            sequence.ordinal as at_ordinal,
            boundary.running_cents - sequence.running_cents as offset_cents,
            boundary.running_cents - previous_cents - remaining_cents as moved_cents,
            moved_cents <> 0
            and boundary.settlement_id in (
                select unnest([from_settlement_id, to_settlement_id])
                from shift
            ) as is_shifted
        from
            boundary
            inner join settlement_running_net as sequence on sequence.settlement_id = boundary.settlement_id
            inner join explained_interval on explained_interval.settlement_id = boundary.settlement_id
            and is_cut_off
    ),
    begins as (
        select cutoff_candidate.position, cutoff_candidate.offset_cents
        from
            cutoff_candidate
            inner join settlement on settlement.terminal_id = cutoff_candidate.terminal_id
            and settlement.clock = cutoff_candidate.clock
            and cutoff_candidate.ordinal = at_ordinal - 1
        union all
        select 0, 0
        from settlement
        where at_ordinal = 1
    ),
    alternative as (
        select
            settlement.terminal_id, settlement.clock, settlement.previous_position,
            settlement.position, begins.position as begins_after, ends.position as ends_with
        from
            settlement
            inner join cutoff_candidate as ends on ends.settlement_id = settlement.settlement_id
            and ends.clock = settlement.clock
            inner join begins on begins.position <= ends.position
            and (begins.position <> previous_position or ends.position <> settlement.position)
        where
            gives_same_net (begins.offset_cents, ends.offset_cents, 0)
            or (
                is_shifted
                and ends.offset_cents = settlement.offset_cents
                and gives_same_net (begins.offset_cents, ends.offset_cents, moved_cents)
            )
    ),
    time_by_alternative as (
        select
            first_in.clock_at as from_at, last_in.clock_at as until_at,
            abs(epoch(from_at) - epoch(own_first.clock_at)) + abs(epoch(until_at) - epoch(own_last.clock_at)) as off_s
        from
            alternative
            left join ordered_transaction as first_in on first_in.terminal_id = alternative.terminal_id
            and first_in.clock = alternative.clock
            and first_in.position = begins_after + 1
            left join ordered_transaction as last_in on last_in.terminal_id = alternative.terminal_id
            and last_in.clock = alternative.clock
            and last_in.position = ends_with
            left join ordered_transaction as own_first on own_first.terminal_id = alternative.terminal_id
            and own_first.clock = alternative.clock
            and own_first.position = previous_position + 1
            left join ordered_transaction as own_last on own_last.terminal_id = alternative.terminal_id
            and own_last.clock = alternative.clock
            and own_last.position = alternative.position
    )
select
    case when from_at <= until_at then instant(from_at) else '' end as "from",
    case when from_at <= until_at then instant(until_at) else '' end as until,
    count(*) over ()::varchar as found
from time_by_alternative
order by off_s nulls last, from_at, until_at
limit 10
