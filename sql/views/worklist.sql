-- view     worklist
-- of       results
-- grain    one row per open item of a run that needs a person: worklist.csv
-- silent   exceptions that were waived or resolved before the run
select
    chosen_run.account as "account", -- name: short name of the account
    result.run_id as "runId", -- name: run that listed it
    result."rank"::bigint as "rank", -- count: 1 for the largest exposure
    result."subjectType" as "subjectType", -- word: settlement, transaction or terminal
    result."subjectId" as "subjectId", -- text: id of the subject, or sha256: and its hash
    result."terminalId"::bigint as "terminalId", -- id: terminal of the subject
    result."terminalName" as "terminalName", -- text: its name, guarded as in the file
    result."amount"::decimal(18, 2) as "amount", -- money: the largest amount of its exceptions, with its sign; empty where there is none
    result."since"::date as "since", -- date: business date on which the subject was created
    result."ageDays"::bigint as "ageDays", -- days: whole calendar days from the subject's created to asOf (R-21)
    result."certainty" as "certainty", -- word: how sure it is: CERTAIN, the certificate of a settlement, or that of a refund (R-69)
    result."cause" as "cause", -- text: the likely cause in words
    result."askWhom" as "askWhom", -- word: processor, shop, bank or setup
    result."nextStep" as "nextStep", -- text: what to do, with the command that shows the item
    result."assignee" as "assignee", -- text: the person to whom it is assigned, guarded as in the file
    result."exceptionIds" as "exceptionIds" -- text: its exceptions, separated by semicolons; empty for a settlement that can't be judged
from lake.result.worklist as result inner join chosen_run using (run_id)
