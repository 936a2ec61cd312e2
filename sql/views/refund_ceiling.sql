-- view     refund_ceiling
-- of       results
-- grain    one row per refund of a run's range that is at risk: refund_ceiling.csv
-- silent   refunds that are covered
select
    chosen_run.account as "account", -- name: short name of the account
    result.run_id as "runId", -- name: run that found it
    result."transactionId"::bigint as "transactionId", -- id: the refund
    result."terminalId"::bigint as "terminalId", -- id: terminal of the refund
    result."created"::timestamp as "created", -- instant: when the refund was created
    result."cardKey" as "cardKey", -- hash: short keyed hash that stands for the card (R-17)
    result."refundAmount"::decimal(18, 2) as "refundAmount", -- money: the refund, positive
    result."chargedCoarse"::decimal(18, 2) as "chargedCoarse", -- money: charges of the coarse key in the 12 months before
    result."chargedFine"::decimal(18, 2) as "chargedFine", -- money: charges of the fine key in the 12 months before
    result."refundedBefore"::decimal(18, 2) as "refundedBefore", -- money: refunds of the fine key in the window before this one
    result."certainty" as "certainty", -- word: CERTAIN, SUSPECTED or INSUFFICIENT_HISTORY (R-18)
    result."historyFrom"::timestamp as "historyFrom" -- instant: earliest instant that certified sweeps cover
from lake.result.refund_ceiling as result inner join chosen_run using (run_id)
