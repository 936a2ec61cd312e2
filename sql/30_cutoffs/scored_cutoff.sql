-- model    scored_cutoff
-- grain    one row per clock and settlement: the position at which it most probably ends
-- reads    cutoff_candidate, offset_run, usual_lag
-- rule     R-07: most neighbours in one run, weighed against straying from the usual lag; then what lies nearest to it
-- silent   nothing
with
    timed as (
        select
            cutoff_candidate.clock,
            cutoff_candidate.settlement_id,
            cutoff_candidate.terminal_id,
            cutoff_candidate.ordinal,
            cutoff_candidate.position,
            cutoff_strays (lag_low_s, lag_high_s, lag_s) as deviation_s
        from
            cutoff_candidate
            left join usual_lag using (clock, settlement_id)
    ),
    judged as (
        select
            clock,
            settlement_id,
            terminal_id,
            ordinal,
            position,
            cutoff_strays (lag_low_s, lag_high_s, lag_s) as deviation_s,
            run_length as support,
            agreeing (run_length, from_end) as agreements
        from
            offset_run
            left join usual_lag using (clock, settlement_id)
        union all
        -- Of those that stand alone only the one nearest to the usual lag comes into question.
        select
            clock,
            settlement_id,
            any_value(terminal_id),
            any_value(ordinal),
            arg_min(position, (deviation_s, position)),
            min(deviation_s),
            1,
            0
        from timed
        group by clock, settlement_id
    ),
    first_choice as (
        select
            judged.*,
            cutoff_weight (agreements, deviation_s, spread_s) as weight
        from
            judged
            left join usual_lag using (clock, settlement_id)
        qualify
            row_number() over (
                partition by judged.clock, judged.terminal_id, judged.ordinal
                order by weight desc, deviation_s, position
            ) = 1
    ),
    bounded as (
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
    -- Where no neighbour agrees, only time decides, between what the neighbours have settled.
    alone as (
        select
            timed.clock,
            timed.settlement_id,
            arg_min(timed.position, (timed.deviation_s, timed.position)) as position
        from
            timed
            inner join bounded on bounded.clock = timed.clock
            and bounded.settlement_id = timed.settlement_id
        where
            bounded.support < 2
            and timed.position >= bounded.low_position
            and timed.position <= coalesce(bounded.high_position, timed.position)
        group by timed.clock, timed.settlement_id
    )
select
    bounded.clock,
    bounded.settlement_id,
    bounded.terminal_id,
    bounded.ordinal,
    bounded.support,
    case
        when bounded.support >= 2 then greatest(bounded.position, bounded.low_position)
        else coalesce(alone.position, bounded.low_position)
    end as position
from
    bounded
    left join alone on alone.clock = bounded.clock
    and alone.settlement_id = bounded.settlement_id
