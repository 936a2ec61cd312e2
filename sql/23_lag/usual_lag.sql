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
            (lag_low_s + lag_high_s) / 2 as lag_s
        from island
        where
            run_length >= 3
            and position > 0
        qualify
            row_number() over (
                partition by clock, terminal_id, ordinal
                order by run_length desc, lag_high_s - lag_low_s, position
            ) = 1
    )
select
    clock,
    terminal_id,
    median(lag_s) as lag_s
from best
group by clock, terminal_id
