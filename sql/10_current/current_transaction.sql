-- model    current_transaction
-- grain    one row per transaction: its newest observed version
-- reads    lake.seen.transaction_version, lake.seen.presence, lake.ops.sweep
-- rule     R-01: charges count plus, refunds minus, VERIFY nothing
-- silent   versions that landed after known_at
with
    landed as (
        select *
        from lake.seen.transaction_version
        where
            account = getvariable('account')
            and landing_seq <= getvariable('known_at')
    ),
    -- Nearly all were seen in one version only: no window has to be opened for those.
    several as (
        select transaction_id
        from landed
        group by transaction_id
        having count(*) > 1
    ),
    known as (
        select
            *,
            true as is_newest,
            observed_at as first_observed_at,
            false as was_captured,
            null::timestamp as first_void_at
        from landed
        where transaction_id not in (select transaction_id from several)
        union all
        select
            *,
            row_number() over newest = 1 as is_newest,
            min(observed_at) over (partition by transaction_id) as first_observed_at,
            bool_or(status = 'CAPTURE' and coalesce(approved, false)) over (
                partition by transaction_id
            ) as was_captured,
            min(
                case
                    when status = 'VOID' then greatest(created, coalesce(last_modified, observed_at))
                end
            ) over (partition by transaction_id) as first_void_at
        from landed
        where transaction_id in (select transaction_id from several)
        window
            newest as (
                partition by transaction_id
                order by landing_seq desc, ordinal desc
            )
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
    ),
    keyed as (
        select
            *,
            case
                when vault_type = 'CARD' then concat_ws('|', vault_type, coalesce(account_type, ''), coalesce(last_four, ''))
            end as coarse_key
        from known
        where is_newest
    )
select
    transaction_id,
    terminal_id,
    action,
    status,
    coalesce(approved, false) as approved,
    coalesce(settled, false) as settled,
    explicit_settlement_id,
    created,
    last_modified,
    business_date(created) as business_date,
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
    method,
    surcharge_percentage,
    invoice_number,
    purchase_order_number,
    vault_type,
    account_type,
    last_four,
    coarse_key,
    coarse_key || coalesce('|' || billing_key::varchar, '') as fine_key,
    first_observed_at,
    case
        when absent.transaction_id is null then greatest(observed_at, coalesce(swept.ended_at, observed_at))
        else observed_at
    end as last_observed_at,
    case
        when was_captured and status = 'VOID' and not coalesce(settled, false) then first_void_at
    end as voided_at
from
    keyed
    cross join swept
    left join absent using (transaction_id)
