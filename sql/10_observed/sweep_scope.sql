-- model    sweep_scope
-- grain    one row per sweep that ended and terminal that it speaks of; one without a terminal where it speaks of all
-- reads    ops_limited_sweep, ops_sweep
-- rule     R-31: a list of all terminals of which only some were stored proves nothing of the others
-- silent   sweeps that were broken off; landings after known_at
select
    sweep.sweep_id, sweep.run_id, sweep.list,
    coalesce(limited_sweep.terminal_id, sweep.terminal_id) as terminal_id,
    sweep.started_seq, sweep.covers_from, sweep.started_at, sweep.ended_at, sweep.certificate,
    sweep.landing_seq
from
    ops_sweep as sweep
    left join ops_limited_sweep as limited_sweep on limited_sweep.sweep_id = sweep.sweep_id
where sweep.account = getvariable('account') and sweep.landing_seq <= getvariable('known_at')
