-- model    set_chance
-- grain    one row per settlement and set size: the expected number of coincidental sets of at most that size
-- reads    cause_part
-- rule     R-29: an explanation is reported only if coincidence is improbable
-- silent   nothing; amounts count as evenly spread, so that each cent between the lowest and the highest is equally probable
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
