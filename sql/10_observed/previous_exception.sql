-- model    previous_exception
-- grain    one row per exception of the pack that this one is compared with
-- reads    previous_run, result_exceptions
-- rule     R-37: what changed is read from the packs' own texts
-- silent   nothing
select
    exceptions."exceptionId" as exception_id,
    exceptions."code" as code,
    exceptions."severity" as severity,
    exceptions."subjectType" as subject_type,
    exceptions."subjectId" as subject_id,
    exceptions."terminalId" as terminal_id,
    exceptions."amount" as amount,
    exceptions."state" as state
from result_exceptions as exceptions inner join previous_run using (run_id)
