-- view     runs
-- of       records
-- grain    one row per reconciliation that was stored
-- silent   nothing; it is here also where its pack was withheld
-- column   account, name: short name of the account
-- column   runId, name: id of the run
-- column   rangeFrom, date: first business date of the range
-- column   rangeTo, date: business date after the last of the range
-- column   asOf, instant: the clock by which ages and thresholds were judged
-- column   knownAt, sequence: landing number up to which the run knew
-- column   isLatest, flag: true for one run of each account: the one whose pack OUT/<account>/latest names
-- column   recordedAt, instant: when it was stored
-- column   codeVersion, hash: version of the code
-- column   configHash, hash: hash of the parameters
-- column   parameters, json: every parameter that can change a number
-- column   headline, json: the counts that the run answered with
select
    account as "account",
    run_id as "runId",
    window_from as "rangeFrom",
    window_to as "rangeTo",
    as_of as "asOf",
    known_at as "knownAt",
    run_id in (select run_id from publication_rank where rank = 1) as "isLatest",
    recorded_at as "recordedAt",
    code_version as "codeVersion",
    config_hash as "configHash",
    parameters as "parameters",
    headline as "headline"
from lake.ops.run
