-- model    boundary_before_shifts
-- grain    one row per settlement of a terminal that has settled transactions: where it begins and ends in order of time
-- reads    chosen_clock, chosen_cutoff, settlement_running_net, usual_lag
-- rule     R-07: a settlement holds what lies after the end of the one before it, up to its own end
-- silent   nothing
with
    chosen as (
        select chosen_cutoff.*
        from
            chosen_cutoff
            semi join chosen_clock using (clock, terminal_id)
    )
select
    chosen.settlement_id,
    chosen.terminal_id,
    chosen.ordinal,
    chosen.clock,
    chosen.support,
    settlement_running_net.created,
    settlement_running_net.status,
    settlement_running_net.sought_cents,
    usual_lag.lag_s,
    usual_lag.spread_s,
    coalesce(lag(chosen.position) over (in_order), 0) as previous_position,
    chosen.position,
    coalesce(lag(chosen.running_cents) over (in_order), 0) as previous_cents,
    chosen.running_cents,
    chosen.cut_id,
    chosen.cut_at,
    chosen.next_at
from
    chosen
    inner join settlement_running_net using (settlement_id)
    left join usual_lag on usual_lag.clock = chosen.clock
    and usual_lag.settlement_id = chosen.settlement_id
window
    in_order as (
        partition by chosen.terminal_id
        order by chosen.ordinal
    )
