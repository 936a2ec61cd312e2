-- view     attributions
-- of       results
-- grain    one row per transaction of a settlement in a run's range: attributions.csv
-- silent   orphans, and what is still open (unsettled); components (lines)
select
    chosen_run.account as "account", -- name: short name of the account
    source.run_id as "runId", -- name: run that found it
    result."transactionId" as "transactionId", -- id: the service's id of the transaction
    result."settlementId" as "settlementId", -- id: settlement that it is in
    result."terminalId" as "terminalId", -- id: terminal of the settlement
    result."created" as "created", -- instant: when the transaction was created
    result."action" as "action", -- word: CHARGE, REFUND or VERIFY
    result."status" as "status", -- word: CAPTURE, HOLD or VOID
    result."amountTotal" as "amountTotal", -- money: total of the transaction, positive
    result."signedAmount" as "signedAmount", -- money: what it adds to the settlement
    result."method" as "method" -- word: EXPLICIT_ID, OBSERVED, WINDOW, ALIGNED, MANUAL or NONE: how transactions were found (R-05)
from
    lake.result.attribution_source as source
    inner join chosen_run using (run_id)
    inner join lake.result.attributions as result on result.run_id = source.source_run_id
    and result."settlementId" = source.settlement_id
