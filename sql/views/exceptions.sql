-- view     exceptions
-- of       results
-- grain    one row per exception of a run: exceptions.csv
-- silent   exceptions of subjects created after the run's asOf
-- column   account, name: short name of the account
-- column   runId, name: run that found it
-- column   exceptionId, hash: hash of account, code and subject: the same problem has the same id in every run
-- column   code, word: what is wrong: docs/exceptions.md
-- column   severity, word: error or warning
-- column   certainty, word: CERTAIN, SUSPECTED or INSUFFICIENT_HISTORY, where the code has it
-- column   subjectType, word: settlement, transaction or terminal
-- column   subjectId, text: id of the subject, or sha256: and its hash
-- column   terminalId, id: terminal of the subject
-- column   amount, money: amount in question; empty where there is none
-- column   detail, text: further facts, guarded as in the file (R-32)
-- column   firstSeen, instant: when it was first found
-- column   lastSeen, instant: when it was found last
-- column   ageDays, days: whole calendar days from the subject's created to asOf (R-21)
-- column   state, word: OPEN, ASSIGNED, WAIVED or RESOLVED
-- column   stateBy, text: who brought it into this state, guarded as in the file
-- column   stateReason, text: why, guarded as in the file
-- column   assignee, text: the person to whom it is assigned, guarded as in the file
select
    chosen_run.account as "account",
    result.run_id as "runId",
    result."exceptionId" as "exceptionId",
    result."code" as "code",
    result."severity" as "severity",
    result."certainty" as "certainty",
    result."subjectType" as "subjectType",
    result."subjectId" as "subjectId",
    result."terminalId"::bigint as "terminalId",
    result."amount"::decimal(18, 2) as "amount",
    result."detail" as "detail",
    result."firstSeen"::timestamp as "firstSeen",
    result."lastSeen"::timestamp as "lastSeen",
    result."ageDays"::bigint as "ageDays",
    result."state" as "state",
    result."stateBy" as "stateBy",
    result."stateReason" as "stateReason",
    result."assignee" as "assignee"
from lake.result.exceptions as result inner join chosen_run using (run_id)
