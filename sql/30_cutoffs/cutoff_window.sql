-- model    cutoff_window
-- grain    one row per clock and settlement: the time within which it may end
-- reads    settlement_running_net, terminal_reach
-- rule     R-07: a settlement ends within its terminal's reach before it was created, or up to two minutes after it, which two clocks may differ by
-- silent   nothing; weekday is -1, which stands for all days, if the reach is 12 hours
-- drop     after its last reader
select
    clock, settlement_id, terminal_id, ordinal, running_cents, created,
    created - to_hours(reach_hours) as earliest,
    created + cutoff_delay (clock) as latest,
    -- Weekday -1 stands for all days: a lag of a few hours is the same on each day.
    case
        when reach_hours > short_search_hours () then dayofweek(local_time (created))
        else -1
    end as weekday
from
    settlement_running_net
    inner join terminal_reach using (terminal_id)
    cross join (
        select unnest([clock_value ('created'), clock_value ('modified')]) as clock
    ) as clocks
