-- model    day_entry
-- grain    one row per terminal, day and kind of entry (charges, refunds, voids), with the sum for each account, debits plus and credits minus
-- reads    current_transaction, transaction_standing
-- rule     R-23: charges and refunds by terminal and business date; R-25: voids reverse on the day of the void
-- silent   transactions that add nothing to a settlement: VERIFY, HOLD and declined ones
with
    -- Groups the transactions of a terminal and day that post to the same accounts. Entries are made of these few rows.
    item as (
        select
            current_transaction.action = 'CHARGE' as is_charge,
            coalesce(standing = 'VOIDED', false) as is_voided,
            current_transaction.terminal_id, current_transaction.business_date, voided_date,
            count(*) as item_count,
            sum(current_transaction.signed_cents)::bigint as clearing_cents,
            coalesce(sum(base_cents), 0)::bigint as base_cents,
            coalesce(sum(tax_cents), 0)::bigint as tax_cents,
            coalesce(sum(shipping_cents), 0)::bigint as shipping_cents,
            coalesce(sum(tip_cents), 0)::bigint as tip_cents,
            coalesce(sum(surcharge_cents), 0)::bigint as surcharge_cents
        from
            current_transaction
            left join transaction_standing using (transaction_id)
            -- A transaction without a standing of its own is in a COMPLETE settlement.
        where coalesce(standing <> 'NONE', true)
        group by all
    ),
    signed_item as (
        select
            *,
            case when is_charge then -1 else 1 end as part_sign
        from item
    ),
    booking as (
        select
            case when is_charge then 'charges' else 'refunds' end as source,
            terminal_id, business_date as entry_date, is_charge, item_count, clearing_cents,
            part_sign * base_cents as base_cents,
            part_sign * tax_cents as tax_cents,
            part_sign * shipping_cents as shipping_cents,
            part_sign * tip_cents as tip_cents,
            part_sign * surcharge_cents as surcharge_cents
        from signed_item
        union all
        select
            'voids',
            terminal_id, voided_date, is_charge, item_count,
            - clearing_cents,
            - part_sign * base_cents,
            - part_sign * tax_cents,
            - part_sign * shipping_cents,
            - part_sign * tip_cents,
            - part_sign * surcharge_cents
        from signed_item
        where is_voided
    )
select
    source, terminal_id, entry_date,
    -- The files describe an entry only if its date is in the range.
    entry_date >= getvariable('from_date')
    and entry_date < getvariable('to_date') as is_listed,
    sum(item_count)::bigint as item_count,
    sum(clearing_cents)::bigint as clearing_cents,
    coalesce(sum(base_cents) filter(where is_charge), 0)::bigint as sales_cents,
    coalesce(sum(base_cents) filter(where not is_charge), 0)::bigint as refunds_cents,
    sum(tax_cents)::bigint as tax_cents,
    sum(shipping_cents)::bigint as shipping_cents,
    sum(tip_cents)::bigint as tips_cents,
    sum(surcharge_cents)::bigint as surcharge_cents,
    - sum(
        clearing_cents + base_cents + tax_cents + shipping_cents + tip_cents + surcharge_cents
    )::bigint as unallocated_cents
from booking
group by source, terminal_id, entry_date
