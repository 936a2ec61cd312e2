-- pack     attributions.csv
-- grain    one row per transaction of a settlement in the range
-- reads    attribution, quiet_attribution, tieout, current_transaction
-- rule     R-05: how it was placed
-- silent   orphans, and what is still open
with
    shown as (
        select settlement_id
        from tieout
        where in_range
    ),
    listed as (
        select
            attribution.transaction_id,
            attribution.settlement_id,
            current_transaction.terminal_id,
            current_transaction.created,
            current_transaction.action::varchar as action,
            current_transaction.status::varchar as status,
            current_transaction.total_cents,
            current_transaction.signed_cents,
            attribution.method::varchar as method
        from
            attribution
            inner join shown using (settlement_id)
            inner join current_transaction using (transaction_id)
        union all
        select
            transaction_id,
            settlement_id,
            quiet_attribution.terminal_id,
            created,
            action,
            status,
            total_cents,
            signed_cents,
            method
        from
            quiet_attribution
            inner join shown using (settlement_id)
    ),
    in_order as (
        from listed
        order by settlement_id, created, transaction_id
    )
select
    getvariable('account') as "account",
    transaction_id as "transactionId",
    settlement_id as "settlementId",
    terminal_id as "terminalId",
    in_order.created as "created",
    action as "action",
    in_order.status as "status",
    (total_cents * 0.01::decimal(3, 2))::decimal(18, 2) as "amountTotal",
    (signed_cents * 0.01::decimal(3, 2))::decimal(18, 2) as "signedAmount",
    in_order.method as "method"
from in_order
