-- finding  AMOUNT_OVER_LIMIT
-- grain    one row per transaction with an amount above the limit of the service
-- reads    current_transaction
-- rule     R-50: any amount field above 1,000,000.00
-- silent   the limit exactly
select
    'transaction' as subject_type,
    transaction_id::varchar as subject_id,
    terminal_id, total_cents as amount_cents,
    'an amount of ' || money(
        greatest(total_cents, base_cents, tax_cents, shipping_cents, tip_cents, surcharge_cents)
    ) as detail,
    created as subject_created
from current_transaction
where
    greatest(total_cents, base_cents, tax_cents, shipping_cents, tip_cents, surcharge_cents) > 100000000
