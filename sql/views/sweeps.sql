-- view     sweeps
-- of       records
-- grain    one row per sweep of a list that ended
-- silent   sweeps that were broken off; imported files (imports)
-- column   account, name: short name of the account
-- column   sweepId, name: id of the sweep
-- column   runId, name: run that it belongs to
-- column   list, word: terminals, settlements or transactions
-- column   terminalId, id: terminal, where the list was read terminal by terminal
-- column   coversFrom, instant: records created after this are covered; empty: the whole list
-- column   startedAt, instant: when it began
-- column   endedAt, instant: when it ended
-- column   pages, count: pages that were read
-- column   records, count: records that were listed
-- column   newVersions, count: versions that were new or differed
-- column   quarantined, count: records that could not be read
-- column   rewinds, count: how often it went back because records had moved
-- column   requests, count: requests that were sent
-- column   throttled, count: requests that were answered 429
-- column   certificate, word: SNAPSHOT, CONTIGUOUS or BEST_EFFORT: how complete it is (R-31)
-- column   bodiesSha256, hash: SHA-256 over the bodies of its pages
-- column   landingSeq, sequence: landing number at its end
-- column   keptTerminals, text: the only terminals whose records landed, with `;` between them, if the service ignored the account's list of terminals; empty: all
select
    account as "account",
    sweep_id as "sweepId",
    run_id as "runId",
    list as "list",
    terminal_id as "terminalId",
    covers_from as "coversFrom",
    started_at as "startedAt",
    ended_at as "endedAt",
    pages as "pages",
    records as "records",
    new_versions as "newVersions",
    quarantined as "quarantined",
    rewinds as "rewinds",
    requests as "requests",
    throttled as "throttled",
    certificate as "certificate",
    bodies_sha256 as "bodiesSha256",
    landing_seq as "landingSeq",
    (
        select string_agg(terminal_id::varchar, ';' order by terminal_id)
        from lake.ops.limited_sweep as limited
        where limited.sweep_id = sweep.sweep_id
    ) as "keptTerminals"
from lake.ops.sweep as sweep
