-- model    explained_net
-- grain    one row per settlement: its computed net with its explanation, the shifts that touch it, and the settlements beside it
-- reads    computed_net, explanation, settlement_open_to_arithmetic, shift
-- rule     R-10: a BREAK with an explanation is EXPLAINED
-- silent   nothing
-- drop     after its last reader
with
    shift_of_settlement as (
        select
            unnest([from_settlement_id, to_settlement_id]) as settlement_id,
            transaction_id, options
        from shift
    ),
    shift_by_settlement as (
        select
            settlement_id,
            string_agg(transaction_id, ';' order by transaction_id) as shifted_ids,
            max(options) as options
        from shift_of_settlement
        group by settlement_id
    ),
    net_with_explanation as (
        select
            computed_net.* replace(
                case when explanation.code is not null then 'EXPLAINED' else verdict end as verdict
            ),
            explanation.code, explanation.blamed, explanation.candidates,
            explanation.may_fit_by_chance, shift_by_settlement.shifted_ids,
            shift_by_settlement.options,
            computed_net.method <> 'OBSERVED'
            or settlement_open_to_arithmetic.settlement_id is not null as is_open
        from
            computed_net
            left join explanation using (settlement_id)
            left join shift_by_settlement using (settlement_id)
            left join settlement_open_to_arithmetic using (settlement_id)
    )
select
    *,
    lag(settlement_id) over terminal as previous_id,
    lead(settlement_id) over terminal as next_id
from net_with_explanation
window
    terminal as (
        partition by terminal_id
        order by created, settlement_id
    )
