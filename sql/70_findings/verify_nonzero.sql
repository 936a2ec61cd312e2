-- finding  VERIFY_NONZERO
-- grain    one row per VERIFY with an amount
-- reads    current_transaction, enum_value
-- rule     R-49: a VERIFY moves no money
-- silent   VERIFY of no amount
select
    'transaction' as subject_type,
    transaction_id::varchar as subject_id,
    terminal_id, total_cents as amount_cents,
    'VERIFY with ' || concat_ws(
        ', ',
        case when total_cents <> 0 then 'amountTotal ' || money(total_cents) end,
        case when base_cents <> 0 then 'amountBase ' || money(base_cents) end,
        case when tax_cents <> 0 then 'amountTax ' || money(tax_cents) end,
        case when shipping_cents <> 0 then 'amountShipping ' || money(shipping_cents) end,
        case when tip_cents <> 0 then 'amountTip ' || money(tip_cents) end,
        case when surcharge_cents <> 0 then 'amountSurcharge ' || money(surcharge_cents) end
    ) as detail,
    created as subject_created
from current_transaction
where
    action = 'VERIFY'::enum_value
    and (
        total_cents <> 0
        or greatest(
            abs(base_cents),
            abs(tax_cents),
            abs(shipping_cents),
            abs(tip_cents),
            abs(surcharge_cents)
        ) > 0
    )
