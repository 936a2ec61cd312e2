-- view     first_sightings
-- of       records
-- grain    one row per exception and the run that found it first
-- silent   exceptions that no stored run found
-- column   account, name: short name of the account
-- column   exceptionId, hash: id of the exception
-- column   code, word: what is wrong
-- column   subjectType, word: settlement, transaction or terminal
-- column   subjectId, text: id of the subject
-- column   firstSeen, instant: when it was first found
-- column   knownAt, sequence: landing number that it was found from
-- column   runId, name: run that found it
select
    account as "account",
    exception_id as "exceptionId",
    code as "code",
    subject_type as "subjectType",
    subject_id as "subjectId",
    first_seen as "firstSeen",
    known_at as "knownAt",
    run_id as "runId"
from lake.ops.exception_seen
