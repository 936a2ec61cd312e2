-- model    combined_cause
-- grain    one row per settlement that two to four transactions together could explain, but no single cause
-- reads    cause_set, set_chance
-- rule     R-29: the smallest size with a set that explains the difference, where chance is rare
-- silent   settlements for which coincidence is probable. The chance is the larger one of two: for evenly spread amounts, and from the number of close sums
with
    count_by_size as (
        select
            settlement_id, size,
            count(*) filter(where off_cents = 0) as sets,
            close_chance (count(distinct off_cents) filter(where off_cents <> 0)) as chance,
            min(blamed) filter(where off_cents = 0) as blamed,
            bool_or(off_cents <> 0 and off_cents % 100 = 0) as has_same_cents,
            list('COMBINATION ' || blamed order by blamed) filter(where off_cents = 0) as candidates
        from cause_set
        group by settlement_id, size
    ),
    sum_of_smaller as (
        select
            *,
            coalesce(sum(sets) over smaller, 0) as smaller_sets,
            coalesce(sum(chance) over smaller, 0) as smaller_chance
        from count_by_size
        window
            smaller as (
                partition by settlement_id
                order by size rows between unbounded preceding and 1 preceding
            )
    )
select
    settlement_id, sum_of_smaller.sets, sum_of_smaller.blamed, sum_of_smaller.candidates,
    greatest(set_chance.chance, sum_of_smaller.smaller_chance + sum_of_smaller.chance) as chance,
    sum_of_smaller.has_same_cents
from sum_of_smaller inner join set_chance using (settlement_id, size)
where
    sum_of_smaller.sets > 0
    and sum_of_smaller.smaller_sets = 0
    and is_rare (sum_of_smaller.smaller_chance)
