-- view     runs
-- of       records
-- grain    one row per reconciliation that was stored
-- silent   nothing; it is here also where its pack was withheld
select
    account as "account", -- name: short name of the account
    run_id as "runId", -- name: id of the run
    window_from as "rangeFrom", -- date: first business date of the range
    window_to as "rangeTo", -- date: business date after the last of the range
    as_of as "asOf", -- instant: the clock by which ages and thresholds were judged
    known_at as "knownAt", -- sequence: landing number up to which the run knew
    run_id in (
        select run_id
        from publication_rank
        where rank = 1
    ) as "isLatest", -- flag: true for one run of each account: the one whose pack OUT/<account>/latest names
    recorded_at as "recordedAt", -- instant: when it was stored
    code_version as "codeVersion", -- hash: version of the code
    config_hash as "configHash", -- hash: hash of the parameters
    parameters as "parameters", -- json: every parameter that can change a number
    headline as "headline" -- json: the counts that the run answered with
from lake.ops.run
