-- model    set_chance
-- grain    one row per settlement and size of sets: how many sets up to that size chance would find
-- reads    cause_part
-- rule     R-29: an explanation is claimed only where a chance hit is improbable
-- silent   nothing; amounts are taken as spread evenly, so that each cent between the lowest and the highest is hit as often
with
    sets_by_size as (
        select
            settlement_id,
            set_count (count(*), 2) / (max(effect_cents) - min(effect_cents) + 1) as of_two,
            set_count (count(*), 3) / (max(effect_cents) - min(effect_cents) + 1) as of_three,
            set_count (count(*), 4) / (max(effect_cents) - min(effect_cents) + 1) as of_four
        from cause_part
        group by settlement_id
    )
select
    settlement_id,
    unnest([2, 3, 4]) as size,
    unnest([of_two, of_two + of_three, of_two + of_three + of_four]) as chance
from sets_by_size
