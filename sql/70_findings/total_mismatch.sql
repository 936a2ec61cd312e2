-- finding  TOTAL_MISMATCH
-- grain    one row per transaction whose total is not the sum of its parts
-- reads    current_transaction
-- rule     R-16: base + tax + shipping + tip + surcharge; an absent part counts as zero
-- silent   nothing
with
    part_sum as (
        select
            transaction_id, terminal_id, created, total_cents,
            coalesce(base_cents, 0) + coalesce(tax_cents, 0) + coalesce(shipping_cents, 0) + coalesce(tip_cents, 0) + coalesce(surcharge_cents, 0) as parts_cents
        from current_transaction
    )
select
    'transaction' as subject_type,
    transaction_id::varchar as subject_id,
    terminal_id,
    total_cents - parts_cents as amount_cents,
    'total ' || money(total_cents) || ', parts ' || money(parts_cents) as detail,
    created as subject_created
from part_sum
where total_cents <> parts_cents
