-- model    usual_lag
-- grain    one row per clock and settlement: how long before a settlement of its terminal the cut-off usually lies
-- reads    cutoff_window, weekday_lag
-- rule     R-07: the usual lag is learned from certain cut-offs of the terminal; for each weekday, if the reach is more than 12 hours
-- silent   settlements of terminals on which no three in a row agree
select
    cutoff_window.clock, cutoff_window.settlement_id,
    coalesce(of_weekday.lag_s, of_all_days.lag_s) as lag_s,
    coalesce(of_weekday.spread_s, of_all_days.spread_s) as spread_s
from
    cutoff_window
    inner join weekday_lag as of_all_days on of_all_days.clock = cutoff_window.clock
    and of_all_days.terminal_id = cutoff_window.terminal_id
    and of_all_days.weekday = -1
    left join weekday_lag as of_weekday on of_weekday.clock = cutoff_window.clock
    and of_weekday.terminal_id = cutoff_window.terminal_id
    and of_weekday.weekday = cutoff_window.weekday
    and of_weekday.weekday >= 0
