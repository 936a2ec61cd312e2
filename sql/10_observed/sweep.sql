-- model    sweep
-- grain    one row per sweep that ended
-- reads    ops_sweep
-- rule     R-02: a sweep is known if it landed by known_at
-- silent   sweeps that were broken off
select
    sweep_id, run_id, account, list, terminal_id, started_seq, covers_from, started_at, ended_at,
    pages, records, new_versions, quarantined, rewinds, requests, throttled, certificate,
    bodies_sha256, landing_seq
from ops_sweep
