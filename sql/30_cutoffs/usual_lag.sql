-- model    usual_lag
-- grain    one row per clock and settlement: how long before a settlement of its terminal the cut-off usually lies
-- reads    cutoff_window, offset_run, terminal_reach
-- rule     R-07: the usual lag is learned from the terminal's own history, where it is beyond doubt; where it spans weekends, for each weekday
-- silent   runs of fewer than three settlements, and positions of a settlement that holds no transaction
with
    -- Weekday -1 stands for all days. A lag of hours is the same on each.
    dated as (
        select
            clock,
            settlement_id,
            terminal_id,
            ordinal,
            case
                when reach_hours > 12 then dayofweek(local_time (created))
                else -1
            end as weekday
        from
            cutoff_window
            inner join terminal_reach using (terminal_id)
    ),
    best as (
        select
            clock,
            terminal_id,
            ordinal,
            lag_low_s,
            lag_high_s
        from offset_run
        where
            run_length >= 3
            and position > 0
        qualify
            row_number() over (
                partition by clock, terminal_id, ordinal
                order by run_length desc, lag_high_s - lag_low_s, position
            ) = 1
    ),
    sample as (
        select
            best.*,
            -1 as weekday
        from best
        union all
        select
            best.*,
            weekday
        from
            best
            inner join dated using (clock, terminal_id, ordinal)
        where weekday >= 0
    ),
    -- Each cut leaves a span of lags possible; the usual one lies in most of them.
    ends as (
        select
            clock,
            terminal_id,
            weekday,
            lag_low_s as lag_s,
            1 as change
        from sample
        union all
        select
            clock,
            terminal_id,
            weekday,
            lag_high_s,
            -1
        from sample
    ),
    covered as (
        select
            clock,
            terminal_id,
            weekday,
            lag_s,
            sum(change) over (in_order rows unbounded preceding) as spans,
            lead(lag_s, 1, lag_s) over (in_order) as next_lag_s
        from ends
        window
            in_order as (
                partition by clock, terminal_id, weekday
                order by lag_s, change desc
            )
    ),
    usual as (
        select
            clock,
            terminal_id,
            weekday,
            arg_max((lag_s + next_lag_s) / 2, (spans, next_lag_s - lag_s, -lag_s)) as lag_s
        from covered
        group by clock, terminal_id, weekday
    ),
    spread as (
        select
            clock,
            terminal_id,
            weekday,
            usual.lag_s,
            -- How far cut-offs stray from it, and never less than a quarter of an hour.
            greatest(
                900,
                quantile_cont(greatest(0, lag_low_s - usual.lag_s, usual.lag_s - lag_high_s), 0.9)
            ) as spread_s
        from
            sample
            inner join usual using (clock, terminal_id, weekday)
        group by clock, terminal_id, weekday, usual.lag_s
        having
            weekday = -1
            or count(*) >= 3
    )
select
    dated.clock,
    dated.settlement_id,
    coalesce(of_day.lag_s, of_all.lag_s) as lag_s,
    coalesce(of_day.spread_s, of_all.spread_s) as spread_s
from
    dated
    inner join spread as of_all on of_all.clock = dated.clock
    and of_all.terminal_id = dated.terminal_id
    and of_all.weekday = -1
    left join spread as of_day on of_day.clock = dated.clock
    and of_day.terminal_id = dated.terminal_id
    and of_day.weekday = dated.weekday
    and of_day.weekday >= 0
