-- view     worklist
-- of       results
-- grain    one row per open item of a run that needs a person: worklist.csv
-- silent   exceptions that were waived or resolved before the run
-- column   account, name: short name of the account
-- column   runId, name: run that listed it
-- column   rank, count: 1 for the largest exposure
-- column   subjectType, word: settlement, transaction or terminal
-- column   subjectId, text: id of the subject, or sha256: and its hash
-- column   terminalId, id: terminal of the subject
-- column   terminalName, text: its name, guarded as in the file
-- column   amount, money: the largest amount of its exceptions, with its sign; empty where there is none
-- column   since, date: business date on which the subject was created
-- column   ageDays, days: whole calendar days from the subject's created to asOf (R-21)
-- column   certainty, word: how sure it is: CERTAIN, the certificate of a settlement, or that of a refund (R-69)
-- column   cause, text: the likely cause in words
-- column   askWhom, word: processor, shop, bank or setup
-- column   nextStep, text: what to do, with the command that shows the item
-- column   assignee, text: the person to whom it is assigned, guarded as in the file
-- column   exceptionIds, text: its exceptions, separated by semicolons; empty for a settlement that can't be judged
select
    chosen_run.account as "account",
    result.run_id as "runId",
    result."rank"::bigint as "rank",
    result."subjectType" as "subjectType",
    result."subjectId" as "subjectId",
    result."terminalId"::bigint as "terminalId",
    result."terminalName" as "terminalName",
    result."amount"::decimal(18, 2) as "amount",
    result."since"::date as "since",
    result."ageDays"::bigint as "ageDays",
    result."certainty" as "certainty",
    result."cause" as "cause",
    result."askWhom" as "askWhom",
    result."nextStep" as "nextStep",
    result."assignee" as "assignee",
    result."exceptionIds" as "exceptionIds"
from lake.result.worklist as result inner join chosen_run using (run_id)
