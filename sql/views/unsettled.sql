-- view     unsettled
-- of       results
-- grain    one row per charge or refund that is open at a run's asOf: unsettled.csv
-- silent   members of PENDING settlements, and orphans
select
    chosen_run.account as "account", -- name: short name of the account
    result.run_id as "runId", -- name: run that found it
    result."transactionId"::bigint as "transactionId", -- id: the service's id of the transaction
    result."terminalId"::bigint as "terminalId", -- id: terminal of the transaction
    result."created"::timestamp as "created", -- instant: when it was created
    result."action" as "action", -- word: CHARGE or REFUND
    result."status" as "status", -- word: CAPTURE, or VOID if it became void after asOf
    result."amountTotal"::decimal(18, 2) as "amountTotal", -- money: total, positive
    result."signedAmount"::decimal(18, 2) as "signedAmount", -- money: what it will add to a settlement
    result."ageDays"::bigint as "ageDays", -- days: whole calendar days from created to asOf
    result."bucket" as "bucket", -- word: 0-1, 2-5, 6-10, 11-30 or >30 days
    result."lastObserved"::timestamp as "lastObserved" -- instant: when a sweep last listed it
from lake.result.unsettled as result inner join chosen_run using (run_id)
