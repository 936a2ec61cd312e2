-- model    explained_lag
-- grain    one row: how long before its settlements this terminal is usually cut off, as hours and minutes, and the usual deviation
-- reads    boundary, explained_interval, terminal_reach, usual_lag
-- rule     R-61: a cut-off is looked for within the reach of its terminal
-- silent   nothing; a lag that is not known is empty; a clock by lastModified may cut off after creation, which gives a negative lag
select
    coalesce(hours_and_minutes (usual_lag.lag_s), '') as lag,
    coalesce(hours_and_minutes (usual_lag.spread_s), '') as spread,
    reach_hours::varchar as reach
from
    explained_interval
    inner join terminal_reach using (terminal_id)
    left join boundary using (settlement_id)
    left join usual_lag on usual_lag.settlement_id = boundary.settlement_id
    and usual_lag.clock = boundary.clock
