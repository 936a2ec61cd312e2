-- model    first_boundary
-- grain    one row per settlement of a terminal that has settled transactions: where it begins and ends in order of time
-- reads    cutoff_choice, chosen_clock, usual_lag, settlement_sequence
-- rule     R-07: a settlement holds what lies after the end of the one before it, up to its own end
-- silent   nothing
select
    cutoff_choice.settlement_id,
    cutoff_choice.terminal_id,
    cutoff_choice.ordinal,
    cutoff_choice.clock,
    cutoff_choice.support,
    settlement_sequence.created,
    settlement_sequence.status,
    settlement_sequence.sought_cents,
    usual_lag.lag_s,
    usual_lag.spread_s,
    coalesce(lag(cutoff_choice.position) over (in_order), 0) as previous_position,
    cutoff_choice.position
from
    cutoff_choice
    inner join chosen_clock on chosen_clock.terminal_id = cutoff_choice.terminal_id
    and chosen_clock.clock = cutoff_choice.clock
    inner join settlement_sequence using (settlement_id)
    left join usual_lag on usual_lag.clock = cutoff_choice.clock
    and usual_lag.terminal_id = cutoff_choice.terminal_id
window
    in_order as (
        partition by cutoff_choice.terminal_id
        order by cutoff_choice.ordinal
    )
