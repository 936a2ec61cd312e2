-- model    posting
-- grain    one row per entry and account, debits plus and credits minus: all entries up to as_of, whatever the range
-- reads    cleared_variance, current_transaction, tieout, transaction_standing
-- rule     R-23: charges and refunds by terminal and business date; R-24: settlements; R-25: voids reverse on the day of the void; R-40: resolved variances
-- silent   PENDING settlements and settlements made after as_of, which post nothing; amounts of zero; memos of entries outside the range
with
    -- Of each terminal and day what has the same sides; entries are made of these few rows.
    item as (
        select
            current_transaction.action = 'CHARGE' as is_charge,
            coalesce(place = 'VOIDED', false) as is_voided,
            current_transaction.terminal_id,
            current_transaction.business_date,
            voided_date,
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
            -- What has no place of its own stands in a COMPLETE settlement.
        where coalesce(place <> 'NONE', true)
        group by all
    ),
    signed_item as (
        select
            *,
            case
                when is_charge then -1
                else 1
            end as part_sign
        from item
    ),
    booked as (
        select
            case
                when is_charge then 'charges'
                else 'refunds'
            end as source,
            terminal_id,
            business_date as entry_date,
            is_charge,
            item_count,
            clearing_cents,
            part_sign * base_cents as base_cents,
            part_sign * tax_cents as tax_cents,
            part_sign * shipping_cents as shipping_cents,
            part_sign * tip_cents as tip_cents,
            part_sign * surcharge_cents as surcharge_cents
        from signed_item
        union all
        select
            'voids',
            terminal_id,
            voided_date,
            is_charge,
            item_count,
            - clearing_cents,
            - part_sign * base_cents,
            - part_sign * tax_cents,
            - part_sign * shipping_cents,
            - part_sign * tip_cents,
            - part_sign * surcharge_cents
        from signed_item
        where is_voided
    ),
    day_entry as (
        select
            source,
            terminal_id,
            entry_date,
            -- Only in the range files show what an entry is about.
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
        from booked
        group by source, terminal_id, entry_date
    ),
    settlement_entry as (
        select
            settlement_id,
            terminal_id,
            business_date as entry_date,
            business_date >= getvariable('from_date')
            and business_date < getvariable('to_date') as is_listed,
            verdict,
            reported_cents,
            case
                when verdict = 'NO_DATA' then 0
                else computed_cents
            end as relieved_cents
        from tieout
        where
            status = 'COMPLETE'
            and created <= getvariable('as_of')
    ),
    line as (
        select
            upper(left(source, 1)) || '-' || terminal_id::varchar || '-' || strftime(entry_date, '%Y%m%d') as entry_id,
            source,
            entry_date,
            terminal_id,
            null::bigint as settlement_id,
            case
                when is_listed then upper(left(source, 1)) || substr(source, 2) || ' of terminal ' || terminal_id::varchar || ': ' || item_count::varchar
            end as memo,
            unnest(
                [
                    'clearing',
                    'sales',
                    'refunds',
                    'tax',
                    'shipping',
                    'tips',
                    'surcharge',
                    'unallocated'
                ]
            ) as account_key,
            unnest(
                [
                    clearing_cents,
                    sales_cents,
                    refunds_cents,
                    tax_cents,
                    shipping_cents,
                    tips_cents,
                    surcharge_cents,
                    unallocated_cents
                ]
            ) as amount_cents
        from day_entry
        union all
        select
            'S-' || settlement_id::varchar,
            'settlement',
            entry_date,
            terminal_id,
            settlement_id,
            case
                when is_listed then 'Settlement ' || settlement_id::varchar || case
                    when verdict = 'NO_DATA' then ', its transactions are not known'
                    when reported_cents <> relieved_cents then ', computed ' || money(relieved_cents) || ', reported ' || money(reported_cents)
                    else ''
                end
            end,
            unnest(['cash_in_transit', 'clearing', 'suspense']),
            unnest([reported_cents, -relieved_cents, relieved_cents - reported_cents])
        from settlement_entry
        union all
        select
            'RES-' || settlement_id::varchar,
            'resolution',
            entry_date,
            terminal_id,
            settlement_id,
            'Variance of settlement ' || settlement_id::varchar || ', act ' || audit_seq::varchar || ' of the audit trail',
            unnest([account_key, 'suspense']),
            unnest([amount_cents, -amount_cents])
        from cleared_variance
    )
select
    entry_id,
    entry_date,
    account_key,
    amount_cents,
    memo,
    settlement_id,
    terminal_id,
    source
from line
where amount_cents <> 0
