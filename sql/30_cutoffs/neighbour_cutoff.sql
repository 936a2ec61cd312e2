-- model    neighbour_cutoff
-- grain    one row per clock and settlement: the position at which it most probably ends
-- reads    cutoff_before_reach, cutoff_candidate, offset_run, scored_cutoff, usual_lag
-- rule     R-07: the candidate with the highest score, or one with the offset of a neighbour's; without support the time alone decides
-- silent   nothing
with
    -- A choice is lone if the choices of both neighbours have other offsets, and its support comes from their other
    -- candidates.
    scored_choice as (
        select
            *,
            support >= 2
            and offset_cents <> lag(offset_cents, 1, 0) over (in_order)
            and coalesce(offset_cents <> lead(offset_cents) over (in_order), true) as is_lone
        from scored_cutoff
        window
            in_order as (
                partition by clock, terminal_id
                order by ordinal
            )
    ),
    lone_choice as (
        select
            clock, settlement_id,
            coalesce(
                lag(
                    case when not is_lone then {'cents': offset_cents} end ignore nulls
                ) over (in_order),
                {'cents': 0}
            ).cents as previous_cents,
            (
                lead(
                    case when not is_lone then {'cents': offset_cents} end ignore nulls
                ) over (in_order)
            ).cents as next_cents
        from scored_choice
        window
            in_order as (
                partition by clock, terminal_id
                order by ordinal
            )
        qualify is_lone
    ),
    -- Candidates with the offset of the nearest choice that is not lone: with them this settlement or the next one ties.
    second_choice as (
        select
            clock, settlement_id, terminal_id, ordinal, position, run_length as support,
            cutoff_strays (lag_low_s, lag_high_s, lag_s) as deviation_s
        from
            offset_run
            inner join lone_choice using (clock, settlement_id)
            left join usual_lag using (clock, settlement_id)
        where
            offset_cents in (previous_cents, next_cents)
            and coalesce(is_usual_cutoff (deviation_s, spread_s), true)
        qualify
            row_number() over (
                partition by clock, settlement_id
                order by
                    cutoff_weight (agreeing (run_length, from_end), deviation_s, spread_s) desc,
                    deviation_s, position
            ) = 1
    ),
    agreed_choice as (
        select * exclude (deviation_s)
        from second_choice
        union all
        from cutoff_before_reach
        union all
        select clock, settlement_id, terminal_id, ordinal, position, support
        from
            scored_cutoff
            anti join second_choice using (clock, settlement_id)
            anti join cutoff_before_reach using (clock, settlement_id)
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
        from agreed_choice
    ),
    -- If no neighbour agrees, the time alone decides, among the positions between the nearest supported choices before and
    -- after.
    choice_by_time as (
        select
            cutoff_candidate.clock, cutoff_candidate.settlement_id,
            arg_min(
                cutoff_candidate.position,
                (cutoff_strays (lag_low_s, lag_high_s, lag_s), cutoff_candidate.position)
            ) as position
        from
            cutoff_candidate
            inner join bounded_choice on bounded_choice.clock = cutoff_candidate.clock
            and bounded_choice.settlement_id = cutoff_candidate.settlement_id
            left join usual_lag on usual_lag.clock = cutoff_candidate.clock
            and usual_lag.settlement_id = cutoff_candidate.settlement_id
        where
            bounded_choice.support < 2
            and cutoff_candidate.position >= bounded_choice.low_position
            and cutoff_candidate.position <= coalesce(bounded_choice.high_position, cutoff_candidate.position)
        group by cutoff_candidate.clock, cutoff_candidate.settlement_id
    )
select
    clock, settlement_id, terminal_id, ordinal, support,
    case
        when support >= 2 then greatest(bounded_choice.position, low_position)
        else coalesce(choice_by_time.position, low_position)
    end as position
from bounded_choice left join choice_by_time using (clock, settlement_id)
