-- pack     sweeps.csv
-- grain    one row per sweep that ended
-- reads    sweep
-- rule     R-31: the certificate of completeness; R-32: text in files
-- silent   sweeps that were broken off
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
from sweep
order by started_at, landing_seq, list, terminal_id
