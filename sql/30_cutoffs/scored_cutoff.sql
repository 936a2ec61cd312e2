-- model    scored_cutoff
-- grain    one row per clock and settlement: the candidate with the highest score, whatever its neighbours have
-- reads    cutoff_candidate, offset_run, usual_lag
-- rule     R-07: supporting settlements add to the score, a deviation from the usual lag subtracts; a draw goes to the candidate closest to the usual lag
-- silent   nothing; a candidate that no neighbour supports has no offset here
-- drop     after its last reader
with
    candidate_deviation as (
        select
            cutoff_candidate.clock, cutoff_candidate.settlement_id, cutoff_candidate.terminal_id,
            cutoff_candidate.ordinal, cutoff_candidate.position,
            cutoff_strays (lag_low_s, lag_high_s, lag_s) as deviation_s,
            spread_s
        from cutoff_candidate left join usual_lag using (clock, settlement_id)
    ),
    -- Most settlements have a candidate without a deviation. Only the candidates of all other settlements are compared.
    usual_candidate as (
        select
            clock, settlement_id,
            any_value(terminal_id) as terminal_id,
            any_value(ordinal) as ordinal,
            min(position) as position,
            0 as deviation_s,
            any_value(spread_s) as spread_s
        from candidate_deviation
        where deviation_s = 0
        group by clock, settlement_id
    ),
    nearest_candidate as (
        from usual_candidate
        union all
        select
            clock, settlement_id,
            any_value(terminal_id),
            any_value(ordinal),
            arg_min(position, (deviation_s, position)),
            min(deviation_s),
            any_value(spread_s)
        from candidate_deviation anti join usual_candidate using (clock, settlement_id)
        group by clock, settlement_id
    ),
    judged_candidate as (
        select
            clock, settlement_id, terminal_id, ordinal, position,
            case when run_length >= 2 then offset_cents end as offset_cents,
            cutoff_strays (lag_low_s, lag_high_s, lag_s) as deviation_s,
            spread_s, run_length as support,
            agreeing (run_length, from_end) as agreements
        from offset_run left join usual_lag using (clock, settlement_id)
        union all
        -- Without support from a neighbour, only the candidate nearest to the usual lag is scored.
        select
            clock, settlement_id, terminal_id, ordinal, position, null, deviation_s, spread_s, 1, 0
        from nearest_candidate
    )
select clock, settlement_id, terminal_id, ordinal, position, offset_cents, support
from judged_candidate
qualify
    row_number() over (
        partition by clock, terminal_id, ordinal
        order by cutoff_weight (agreements, deviation_s, spread_s) desc, deviation_s, position
    ) = 1
