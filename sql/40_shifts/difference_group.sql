-- model    difference_group
-- grain    one row per group of settlements whose differences cancel together, and settlement in it
-- reads    cutoff_difference, observed_shift, pair_shift
-- rule     R-28: settlements of a terminal within eight days; of groups that overlap, the shortest
-- silent   settlements that a pair or an observation explains
with
    open_difference as (
        select
            *,
            (
                sum(difference_cents) over (
                    partition by terminal_id
                    order by ordinal rows unbounded preceding
                )
            )::bigint as total_cents
        from cutoff_difference
        where
            settlement_id not in (select earlier_id from pair_shift)
            and settlement_id not in (select later_id from pair_shift)
            and settlement_id not in (select from_settlement_id from observed_shift)
            and settlement_id not in (
                select to_settlement_id
                from observed_shift
                where is_tied_there
            )
    ),
    -- Differences cancel if their running total returns to its value before the first one.
    cancelling_group as (
        select
            first_one.settlement_id as group_id, first_one.terminal_id,
            first_one.ordinal as first_ordinal, last_one.ordinal as last_ordinal
        from
            open_difference as first_one
            inner join open_difference as last_one on last_one.terminal_id = first_one.terminal_id
            and last_one.ordinal > first_one.ordinal
            and last_one.total_cents = first_one.total_cents - first_one.difference_cents
            and last_one.created <= first_one.created + interval 8 days
        qualify
            row_number() over (partition by first_one.settlement_id order by last_one.ordinal) = 1
    ),
    shortest_group as (
        select *
        from cancelling_group
        where
            not exists (
                from cancelling_group as other
                where
                    other.terminal_id = cancelling_group.terminal_id
                    and other.group_id <> cancelling_group.group_id
                    and other.first_ordinal <= cancelling_group.last_ordinal
                    and other.last_ordinal >= cancelling_group.first_ordinal
                    and (other.last_ordinal - other.first_ordinal, other.first_ordinal) < (
                        cancelling_group.last_ordinal - cancelling_group.first_ordinal,
                        cancelling_group.first_ordinal
                    )
            )
    )
select
    shortest_group.group_id, open_difference.clock, open_difference.terminal_id,
    open_difference.settlement_id, open_difference.ordinal, open_difference.difference_cents,
    open_difference.previous_position, open_difference.position, open_difference.running_cents,
    open_difference.support, open_difference.lag_s, open_difference.spread_s,
    lead(open_difference.ordinal) over (in_group) = open_difference.ordinal + 1 as has_next,
    lead(open_difference.position) over (in_group) as next_position
from
    shortest_group
    inner join open_difference on open_difference.terminal_id = shortest_group.terminal_id
    and open_difference.ordinal between shortest_group.first_ordinal and shortest_group.last_ordinal
window
    in_group as (
        partition by shortest_group.group_id
        order by open_difference.ordinal
    )
