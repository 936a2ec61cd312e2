-- model    posting
-- grain    one row per entry and account, debits plus and credits minus: all entries up to as_of, whatever the range
-- reads    cleared_variance, day_entry, entry_decision, tieout
-- rule     R-23: charges and refunds by terminal and business date; R-24: settlements; R-25: voids reverse on the day of the void; R-40: resolved variances; R-72: memos
-- silent   PENDING settlements and settlements made after as_of, which post nothing; amounts of zero outside the clearing account; memos of entries outside the range
with
    settlement_entry as (
        select
            settlement_id, terminal_id, business_date as entry_date,
            business_date >= getvariable('from_date')
            and business_date < getvariable('to_date') as is_listed,
            verdict, reported_cents,
            case when verdict = 'NO_DATA' then 0 else computed_cents end as relieved_cents,
            entry_decision.decided
        from
            tieout
            left join entry_decision on entry_decision.entry_id = 'S-' || settlement_id::varchar
        where status = 'COMPLETE' and created <= getvariable('as_of')
    ),
    line as (
        select
            upper(left(source, 1)) || '-' || terminal_id::varchar || '-' || strftime(entry_date, '%Y%m%d') as entry_id,
            source, entry_date, terminal_id,
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
                    clearing_cents, sales_cents, refunds_cents, tax_cents, shipping_cents,
                    tips_cents, surcharge_cents, unallocated_cents
                ]
            ) as amount_cents
        from day_entry
        union all
        select
            'S-' || settlement_id::varchar,
            'settlement',
            entry_date, terminal_id, settlement_id,
            case
                when is_listed then 'Settlement ' || settlement_id::varchar || case
                    when verdict = 'NO_DATA' then ', its transactions are not known'
                    when reported_cents <> relieved_cents then ', computed ' || money(relieved_cents) || ', reported ' || money(reported_cents)
                    else ''
                end || coalesce(', ' || decided, '')
            end,
            unnest(['cash_in_transit', 'clearing', 'suspense']),
            unnest([reported_cents, -relieved_cents, relieved_cents - reported_cents])
        from settlement_entry
        union all
        select
            'RES-' || settlement_id::varchar,
            'resolution',
            entry_date, terminal_id, settlement_id,
            'Variance of settlement ' || settlement_id::varchar || coalesce(', ' || decided, ''),
            unnest([account_key, 'suspense']),
            unnest([amount_cents, -amount_cents])
        from
            cleared_variance
            left join entry_decision on entry_decision.entry_id = 'RES-' || settlement_id::varchar
    )
select entry_id, entry_date, account_key, amount_cents, memo, settlement_id, terminal_id, source
from line
where
    amount_cents <> 0
    -- An entry that is zero still shows its day.
    or account_key = 'clearing'
