-- view     first_sightings
-- of       records
-- grain    one row per exception and the run that found it first
-- silent   exceptions that no stored run found
select
    account as "account", -- name: short name of the account
    exception_id as "exceptionId", -- hash: id of the exception
    code as "code", -- word: what is wrong
    subject_type as "subjectType", -- word: settlement, transaction or terminal
    subject_id as "subjectId", -- text: id of the subject
    first_seen as "firstSeen", -- instant: when it was first found
    known_at as "knownAt", -- sequence: landing number that it was found from
    run_id as "runId" -- name: run that found it
from lake.ops.exception_seen
