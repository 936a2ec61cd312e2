-- model    flag_observation
-- grain    one row per settled transaction, with the landings between which it turned settled, and their instants for people and files
-- reads    imported_file, multi_version_transaction, seen_transaction_version, sweep, sweep_scope
-- rule     R-05: what was seen unsettled, then settled, belongs to a settlement of the time between
-- silent   spans longer than eight days, which say little: history that was read in one pass; what was settled before, and then not
-- size     transactions, wide
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
            lag(landing_seq) over (seen) as seen_before_seq,
            lag(sweep_id) over (seen) as seen_before_sweep_id,
            max(
                case
                    when not coalesce(settled, false)
                    and (status <> 'CAPTURE' or not coalesce(approved, false)) then observed_at
                end
            ) over (seen) as held_at,
            lead(landing_seq) over (seen) is null as is_newest,
            count(*) filter(where not coalesce(settled, false)) over (seen) as times_unsettled
        from seen_transaction_version
        where
            account = getvariable('account')
            and landing_seq <= getvariable('known_at')
            and explicit_settlement_id is null
            and transaction_id in (select transaction_id from multi_version_transaction)
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
    turning as (
        select
            *,
            count(*) over (partition by transaction_id) as turns
        from known
        where
            settled
            and coalesce(not was_settled, true)
    ),
    -- A flag that went off again tells of two settlements: arithmetic decides between them.
    turned as (
        select *
        from turning
        where
            turns = 1
            and transaction_id in (select transaction_id from settled_now)
            and greatest(created, coalesce(seen_before_at, created)) > observed_at - interval 8 days
    ),
    -- A sweep in between that found nothing new found it unsettled still.
    confirmed as (
        select
            turned.transaction_id,
            max(sweep.started_at) as confirmed_at,
            max(sweep.started_seq) as confirmed_seq
        from
            turned
            inner join sweep_scope as sweep on sweep.list = 'transactions'
            and sweep.certificate in ('SNAPSHOT', 'CONTIGUOUS')
            and sweep.landing_seq < turned.landing_seq
            and sweep.sweep_id <> turned.sweep_id
            and sweep.started_seq >= turned.seen_before_seq
            and coalesce(sweep.covers_from <= turned.created, true)
            and coalesce(sweep.terminal_id = turned.terminal_id, true)
        where turned.times_unsettled > 0
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
            -- It was unsettled after this landing, before which the sweep began that saw it so.
            coalesce(greatest(seen_before.started_seq, confirmed.confirmed_seq), -1) as unsettled_seq,
            turned.landing_seq as settled_seq,
            turned.sweep_id,
            turned.seen_before_sweep_id,
            -- The last time at which it was seen, but was no approved capture yet.
            turned.held_at
        from
            turned
            left join confirmed using (transaction_id)
            left join sweep as seen_before on seen_before.sweep_id = turned.seen_before_sweep_id
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
            -1,
            landing_seq,
            sweep_id,
            null,
            null
        from
            seen_transaction_version
            anti join multi_version_transaction using (transaction_id)
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
    unsettled_seq,
    settled_seq,
    -- A file is an observation of an earlier time than that of its landing.
    sweep_id in (select sweep_id from imported_file)
    or coalesce(seen_before_sweep_id in (select sweep_id from imported_file), false) as is_imported,
    held_at
from told
