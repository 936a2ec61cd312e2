-- model    explanation
-- grain    one row per settlement that does not tie and has an explanation, or candidates for one
-- reads    attribution, combined_cause, computed_net, current_transaction, single_cause
-- rule     R-29: the smallest set that accounts for the difference exactly, claimed only if it is the only one and hardly by chance
-- silent   differences that no set of up to four transactions accounts for
with
    broken as (
        select settlement_id, terminal_id, created, difference_cents
        from computed_net
        where verdict = 'BREAK'
    ),
    -- Another terminal is off by the opposite amount, and one transaction accounts for both.
    elsewhere as (
        select
            holder.settlement_id as holder_id, taker.settlement_id as taker_id,
            member.transaction_id
        from
            broken as holder
            inner join broken as taker on taker.difference_cents = - holder.difference_cents
            and taker.terminal_id <> holder.terminal_id
            and taker.created between holder.created - interval 3 days and holder.created + interval 3 days
            inner join attribution on attribution.settlement_id = holder.settlement_id
            inner join current_transaction as member on member.transaction_id = attribution.transaction_id
            and member.signed_cents = holder.difference_cents
    ),
    -- How many differences and amounts lie within five dollars of these two, for each cent: how often chance would hit both.
    other_density as (
        select holder.settlement_id, count(distinct other.difference_cents) / 1001 as chance
        from
            broken as holder
            semi join elsewhere on elsewhere.holder_id = holder.settlement_id
            inner join broken as other on other.terminal_id <> holder.terminal_id
            and other.created between holder.created - interval 3 days and holder.created + interval 3 days
            and abs(other.difference_cents + holder.difference_cents) <= 500
            and other.difference_cents <> - holder.difference_cents
        group by holder.settlement_id
    ),
    member_density as (
        select broken.settlement_id, count(distinct single_cause.effect_cents) / 1001 as chance
        from
            broken
            semi join elsewhere on elsewhere.holder_id = broken.settlement_id
            inner join single_cause on single_cause.settlement_id = broken.settlement_id
            and single_cause.code = 'EXTRA_TRANSACTION'
            and abs(single_cause.effect_cents - broken.difference_cents) <= 500
            and single_cause.effect_cents <> broken.difference_cents
        group by broken.settlement_id
    ),
    sides as (
        select
            unnest([holder_id, taker_id]) as settlement_id,
            unnest([taker_id, holder_id]) as other_id,
            transaction_id,
            coalesce(other_density.chance * member_density.chance, 0) as chance
        from
            elsewhere
            left join other_density on other_density.settlement_id = elsewhere.holder_id
            left join member_density on member_density.settlement_id = elsewhere.holder_id
    ),
    sides_counted as (
        select
            settlement_id,
            count(*) as sets,
            any_value(other_id) as other_id,
            any_value(transaction_id)::varchar as blamed,
            any_value(chance) as chance,
            list(
                'WRONG_TERMINAL ' || transaction_id || ' with ' || other_id
                order by transaction_id, other_id
            ) as candidates
        from sides
        group by settlement_id
    ),
    -- Both sides say so, or neither.
    wrong_terminal as (
        select
            one.settlement_id, one.sets, one.blamed, one.candidates,
            one.sets = 1
            and other.sets = 1
            and one.chance < 0.01 as is_claimed
        from
            sides_counted as one
            inner join sides_counted as other on other.settlement_id = one.other_id
    ),
    -- How many amounts lie within five dollars of the difference, for each cent: how often chance would hit it.
    density as (
        select broken.settlement_id, count(distinct single_cause.effect_cents) / 1001 as chance
        from
            broken
            inner join single_cause on single_cause.settlement_id = broken.settlement_id
            and abs(single_cause.effect_cents - broken.difference_cents) <= 500
            and single_cause.effect_cents <> broken.difference_cents
        group by broken.settlement_id
    ),
    hits as (
        select
            broken.settlement_id,
            arg_min(single_cause.code, single_cause.precedence) as code,
            single_cause.blamed,
            min(single_cause.precedence) as precedence,
            any_value(single_cause.transactions) as transactions
        from
            broken
            inner join single_cause on single_cause.settlement_id = broken.settlement_id
            and single_cause.effect_cents = broken.difference_cents
        group by broken.settlement_id, single_cause.blamed
        qualify
            any_value(single_cause.transactions) = min(any_value(single_cause.transactions)) over (
                partition by broken.settlement_id
            )
    ),
    counted as (
        select
            settlement_id,
            count(*) as sets,
            arg_min(code, (precedence, blamed)) as code,
            arg_min(blamed, (precedence, blamed)) as blamed,
            list(code || ' ' || blamed order by precedence, blamed) as candidates
        from hits
        group by settlement_id
    ),
    told as (
        select
            broken.settlement_id,
            case
                when wrong_terminal.is_claimed then 'WRONG_TERMINAL'
                when wrong_terminal.settlement_id is not null then null
                when counted.sets = 1 and coalesce(density.chance, 0) < 0.01 then counted.code
                when combined_cause.sets = 1
                and coalesce(density.chance, 0) + combined_cause.chance < 0.01 then 'COMBINATION'
            end as code,
            coalesce(wrong_terminal.blamed, counted.blamed, combined_cause.blamed) as blamed,
            coalesce(wrong_terminal.sets, counted.sets, combined_cause.sets) as sets,
            coalesce(wrong_terminal.candidates, counted.candidates, combined_cause.candidates) as names
        from
            broken
            left join wrong_terminal using (settlement_id)
            left join counted using (settlement_id)
            left join combined_cause using (settlement_id)
            left join density using (settlement_id)
    )
select
    settlement_id, code, blamed, sets,
    concat(
        case when sets > 1 then sets || ' sets: ' end,
        first_ten (names)
    ) as candidates
from told
where sets > 0
