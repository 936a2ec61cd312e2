-- model    explanation
-- grain    one row per settlement that does not tie and has an explanation, or candidates for one
-- reads    computed_net, effect, combination, attribution, current_transaction
-- rule     R-29: the smallest set that accounts for the difference exactly, claimed only if it is the only one and hardly by chance
-- silent   differences that no set of up to four transactions accounts for
with
    broken as (
        select
            settlement_id,
            terminal_id,
            created,
            difference_cents
        from computed_net
        where verdict = 'BREAK'
    ),
    -- Another terminal is off by the opposite amount, and one transaction accounts for both.
    elsewhere as (
        select
            holder.settlement_id as holder_id,
            taker.settlement_id as taker_id,
            member.transaction_id,
            abs(epoch(holder.created) - epoch(taker.created)) as apart_s
        from
            broken as holder
            inner join broken as taker on taker.difference_cents = - holder.difference_cents
            and taker.terminal_id <> holder.terminal_id
            and taker.created between holder.created - interval 3 days and holder.created + interval 3 days
            inner join attribution on attribution.settlement_id = holder.settlement_id
            inner join current_transaction as member on member.transaction_id = attribution.transaction_id
            and member.signed_cents = holder.difference_cents
    ),
    elsewhere_counted as (
        select
            *,
            count(distinct taker_id) over (partition by holder_id) as takers,
            count(distinct holder_id) over (partition by taker_id) as holders,
            count(distinct transaction_id) over (partition by holder_id) as choices
        from elsewhere
    ),
    wrong_terminal as (
        select
            unnest([holder_id, taker_id]) as settlement_id,
            transaction_id::varchar as blamed,
            choices
        from elsewhere_counted
        where
            takers = 1
            and holders = 1
        qualify row_number() over (partition by holder_id order by transaction_id) = 1
    ),
    -- How many amounts lie within five dollars of the difference, for each cent: how often chance would hit it.
    density as (
        select
            broken.settlement_id,
            count(distinct effect.effect_cents) / 1001 as chance
        from
            broken
            inner join effect on effect.settlement_id = broken.settlement_id
            and abs(effect.effect_cents - broken.difference_cents) <= 500
            and effect.effect_cents <> broken.difference_cents
        group by broken.settlement_id
    ),
    hits as (
        select
            broken.settlement_id,
            arg_min(effect.code, effect.precedence) as code,
            effect.blamed,
            min(effect.precedence) as precedence
        from
            broken
            inner join effect on effect.settlement_id = broken.settlement_id
            and effect.effect_cents = broken.difference_cents
        group by broken.settlement_id, effect.blamed
    ),
    counted as (
        select
            settlement_id,
            count(*) as sets,
            arg_min(code, (precedence, blamed)) as code,
            arg_min(blamed, (precedence, blamed)) as blamed,
            string_agg(code || ' ' || blamed, ', ' order by precedence, blamed) as candidates
        from hits
        group by settlement_id
    )
select
    broken.settlement_id,
    case
        when wrong_terminal.settlement_id is not null then 'WRONG_TERMINAL'
        when counted.sets = 1 and coalesce(density.chance, 0) < 0.01 then counted.code
        when combination.sets = 1
        and coalesce(density.chance, 0) + combination.chance < 0.01 then 'COMBINATION'
    end as code,
    coalesce(wrong_terminal.blamed, counted.blamed, combination.blamed) as blamed,
    coalesce(wrong_terminal.choices, counted.sets, combination.sets) as sets,
    coalesce(counted.candidates, combination.candidates) as candidates
from
    broken
    left join wrong_terminal using (settlement_id)
    left join counted using (settlement_id)
    left join combination using (settlement_id)
    left join density using (settlement_id)
where
    wrong_terminal.settlement_id is not null
    or counted.settlement_id is not null
    or combination.settlement_id is not null
