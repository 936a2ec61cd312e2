-- pack     sweeps.csv
-- grain    one row per sweep that ended and per file that was imported
-- reads    imported_file, sweep
-- rule     R-31: the certificate of completeness; R-32: text in files
-- silent   sweeps that were broken off
with
    reading as (
        select
            account, list, terminal_id, started_at, ended_at, pages, records, new_versions,
            quarantined, rewinds, requests, throttled, certificate, bodies_sha256, landing_seq
        from sweep
        union all
        select
            account, list, null, started_at, ended_at, 0, records, new_versions, quarantined, 0, 0,
            0,
            'BEST_EFFORT',
            file_sha256, landing_seq
        from imported_file
    )
select
    account as "account",
    list as "list",
    terminal_id::varchar as "terminalId",
    instant(started_at) as "startedAt",
    instant(ended_at) as "endedAt",
    pages::varchar as "pages",
    records::varchar as "records",
    new_versions::varchar as "newVersions",
    quarantined::varchar as "quarantined",
    rewinds::varchar as "rewinds",
    requests::varchar as "requests",
    throttled::varchar as "throttled",
    certificate as "certificate",
    bodies_sha256 as "bodiesSha256"
from reading
order by started_at, landing_seq, list, terminal_id
