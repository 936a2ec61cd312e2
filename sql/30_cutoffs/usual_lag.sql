-- model    usual_lag
-- grain    one row per clock and terminal: how long before its settlement the cut-off usually lies
-- reads    island
-- rule     R-07: the usual lag is learned from the terminal's own history, where it is beyond doubt
-- silent   runs of fewer than three settlements, and positions of a settlement that holds no transaction
with
    best as (
        select
            clock,
            terminal_id,
            ordinal,
            lag_low_s,
            lag_high_s
        from island
        where
            run_length >= 3
            and position > 0
        qualify
            row_number() over (
                partition by clock, terminal_id, ordinal
                order by run_length desc, lag_high_s - lag_low_s, position
            ) = 1
    ),
    -- Each cut leaves a span of lags possible; the usual one lies in most of them.
    ends as (
        select
            clock,
            terminal_id,
            lag_low_s as lag_s,
            1 as change
        from best
        union all
        select
            clock,
            terminal_id,
            lag_high_s,
            -1
        from best
    ),
    covered as (
        select
            clock,
            terminal_id,
            lag_s,
            sum(change) over (in_order rows unbounded preceding) as spans,
            lead(lag_s, 1, lag_s) over (in_order) as next_lag_s
        from ends
        window
            in_order as (
                partition by clock, terminal_id
                order by lag_s, change desc
            )
    ),
    usual as (
        select
            clock,
            terminal_id,
            arg_max((lag_s + next_lag_s) / 2, (spans, next_lag_s - lag_s, -lag_s)) as lag_s
        from covered
        group by clock, terminal_id
    )
select
    best.clock,
    best.terminal_id,
    usual.lag_s,
    -- How far cut-offs stray from it, and never less than a quarter of an hour.
    greatest(
        900,
        quantile_cont(greatest(0, best.lag_low_s - usual.lag_s, usual.lag_s - best.lag_high_s), 0.9)
    ) as spread_s
from
    best
    inner join usual using (clock, terminal_id)
group by best.clock, best.terminal_id, usual.lag_s
