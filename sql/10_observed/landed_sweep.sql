-- model    landed_sweep
-- grain    one row per sweep: what its landings wrote
-- reads    ops_landing
-- rule     R-26: the records that a sweep listed are those that landed
-- silent   landings after known_at
select
    sweep_id,
    sum(records)::bigint as landed_records,
    sum(quarantined)::bigint as landed_quarantined
from ops_landing
group by sweep_id
