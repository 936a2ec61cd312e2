-- model    current_transaction
-- grain    one row per transaction: its newest observed version
-- reads    business_span, repeated_transaction, lake.seen.transaction_version, lake.seen.presence, lake.ops.sweep
-- rule     R-01: charges count plus, refunds minus, VERIFY nothing
-- silent   versions that landed after known_at; what no later model asks for, such as texts
with
    landed as not materialized (
        select
            *,
            -- One number for the order in which versions came.
            (landing_seq::hugeint << 64) + ordinal as came
        from lake.seen.transaction_version
        where
            account = getvariable('account')
            and landing_seq <= getvariable('known_at')
    ),
    history as (
        select
            transaction_id,
            max(came) as came,
            bool_or(status = 'CAPTURE' and coalesce(approved, false)) as was_captured,
            min(greatest(created, coalesce(last_modified, observed_at))) filter(
                where status = 'VOID'
            ) as first_void_at,
            min(terminal_id) <> max(terminal_id) as is_moved
        from
            landed
            semi join repeated_transaction using (transaction_id)
        group by transaction_id
    ),
    newest as (
        select
            *,
            false as was_captured,
            null::timestamp as first_void_at,
            false as is_moved
        from
            landed
            anti join repeated_transaction using (transaction_id)
        union all
        select
            landed.*,
            history.was_captured,
            history.first_void_at,
            history.is_moved
        from
            landed
            inner join history using (transaction_id, came)
    ),
    swept as (
        select max(ended_at) as ended_at
        from lake.ops.sweep
        where
            account = getvariable('account')
            and list = 'transactions'
            and landing_seq <= getvariable('known_at')
    ),
    absent as (
        select subject_id as transaction_id
        from lake.seen.presence
        where
            account = getvariable('account')
            and list = 'transactions'
            and landing_seq <= getvariable('known_at')
        group by subject_id
        having not arg_max(present, landing_seq)
    )
select
    transaction_id,
    terminal_id,
    known_word (action) as action,
    known_word (status) as status,
    coalesce(approved, false) as approved,
    coalesce(settled, false) as settled,
    explicit_settlement_id,
    created,
    last_modified,
    coalesce(business_span.business_date, business_date(created)) as business_date,
    base_cents,
    tax_cents,
    shipping_cents,
    tip_cents,
    surcharge_cents,
    total_cents,
    case action
        when 'CHARGE' then total_cents
        when 'REFUND' then -total_cents
        else 0
    end as signed_cents,
    ach_type,
    surcharge_percentage,
    invoice_number,
    known_word (vault_type) as vault_type,
    coarse_card (vault_type, account_type, last_four) as coarse_key,
    fine_card (vault_type, account_type, last_four, billing_key) as fine_key,
    case
        when absent.transaction_id is null then greatest(
            observed_at,
            coalesce((select ended_at from swept), observed_at)
        )
        else observed_at
    end as last_observed_at,
    case
        when was_captured and status = 'VOID' and not coalesce(settled, false) then first_void_at
    end as voided_at,
    -- Seen on one terminal, and then on another.
    coalesce(is_moved, false) as is_moved
from
    newest
    inner join business_span on business_span.span = epoch_us(created) >> 32
    left join absent using (transaction_id)
