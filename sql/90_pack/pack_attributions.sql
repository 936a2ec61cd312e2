-- pack     attributions.csv
-- grain    one row per transaction of a settlement in the range
-- reads    listed_attribution
-- rule     R-05: how it was placed
-- silent   orphans, and what is still open
with
    in_order as (
        from listed_attribution
        order by settlement_id, created, transaction_id
    )
select
    getvariable('account') as "account",
    transaction_id as "transactionId",
    settlement_id as "settlementId",
    terminal_id as "terminalId",
    in_order.created as "created",
    action::varchar as "action",
    in_order.status::varchar as "status",
    (total_cents * 0.01::decimal(3, 2))::decimal(18, 2) as "amountTotal",
    (signed_cents * 0.01::decimal(3, 2))::decimal(18, 2) as "signedAmount",
    in_order.method::varchar as "method"
from in_order
