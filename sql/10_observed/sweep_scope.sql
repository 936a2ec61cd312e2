-- model    sweep_scope
-- grain    one row per ended sweep and terminal that it covers; a sweep of all terminals has one row without a terminal
-- reads    ops_limited_sweep, ops_sweep
-- rule     R-31: a sweep of which only some terminals were stored proves nothing about the others
-- silent   sweeps that were broken off; landings after known_at
select
    sweep.sweep_id, sweep.run_id, sweep.list,
    coalesce(limited_sweep.terminal_id, sweep.terminal_id) as terminal_id,
    sweep.started_seq, sweep.covers_from, sweep.started_at, sweep.ended_at, sweep.certificate,
    sweep.landing_seq
from
    ops_sweep as sweep
    left join ops_limited_sweep as limited_sweep on limited_sweep.sweep_id = sweep.sweep_id
