-- view     refund_ceiling
-- of       results
-- grain    one row per refund of a run's range that is at risk: refund_ceiling.csv
-- silent   refunds that are covered
-- column   account, name: short name of the account
-- column   runId, name: run that found it
-- column   transactionId, id: the refund
-- column   terminalId, id: terminal of the refund
-- column   created, instant: when the refund was created
-- column   cardKey, hash: short keyed hash that stands for the card (R-17)
-- column   refundAmount, money: the refund, positive
-- column   chargedCoarse, money: charges of the coarse key in the 12 months before
-- column   chargedFine, money: charges of the fine key in the 12 months before
-- column   refundedBefore, money: refunds of the fine key in the window before this one
-- column   certainty, word: CERTAIN, SUSPECTED or INSUFFICIENT_HISTORY (R-18)
-- column   historyFrom, instant: earliest instant that certified sweeps cover
select
    chosen_run.account as "account",
    result.run_id as "runId",
    result."transactionId"::bigint as "transactionId",
    result."terminalId"::bigint as "terminalId",
    result."created"::timestamp as "created",
    result."cardKey" as "cardKey",
    result."refundAmount"::decimal(18, 2) as "refundAmount",
    result."chargedCoarse"::decimal(18, 2) as "chargedCoarse",
    result."chargedFine"::decimal(18, 2) as "chargedFine",
    result."refundedBefore"::decimal(18, 2) as "refundedBefore",
    result."certainty" as "certainty",
    result."historyFrom"::timestamp as "historyFrom"
from lake.result.refund_ceiling as result inner join chosen_run using (run_id)
