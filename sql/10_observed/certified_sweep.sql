-- model    certified_sweep
-- grain    one row per certified sweep and scope, and whether the clock ran ahead when it began
-- reads    sweep_scope
-- rule     R-31: only SNAPSHOT and CONTIGUOUS cover history; R-56: if a later sweep began at an earlier instant, the clock ran ahead
-- silent   sweeps of certificate BEST_EFFORT
select
    sweep_id, list, terminal_id, covers_from, started_at, landing_seq,
    coalesce(
        min(started_at) over (
            order by landing_seq rows between 1 following and unbounded following
        ) < started_at,
        false
    ) as is_ahead
from sweep_scope
where certificate in ('SNAPSHOT', 'CONTIGUOUS')
