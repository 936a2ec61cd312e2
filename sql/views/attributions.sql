-- view     attributions
-- of       results
-- grain    one row per transaction of a settlement in a run's range: attributions.csv
-- silent   orphans, and what is still open (unsettled); components (lines)
-- column   account, name: short name of the account
-- column   runId, name: run that found it
-- column   transactionId, id: the service's id of the transaction
-- column   settlementId, id: settlement that it is in
-- column   terminalId, id: terminal of the settlement
-- column   created, instant: when the transaction was created
-- column   action, word: CHARGE, REFUND or VERIFY
-- column   status, word: CAPTURE, HOLD or VOID
-- column   amountTotal, money: total of the transaction, positive
-- column   signedAmount, money: what it adds to the settlement
-- column   method, word: EXPLICIT_ID, OBSERVED, WINDOW, ALIGNED, MANUAL or NONE: how transactions were found (R-05)
select
    chosen_run.account as "account",
    source.run_id as "runId",
    result."transactionId" as "transactionId",
    result."settlementId" as "settlementId",
    result."terminalId" as "terminalId",
    result."created" as "created",
    result."action" as "action",
    result."status" as "status",
    result."amountTotal" as "amountTotal",
    result."signedAmount" as "signedAmount",
    result."method" as "method"
from
    lake.result.attribution_source as source
    inner join chosen_run using (run_id)
    inner join lake.result.attributions as result on result.run_id = source.source_run_id
    and result."settlementId" = source.settlement_id
