-- model    pair_difference
-- grain    one row per pair of settlements of a terminal whose differences cancel
-- reads    cutoff_difference
-- rule     R-28: the two lie within seven days, and each is the other's nearest; a difference is cancelled once
-- silent   every second pair of a chain in which each pair shares a settlement with the next; is_one_of_some marks the others
with recursive
    cancelling_pair as (
        select
            earlier.clock, earlier.terminal_id, earlier.settlement_id as earlier_id,
            later.settlement_id as later_id, earlier.difference_cents,
            earlier.previous_position as begins_after, earlier.position as cut_position,
            earlier.running_cents as cut_cents, later.previous_position as later_begins_after,
            later.position as ends_at,
            later.ordinal = earlier.ordinal + 1 as is_next,
            earlier.created as earlier_created, earlier.lag_s, earlier.spread_s,
            later.ordinal - earlier.ordinal as ordinals_apart
        from
            cutoff_difference as earlier
            inner join cutoff_difference as later on later.terminal_id = earlier.terminal_id
            and later.difference_cents = - earlier.difference_cents
            and later.ordinal > earlier.ordinal
            and later.created <= earlier.created + shift_distance ()
    ),
    nearest_pair as (
        select *
        from cancelling_pair
        qualify
            row_number() over (partition by earlier_id order by ordinals_apart) = 1
            and row_number() over (partition by later_id order by ordinals_apart) = 1
    ),
    -- A pair's later settlement may be the earlier one of the next pair. Steps number such a chain of pairs.
    chain as (
        select earlier_id, later_id, 1 as step
        from nearest_pair
        where earlier_id not in (select later_id from nearest_pair)
        union all
        select following.earlier_id, following.later_id, chain.step + 1
        from chain inner join nearest_pair as following on following.earlier_id = chain.later_id
    )
select
    nearest_pair.*,
    -- The pair shares a settlement with another pair of a chain, which would cancel as well.
    nearest_pair.earlier_id in (select later_id from nearest_pair)
    or nearest_pair.later_id in (select earlier_id from nearest_pair) as is_one_of_some
from nearest_pair semi join (from chain where step % 2 = 1) as odd_step using (earlier_id)
