-- model    combined_cause
-- grain    one row per settlement that two to four transactions together could explain, but no single cause
-- reads    attribution, single_cause, unattributed_transaction, unexplained_settlement
-- rule     R-29: sets of members left out and of others counted, within the settlement's time and three days around, where chance is rare
-- silent   settlements with so many candidates that a set of this size would be found by chance; how often, by amounts spread evenly and by the sums near the difference, whichever says more
with
    span as (
        select
            settlement_id, terminal_id, difference_cents,
            begins_at - interval 3 days as begins_at,
            ends_at + interval 3 days as ends_at
        from unexplained_settlement
        where
            not exists (
                from single_cause
                where
                    single_cause.settlement_id = unexplained_settlement.settlement_id
                    and single_cause.effect_cents = unexplained_settlement.difference_cents
            )
    ),
    held as materialized (
        select
            attribution.transaction_id, attribution.signed_cents, span.settlement_id,
            span.difference_cents
        from attribution inner join span using (settlement_id)
    ),
    part as (
        select settlement_id, difference_cents, transaction_id, signed_cents as effect_cents
        from held
        where signed_cents <> 0
        union all
        select
            span.settlement_id, span.difference_cents, unattributed_transaction.transaction_id,
            - unattributed_transaction.signed_cents
        from
            span
            inner join unattributed_transaction on unattributed_transaction.terminal_id = span.terminal_id
            and unattributed_transaction.clock_at > span.begins_at
            and unattributed_transaction.clock_at <= span.ends_at
        where unattributed_transaction.signed_cents <> 0
    ),
    piece as (
        select *, cent_span (effect_cents) as span
        from part
    ),
    -- How many sets of each size there are for each cent that they spread over.
    chance as (
        select
            settlement_id,
            set_count (count(*), 2) / (max(effect_cents) - min(effect_cents) + 1) as of_two,
            set_count (count(*), 3) / (max(effect_cents) - min(effect_cents) + 1) as of_three,
            set_count (count(*), 4) / (max(effect_cents) - min(effect_cents) + 1) as of_four
        from piece
        group by settlement_id
    ),
    two as (
        select
            one.settlement_id,
            one.transaction_id || ';' || other.transaction_id as blamed,
            one.effect_cents + other.effect_cents - one.difference_cents as off_cents
        from
            (
                select
                    piece.* replace(unnest(cent_spans_near (difference_cents - effect_cents)) as span)
                from
                    piece
                    inner join chance on chance.settlement_id = piece.settlement_id
                    and chance.of_two < 0.01
            ) as one
            inner join piece as other on other.settlement_id = one.settlement_id
            and other.span = one.span
        where other.transaction_id > one.transaction_id and abs(off_cents) <= 500
    ),
    of_two as (
        select
            settlement_id,
            count(*) filter(where off_cents = 0) as sets,
            count(distinct off_cents) filter(where off_cents <> 0) / 1001 as near_chance
        from two
        group by settlement_id
    ),
    three as (
        select
            pair.settlement_id,
            pair.blamed || ';' || third.transaction_id as blamed,
            third.effect_cents - pair.wanted_cents as off_cents
        from
            (
                select
                    one.settlement_id, other.transaction_id as last_id,
                    one.transaction_id || ';' || other.transaction_id as blamed,
                    one.difference_cents - one.effect_cents - other.effect_cents as wanted_cents,
                    unnest(cent_spans_near (wanted_cents)) as span
                from
                    piece as one
                    inner join chance on chance.settlement_id = one.settlement_id
                    and chance.of_two + chance.of_three < 0.01
                    left join of_two on of_two.settlement_id = one.settlement_id
                    inner join piece as other on other.settlement_id = one.settlement_id
                    and other.transaction_id > one.transaction_id
                where coalesce(of_two.sets, 0) = 0 and coalesce(of_two.near_chance, 0) < 0.01
            ) as pair
            inner join piece as third on third.settlement_id = pair.settlement_id
            and third.span = pair.span
        where third.transaction_id > pair.last_id and abs(off_cents) <= 500
    ),
    of_three as (
        select
            settlement_id,
            count(*) filter(where off_cents = 0) as sets,
            count(distinct off_cents) filter(where off_cents <> 0) / 1001 as near_chance
        from three
        group by settlement_id
    ),
    four as (
        select
            triple.settlement_id,
            triple.blamed || ';' || fourth.transaction_id as blamed,
            fourth.effect_cents - triple.wanted_cents as off_cents
        from
            (
                select
                    one.settlement_id, third.transaction_id as last_id,
                    concat_ws(';', one.transaction_id, other.transaction_id, third.transaction_id) as blamed,
                    one.difference_cents - one.effect_cents - other.effect_cents - third.effect_cents as wanted_cents,
                    unnest(cent_spans_near (wanted_cents)) as span
                from
                    piece as one
                    inner join chance on chance.settlement_id = one.settlement_id
                    and chance.of_two + chance.of_three + chance.of_four < 0.01
                    left join of_two on of_two.settlement_id = one.settlement_id
                    left join of_three on of_three.settlement_id = one.settlement_id
                    inner join piece as other on other.settlement_id = one.settlement_id
                    and other.transaction_id > one.transaction_id
                    inner join piece as third on third.settlement_id = one.settlement_id
                    and third.transaction_id > other.transaction_id
                where
                    coalesce(of_two.sets, 0) = 0
                    and coalesce(of_three.sets, 0) = 0
                    and coalesce(of_two.near_chance, 0) + coalesce(of_three.near_chance, 0) < 0.01
            ) as triple
            inner join piece as fourth on fourth.settlement_id = triple.settlement_id
            and fourth.span = triple.span
        where fourth.transaction_id > triple.last_id and abs(off_cents) <= 500
    ),
    of_four as (
        select
            settlement_id,
            count(distinct off_cents) filter(where off_cents <> 0) / 1001 as near_chance
        from four
        group by settlement_id
    ),
    hit as (
        select settlement_id, 2 as size, blamed
        from two
        where off_cents = 0
        union all
        select settlement_id, 3, blamed
        from three
        where off_cents = 0
        union all
        select settlement_id, 4, blamed
        from four
        where off_cents = 0
    ),
    found as (
        select
            settlement_id,
            any_value(size) as size,
            count(*) as sets,
            min(blamed) as blamed,
            list('COMBINATION ' || blamed order by blamed) as candidates
        from hit
        group by settlement_id
    )
select
    settlement_id, found.sets, found.blamed, found.candidates,
    greatest(
        chance.of_two + case
            when size > 2 then chance.of_three
            else 0
        end + case when size > 3 then chance.of_four else 0 end,
        coalesce(of_two.near_chance, 0) + coalesce(of_three.near_chance, 0) + coalesce(of_four.near_chance, 0)
    ) as chance
from
    found
    inner join chance using (settlement_id)
    left join of_two using (settlement_id)
    left join of_three using (settlement_id)
    left join of_four using (settlement_id)
