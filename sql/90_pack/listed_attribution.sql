-- view     listed_attribution
-- grain    one row per transaction of a settlement in the range
-- reads    attribution, current_transaction, enum_value, listed_settlement
-- rule     R-05: how it was placed
-- silent   orphans, and what is still open
select
    transaction_id, settlement_id, terminal_id, created, action, status,
    -- The total of a charge or refund follows from its signed amount, without a look into current_transaction.
    case action
        when 'CHARGE'::enum_value then signed_cents
        else -signed_cents
    end as total_cents, signed_cents, method
from attribution semi join listed_settlement using (settlement_id)
where action in ('CHARGE'::enum_value, 'REFUND'::enum_value)
union all
select
    attribution.transaction_id, attribution.settlement_id, attribution.terminal_id,
    attribution.created, attribution.action, attribution.status, current_transaction.total_cents,
    attribution.signed_cents, attribution.method
from
    attribution
    semi join listed_settlement using (settlement_id)
    inner join current_transaction on current_transaction.transaction_id = attribution.transaction_id
    and coalesce(
        current_transaction.action not in ('CHARGE'::enum_value, 'REFUND'::enum_value),
        true
    )
where coalesce(attribution.action not in ('CHARGE'::enum_value, 'REFUND'::enum_value), true)
