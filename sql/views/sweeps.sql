-- view     sweeps
-- of       records
-- grain    one row per sweep of a list that ended
-- silent   sweeps that were broken off; imported files (imports)
select
    account as "account", -- name: short name of the account
    sweep_id as "sweepId", -- name: id of the sweep
    run_id as "runId", -- name: run that it belongs to
    list as "list", -- word: terminals, settlements or transactions
    terminal_id as "terminalId", -- id: terminal, where the list was read terminal by terminal
    covers_from as "coversFrom", -- instant: records created after this are covered; empty: the whole list
    started_at as "startedAt", -- instant: when it began
    ended_at as "endedAt", -- instant: when it ended
    pages as "pages", -- count: pages that were read
    records as "records", -- count: records that were listed
    new_versions as "newVersions", -- count: versions that were new or differed
    quarantined as "quarantined", -- count: records that could not be read
    rewinds as "rewinds", -- count: how often it went back because records had moved
    requests as "requests", -- count: requests that were sent
    throttled as "throttled", -- count: requests that were answered 429
    certificate as "certificate", -- word: SNAPSHOT, CONTIGUOUS or BEST_EFFORT: how complete it is (R-31)
    bodies_sha256 as "bodiesSha256", -- hash: SHA-256 over the bodies of its pages
    landing_seq as "landingSeq", -- sequence: landing number at its end
    (
        select string_agg(terminal_id::varchar, ';' order by terminal_id)
        from lake.ops.limited_sweep as limited
        where limited.sweep_id = sweep.sweep_id
    ) as "keptTerminals" -- text: the only terminals whose records landed, with `;` between them, if the service ignored the account's list of terminals; empty: all
from lake.ops.sweep as sweep
