-- model    cause_set
-- grain    one row per settlement and set of two to four transactions whose sum is close to the difference
-- reads    cause_part, set_chance
-- rule     R-29: sets that explain the difference; those that miss it by up to 5.00 show how often chance hits
-- silent   set sizes at which a set by coincidence is probable
-- drop     after its last reader
with
    -- All transactions of a set but the last, in order of their ids. The last one is looked up by its amount.
    beginning_of_two as (
        select
            cause_part.settlement_id, 2 as size, transaction_id as highest_id,
            transaction_id::varchar as ids,
            difference_cents - effect_cents as remaining_cents
        from
            cause_part
            inner join set_chance on set_chance.settlement_id = cause_part.settlement_id
            and set_chance.size = 2
            and is_rare (set_chance.chance)
    ),
    beginning_of_three as (
        select
            beginning_of_two.settlement_id, 3 as size, cause_part.transaction_id as highest_id,
            ids || ';' || cause_part.transaction_id as ids,
            remaining_cents - effect_cents as remaining_cents
        from
            beginning_of_two
            inner join set_chance on set_chance.settlement_id = beginning_of_two.settlement_id
            and set_chance.size = 3
            and is_rare (set_chance.chance)
            inner join cause_part on cause_part.settlement_id = beginning_of_two.settlement_id
            and cause_part.transaction_id > beginning_of_two.highest_id
    ),
    beginning_of_four as (
        select
            beginning_of_three.settlement_id, 4 as size, cause_part.transaction_id as highest_id,
            ids || ';' || cause_part.transaction_id as ids,
            remaining_cents - effect_cents as remaining_cents
        from
            beginning_of_three
            inner join set_chance on set_chance.settlement_id = beginning_of_three.settlement_id
            and set_chance.size = 4
            and is_rare (set_chance.chance)
            inner join cause_part on cause_part.settlement_id = beginning_of_three.settlement_id
            and cause_part.transaction_id > beginning_of_three.highest_id
    ),
    beginning_in_bucket as (
        select *, unnest(close_cent_spans (remaining_cents)) as bucket
        from
            (
                from beginning_of_two
                union all
                from beginning_of_three
                union all
                from beginning_of_four
            ) as beginning
    )
select
    beginning_in_bucket.settlement_id, beginning_in_bucket.size,
    beginning_in_bucket.ids || ';' || last_part.transaction_id as blamed,
    last_part.effect_cents - beginning_in_bucket.remaining_cents as off_cents
from
    beginning_in_bucket
    inner join cause_part as last_part on last_part.settlement_id = beginning_in_bucket.settlement_id
    and cent_span (last_part.effect_cents) = beginning_in_bucket.bucket
where last_part.transaction_id > beginning_in_bucket.highest_id and is_close (off_cents)
