-- model    current_transaction
-- grain    one row per transaction: its newest observed version
-- reads    business_calendar, enum_value, seen_transaction_version, transaction_history
-- rule     R-01: charges count plus, refunds minus, VERIFY nothing; R-64: lastModified is that of the first version seen settled
-- silent   versions that landed after known_at; columns that no later model reads, such as texts; later sweeps that listed the transaction
-- size     transactions, wide
with
    newest_version as (
        select *
        from seen_transaction_version anti join transaction_history using (transaction_id)
        union all
        select version.* replace(coalesce(settled_modified, last_modified) as last_modified)
        from
            seen_transaction_version as version
            inner join transaction_history using (transaction_id, landing_seq, ordinal)
    )
select
    transaction_id, terminal_id,
    as_enum_value (action) as action,
    as_enum_value (status) as status,
    coalesce(approved, false) as approved,
    coalesce(settled, false) as settled,
    explicit_settlement_id, created, last_modified,
    -- Hours in which the zone's offsets don't agree on the date, and years far away, are looked up one by one.
    case
        when created >= known_from
        and created <= known_until
        and make_timestamp(epoch_us(created) + least_offset_us)::date = make_timestamp(epoch_us(created) + greatest_offset_us)::date then make_timestamp(epoch_us(created) + least_offset_us)::date
        else business_date(created)
    end as business_date, base_cents, tax_cents, shipping_cents, tip_cents, surcharge_cents,
    total_cents,
    signed_amount (action, total_cents) as signed_cents,
    ach_type, surcharge_percentage, invoice_number,
    as_enum_value (vault_type) as vault_type,
    coarse_card (vault_type, account_type, last_four) as coarse_key,
    fine_card (vault_type, account_type, last_four, billing_key) as fine_key,
    observed_at
from newest_version cross join business_calendar
