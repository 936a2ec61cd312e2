-- model    explanation
-- grain    one row per settlement that does not tie and has an explanation, or candidates for one
-- reads    combined_cause, single_cause, unexplained_settlement, wrong_terminal_cause
-- rule     R-29: the smallest set that accounts for the difference, reported only if it is the only one and coincidence is improbable
-- silent   differences that no set of up to four transactions accounts for
with
    compared_cause as (
        select
            unexplained_settlement.settlement_id, effect_cents,
            effect_cents - difference_cents as off_cents,
            sign(effect_cents) = sign(difference_cents) as has_same_sign
        from unexplained_settlement inner join single_cause using (settlement_id)
    ),
    -- Causes that miss the difference by whole units end in the same cents.
    cause_chance as (
        select
            settlement_id,
            close_chance (
                count(distinct effect_cents) filter(where off_cents <> 0 and is_close (off_cents))
            ) as chance,
            may_fit_by_chance (
                count(distinct effect_cents) filter(
                    where off_cents <> 0 and off_cents % 100 = 0 and has_same_sign
                ),
                max(effect_cents) filter(where has_same_sign) - min(effect_cents) filter(
                    where has_same_sign
                )
            ) as may_fit_by_chance
        from compared_cause
        group by settlement_id
    ),
    smallest_cause as (
        select
            unexplained_settlement.settlement_id,
            arg_min(single_cause.code, single_cause.precedence) as code,
            single_cause.blamed,
            min(single_cause.precedence) as precedence,
            any_value(single_cause.transactions) as transactions
        from
            unexplained_settlement
            inner join single_cause on single_cause.settlement_id = unexplained_settlement.settlement_id
            and single_cause.effect_cents = unexplained_settlement.difference_cents
        group by unexplained_settlement.settlement_id, single_cause.blamed
        qualify
            any_value(single_cause.transactions) = min(any_value(single_cause.transactions)) over (
                partition by unexplained_settlement.settlement_id
            )
    ),
    count_by_settlement as (
        select
            settlement_id,
            count(*) as sets,
            arg_min(code, (precedence, blamed)) as code,
            arg_min(blamed, (precedence, blamed)) as blamed,
            list(code || ' ' || blamed order by precedence, blamed) as candidates
        from smallest_cause
        group by settlement_id
    ),
    first_explanation as (
        select
            unexplained_settlement.settlement_id,
            case
                when wrong_terminal_cause.is_claimed then 'WRONG_TERMINAL'
                when wrong_terminal_cause.settlement_id is not null then null
                when count_by_settlement.sets = 1
                and is_rare (coalesce(cause_chance.chance, 0)) then count_by_settlement.code
                when combined_cause.sets = 1
                and is_rare (coalesce(cause_chance.chance, 0) + combined_cause.chance) then 'COMBINATION'
            end as code,
            coalesce(wrong_terminal_cause.blamed, count_by_settlement.blamed, combined_cause.blamed) as blamed,
            coalesce(wrong_terminal_cause.sets, count_by_settlement.sets, combined_cause.sets) as sets,
            coalesce(
                wrong_terminal_cause.candidates, count_by_settlement.candidates,
                combined_cause.candidates
            ) as names,
            combined_cause.has_same_cents, cause_chance.may_fit_by_chance
        from
            unexplained_settlement
            left join wrong_terminal_cause using (settlement_id)
            left join count_by_settlement using (settlement_id)
            left join combined_cause using (settlement_id)
            left join cause_chance using (settlement_id)
    )
select
    settlement_id, code, blamed, sets,
    case code
        when 'COMBINATION' then has_same_cents
        when 'WRONG_TERMINAL' then false
        else coalesce(may_fit_by_chance, false)
    end as may_fit_by_chance,
    concat(
        case when sets > 1 then sets || ' sets: ' end,
        first_ten (names)
    ) as candidates
from first_explanation
where sets > 0
