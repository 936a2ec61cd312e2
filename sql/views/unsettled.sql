-- view     unsettled
-- of       results
-- grain    one row per charge or refund that is open at a run's asOf: unsettled.csv
-- silent   members of PENDING settlements, and orphans
-- column   account, name: short name of the account
-- column   runId, name: run that found it
-- column   transactionId, id: the service's id of the transaction
-- column   terminalId, id: terminal of the transaction
-- column   created, instant: when it was created
-- column   action, word: CHARGE or REFUND
-- column   status, word: CAPTURE, or VOID if it became void after asOf
-- column   amountTotal, money: total, positive
-- column   signedAmount, money: what it will add to a settlement
-- column   ageDays, days: whole calendar days from created to asOf
-- column   bucket, word: 0-1, 2-5, 6-10, 11-30 or >30 days
-- column   lastObserved, instant: when a sweep last listed it
select
    chosen_run.account as "account",
    result.run_id as "runId",
    result."transactionId"::bigint as "transactionId",
    result."terminalId"::bigint as "terminalId",
    result."created"::timestamp as "created",
    result."action" as "action",
    result."status" as "status",
    result."amountTotal"::decimal(18, 2) as "amountTotal",
    result."signedAmount"::decimal(18, 2) as "signedAmount",
    result."ageDays"::bigint as "ageDays",
    result."bucket" as "bucket",
    result."lastObserved"::timestamp as "lastObserved"
from lake.result.unsettled as result inner join chosen_run using (run_id)
