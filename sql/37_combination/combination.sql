-- model    combination
-- grain    one row per settlement that two to four transactions together could explain, but no single cause
-- reads    computed_net, effect, boundary, attribution, pending_member, current_transaction
-- rule     R-29: sets of members left out and of others counted, within the settlement's time and three days around, where chance is rare
-- silent   settlements with so many candidates that a set of this size would be found by chance
with
    broken as (
        select
            computed_net.settlement_id,
            computed_net.terminal_id,
            computed_net.created,
            computed_net.difference_cents
        from computed_net
        where
            verdict = 'BREAK'
            and not exists (
                from effect
                where
                    effect.settlement_id = computed_net.settlement_id
                    and effect.effect_cents = computed_net.difference_cents
            )
    ),
    span as (
        select
            broken.*,
            coalesce(earlier.cut_instant, broken.created - interval 1 day) - interval 3 days as begins_at,
            coalesce(boundary.cut_instant, broken.created) + interval 3 days as ends_at
        from
            broken
            left join boundary using (settlement_id)
            left join boundary as earlier on earlier.terminal_id = boundary.terminal_id
            and earlier.ordinal = boundary.ordinal - 1
    ),
    held as materialized (
        select
            attribution.transaction_id,
            attribution.signed_cents,
            span.settlement_id,
            span.difference_cents
        from
            attribution
            inner join span using (settlement_id)
    ),
    piece as (
        select
            settlement_id,
            difference_cents,
            transaction_id,
            signed_cents as effect_cents
        from held
        where signed_cents <> 0
        union all
        select
            span.settlement_id,
            span.difference_cents,
            current_transaction.transaction_id,
            - current_transaction.signed_cents
        from
            span
            inner join current_transaction on current_transaction.terminal_id = span.terminal_id
            and current_transaction.created > span.begins_at
            and current_transaction.created <= span.ends_at
        where
            not current_transaction.settled
            and current_transaction.signed_cents <> 0
            and current_transaction.transaction_id not in (
                select transaction_id
                from pending_member
            )
    ),
    -- How many sets of each size there are for each cent that they spread over.
    chance as (
        select
            settlement_id,
            count(*) * (count(*) - 1) / 2 / (max(effect_cents) - min(effect_cents) + 1) as of_two,
            count(*) * (count(*) - 1) * (count(*) - 2) / 6 / (max(effect_cents) - min(effect_cents) + 1) as of_three,
            count(*) * (count(*) - 1) * (count(*) - 2) * (count(*) - 3) / 24 / (max(effect_cents) - min(effect_cents) + 1) as of_four
        from piece
        group by settlement_id
    ),
    two as (
        select
            one.settlement_id,
            2 as size,
            one.transaction_id || ';' || other.transaction_id as blamed
        from
            piece as one
            inner join piece as other on other.settlement_id = one.settlement_id
            and other.transaction_id > one.transaction_id
            and other.effect_cents = one.difference_cents - one.effect_cents
            inner join chance on chance.settlement_id = one.settlement_id
            and chance.of_two < 0.01
    ),
    three as (
        select
            one.settlement_id,
            3 as size,
            concat_ws(';', one.transaction_id, other.transaction_id, third.transaction_id) as blamed
        from
            piece as one
            inner join chance on chance.settlement_id = one.settlement_id
            and chance.of_two + chance.of_three < 0.01
            inner join piece as other on other.settlement_id = one.settlement_id
            and other.transaction_id > one.transaction_id
            inner join piece as third on third.settlement_id = one.settlement_id
            and third.transaction_id > other.transaction_id
            and third.effect_cents = one.difference_cents - one.effect_cents - other.effect_cents
        where one.settlement_id not in (select settlement_id from two)
    ),
    four as (
        select
            one.settlement_id,
            4 as size,
            concat_ws(
                ';',
                one.transaction_id,
                other.transaction_id,
                third.transaction_id,
                fourth.transaction_id
            ) as blamed
        from
            piece as one
            inner join chance on chance.settlement_id = one.settlement_id
            and chance.of_two + chance.of_three + chance.of_four < 0.01
            inner join piece as other on other.settlement_id = one.settlement_id
            and other.transaction_id > one.transaction_id
            inner join piece as third on third.settlement_id = one.settlement_id
            and third.transaction_id > other.transaction_id
            inner join piece as fourth on fourth.settlement_id = one.settlement_id
            and fourth.transaction_id > third.transaction_id
            and fourth.effect_cents = one.difference_cents - one.effect_cents - other.effect_cents - third.effect_cents
        where
            one.settlement_id not in (select settlement_id from two)
            and one.settlement_id not in (select settlement_id from three)
    )
select
    settlement_id,
    count(*) as sets,
    min(blamed) as blamed,
    list('COMBINATION ' || blamed order by blamed) as candidates,
    any_value(of_two) + case
        when any_value(size) > 2 then any_value(of_three)
        else 0
    end + case
        when any_value(size) > 3 then any_value(of_four)
        else 0
    end as chance
from
    (from two union all from three union all from four) as found
    inner join chance using (settlement_id)
group by settlement_id
