-- model    weekday_lag
-- grain    one row per clock, terminal and weekday: how long before a settlement the cut-off usually lies, and the usual deviation from that
-- reads    cutoff_window, offset_run
-- rule     R-07: the usual lag is learned from the terminal's own history, where at least three settlements in a row agree
-- silent   days with fewer than three different cut-offs; weekday -1 stands for all days
with
    -- Settlements without a transaction that arithmetic has to place share a position. They agree without being evidence.
    longest_run as (
        from offset_run
        where run_length >= 3 and position > 0
        qualify rank() over (partition by clock, terminal_id, ordinal order by run_length desc) = 1
    ),
    -- Daily totals that are equal give equally long runs with several offsets. None of them shows the cut-off.
    best_candidate as (
        select clock, terminal_id, ordinal, position, lag_low_s, lag_high_s
        from longest_run
        window
            in_settlement as (
                partition by clock, terminal_id, ordinal
            )
        qualify
            row_number() over (in_settlement order by lag_high_s - lag_low_s, position) = 1
            and min(offset_cents) over in_settlement = max(offset_cents) over in_settlement
    ),
    sample as (
        select best_candidate.*, -1 as weekday
        from best_candidate
        union all
        select best_candidate.*, weekday
        from best_candidate inner join cutoff_window using (clock, terminal_id, ordinal)
        where weekday >= 0
    ),
    -- Each cut-off allows a range of lags. The usual lag lies in most of these ranges.
    range_end as (
        select clock, terminal_id, weekday, lag_low_s as lag_s, 1 as change
        from sample
        union all
        select clock, terminal_id, weekday, lag_high_s, -1
        from sample
    ),
    coverage as (
        select
            clock, terminal_id, weekday, lag_s,
            sum(change) over (in_order rows unbounded preceding) as range_count,
            lead(lag_s, 1, lag_s) over (in_order) as next_lag_s
        from range_end
        window
            in_order as (
                partition by clock, terminal_id, weekday
                order by lag_s, change desc
            )
    ),
    middle as (
        select
            clock, terminal_id, weekday,
            arg_max((lag_s + next_lag_s) / 2, (range_count, next_lag_s - lag_s, -lag_s)) as lag_s
        from coverage
        group by clock, terminal_id, weekday
    )
select
    clock, terminal_id, weekday, middle.lag_s,
    -- The spread of cut-offs around the usual lag, a quarter of an hour at least.
    greatest(900, quantile_cont(cutoff_strays (lag_low_s, lag_high_s, middle.lag_s), 0.9)) as spread_s
from sample inner join middle using (clock, terminal_id, weekday)
group by clock, terminal_id, weekday, middle.lag_s
having count(distinct position) >= 3
