-- model    scored_cutoff
-- grain    one row per clock and settlement: the position at which it most probably ends
-- reads    cutoff_candidate, offset_run, usual_lag
-- rule     R-07: supporting settlements add to the score, a deviation from the usual lag subtracts; a draw goes to the candidate closest to the usual lag
-- silent   nothing
with
    candidate_deviation as (
        select
            cutoff_candidate.clock, cutoff_candidate.settlement_id, cutoff_candidate.terminal_id,
            cutoff_candidate.ordinal, cutoff_candidate.position,
            cutoff_strays (lag_low_s, lag_high_s, lag_s) as deviation_s,
            spread_s
        from cutoff_candidate left join usual_lag using (clock, settlement_id)
    ),
    -- Most settlements have a candidate without a deviation. The candidates of the others alone are compared.
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
            cutoff_strays (lag_low_s, lag_high_s, lag_s) as deviation_s,
            spread_s, run_length as support,
            agreeing (run_length, from_end) as agreements
        from offset_run left join usual_lag using (clock, settlement_id)
        union all
        -- Without support from a neighbour, only the candidate nearest to the usual lag is scored.
        select clock, settlement_id, terminal_id, ordinal, position, deviation_s, spread_s, 1, 0
        from nearest_candidate
    ),
    first_choice as (
        from judged_candidate
        qualify
            row_number() over (
                partition by clock, terminal_id, ordinal
                order by
                    cutoff_weight (agreements, deviation_s, spread_s) desc,
                    deviation_s, position
            ) = 1
    ),
    bounded_choice as (
        select
            *,
            coalesce(
                max(position) filter(where support >= 2) over (
                    partition by clock, terminal_id
                    order by ordinal rows between unbounded preceding and 1 preceding
                ),
                0
            ) as low_position,
            min(position) filter(where support >= 2) over (
                partition by clock, terminal_id
                order by ordinal rows between 1 following and unbounded following
            ) as high_position
        from first_choice
    ),
    -- If no neighbour agrees, the time alone decides, among positions between the ends of supported neighbours.
    choice_by_time as (
        select
            candidate_deviation.clock, candidate_deviation.settlement_id,
            arg_min(
                candidate_deviation.position,
                (candidate_deviation.deviation_s, candidate_deviation.position)
            ) as position
        from
            candidate_deviation
            inner join bounded_choice on bounded_choice.clock = candidate_deviation.clock
            and bounded_choice.settlement_id = candidate_deviation.settlement_id
        where
            bounded_choice.support < 2
            and candidate_deviation.position >= bounded_choice.low_position
            and candidate_deviation.position <= coalesce(bounded_choice.high_position, candidate_deviation.position)
        group by candidate_deviation.clock, candidate_deviation.settlement_id
    )
select
    bounded_choice.clock, bounded_choice.settlement_id, bounded_choice.terminal_id,
    bounded_choice.ordinal, bounded_choice.support,
    case
        when bounded_choice.support >= 2 then greatest(bounded_choice.position, bounded_choice.low_position)
        else coalesce(choice_by_time.position, bounded_choice.low_position)
    end as position
from
    bounded_choice
    left join choice_by_time on choice_by_time.clock = bounded_choice.clock
    and choice_by_time.settlement_id = bounded_choice.settlement_id
