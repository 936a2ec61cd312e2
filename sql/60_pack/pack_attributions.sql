-- pack     attributions.csv
-- grain    one row per transaction of a settlement in the range
-- reads    attribution, tieout, current_transaction
-- rule     R-05: how it was placed; R-32: text in files
-- silent   orphans, and what is still open
select
    getvariable('account') as "account",
    attribution.transaction_id::varchar as "transactionId",
    attribution.settlement_id::varchar as "settlementId",
    tieout.terminal_id::varchar as "terminalId",
    instant(current_transaction.created) as "created",
    current_transaction.action::varchar as "action",
    current_transaction.status::varchar as "status",
    money(current_transaction.total_cents) as "amountTotal",
    money(current_transaction.signed_cents) as "signedAmount",
    attribution.method::varchar as "method"
from
    attribution
    inner join tieout using (settlement_id)
    inner join current_transaction using (transaction_id)
where in_range
order by attribution.settlement_id, current_transaction.created, attribution.transaction_id
