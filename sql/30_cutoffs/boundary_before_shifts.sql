-- model    boundary_before_shifts
-- grain    one row per settlement of a terminal that has settled transactions: where it begins and ends in order of time
-- reads    chosen_clock, chosen_cutoff, settlement_running_net, usual_lag
-- rule     R-07: a settlement holds what lies after the end of the one before it, up to its own end
-- silent   nothing
with
    cutoff as (
        select chosen_cutoff.*
        from chosen_cutoff semi join chosen_clock using (clock, terminal_id)
    )
select
    cutoff.settlement_id, cutoff.terminal_id, cutoff.ordinal, cutoff.clock, cutoff.support,
    settlement_running_net.created, settlement_running_net.status,
    settlement_running_net.remaining_cents, usual_lag.lag_s, usual_lag.spread_s,
    coalesce(lag(cutoff.position) over (in_order), 0) as previous_position,
    cutoff.position,
    coalesce(lag(cutoff.running_cents) over (in_order), 0) as previous_cents,
    cutoff.running_cents, cutoff.cut_id, cutoff.cut_at, cutoff.next_at
from
    cutoff
    inner join settlement_running_net using (settlement_id)
    left join usual_lag on usual_lag.clock = cutoff.clock
    and usual_lag.settlement_id = cutoff.settlement_id
window
    in_order as (
        partition by cutoff.terminal_id
        order by cutoff.ordinal
    )
