-- model    flip
-- grain    one row per settled transaction, with the span of time in which it turned settled
-- reads    repeated_transaction, sweep_scope, lake.seen.transaction_version
-- rule     R-05: what was seen unsettled, then settled, belongs to a settlement of the time between
-- silent   spans longer than eight days, which say little: history that was read in one pass
with
    known as (
        select
            transaction_id,
            terminal_id,
            action,
            total_cents,
            created,
            coalesce(settled, false) as settled,
            observed_at,
            landing_seq,
            sweep_id,
            lag(coalesce(settled, false)) over (seen) as was_settled,
            lag(observed_at) over (seen) as seen_before_at,
            max(
                case
                    when not coalesce(settled, false)
                    and (status <> 'CAPTURE' or not coalesce(approved, false)) then observed_at
                end
            ) over (seen) as held_at,
            lead(landing_seq) over (seen) is null as is_newest,
            count(*) filter(where not coalesce(settled, false)) over (seen) as times_unsettled
        from lake.seen.transaction_version
        where
            account = getvariable('account')
            and landing_seq <= getvariable('known_at')
            and explicit_settlement_id is null
            and transaction_id in (select transaction_id from repeated_transaction)
        window
            seen as (
                partition by transaction_id
                order by landing_seq, ordinal
            )
    ),
    settled_now as (
        select transaction_id
        from known
        where
            is_newest
            and settled
    ),
    turned as (
        select
            *,
            row_number() over (partition by transaction_id order by landing_seq desc) as turn
        from known
        where
            settled
            and coalesce(not was_settled, true)
            and transaction_id in (select transaction_id from settled_now)
            and greatest(created, coalesce(seen_before_at, created)) > observed_at - interval 8 days
    ),
    -- A sweep in between that found nothing new found it unsettled still.
    confirmed as (
        select
            turned.transaction_id,
            max(sweep.started_at) as confirmed_at
        from
            turned
            inner join sweep_scope as sweep on sweep.list = 'transactions'
            and sweep.certificate in ('SNAPSHOT', 'CONTIGUOUS')
            and sweep.landing_seq < turned.landing_seq
            and sweep.sweep_id <> turned.sweep_id
            and sweep.started_at > turned.seen_before_at
            and coalesce(sweep.covers_from <= turned.created, true)
            and coalesce(sweep.terminal_id = turned.terminal_id, true)
        where
            turned.times_unsettled > 0
            and turned.turn = 1
        group by turned.transaction_id
    ),
    told as (
        select
            turned.transaction_id,
            turned.terminal_id,
            turned.action,
            turned.total_cents,
            turned.created,
            greatest(turned.created, turned.seen_before_at, confirmed.confirmed_at) as unsettled_at,
            turned.observed_at as settled_at,
            -- The last time at which it was seen, but was no approved capture yet.
            turned.held_at
        from
            turned
            left join confirmed using (transaction_id)
        where turned.turn = 1
        union all
        -- What was seen once, and young, turned since it was created.
        select
            transaction_id,
            terminal_id,
            action,
            total_cents,
            created,
            created,
            observed_at,
            null
        from
            lake.seen.transaction_version
            anti join repeated_transaction using (transaction_id)
        where
            account = getvariable('account')
            and landing_seq <= getvariable('known_at')
            and explicit_settlement_id is null
            and settled
            -- As a number, which is compared faster than a time.
            and epoch_us(observed_at) - epoch_us(created) < 8 * 86400000000
    )
select
    transaction_id,
    terminal_id,
    case action
        when 'CHARGE' then total_cents
        when 'REFUND' then -total_cents
        else 0
    end as signed_cents,
    created,
    unsettled_at,
    settled_at,
    held_at
from told
