-- view     exceptions
-- of       results
-- grain    one row per exception of a run: exceptions.csv
-- silent   exceptions of subjects created after the run's asOf
select
    chosen_run.account as "account", -- name: short name of the account
    result.run_id as "runId", -- name: run that found it
    result."exceptionId" as "exceptionId", -- hash: hash of account, code and subject: the same problem has the same id in every run
    result."code" as "code", -- word: what is wrong: docs/exceptions.md
    result."severity" as "severity", -- word: error or warning
    result."certainty" as "certainty", -- word: CERTAIN, SUSPECTED or INSUFFICIENT_HISTORY, where the code has it
    result."subjectType" as "subjectType", -- word: settlement, transaction or terminal
    result."subjectId" as "subjectId", -- text: id of the subject, or sha256: and its hash
    result."terminalId"::bigint as "terminalId", -- id: terminal of the subject
    result."amount"::decimal(18, 2) as "amount", -- money: amount in question; empty where there is none
    result."detail" as "detail", -- text: further facts, guarded as in the file (R-32)
    result."firstSeen"::timestamp as "firstSeen", -- instant: when it was first found
    result."lastSeen"::timestamp as "lastSeen", -- instant: when it was found last
    result."ageDays"::bigint as "ageDays", -- days: whole calendar days from the subject's created to asOf (R-21)
    result."state" as "state", -- word: OPEN, ASSIGNED, WAIVED or RESOLVED
    result."stateBy" as "stateBy", -- text: who brought it into this state, guarded as in the file
    result."stateReason" as "stateReason", -- text: why, guarded as in the file
    result."assignee" as "assignee" -- text: the person to whom it is assigned, guarded as in the file
from lake.result.exceptions as result inner join chosen_run using (run_id)
