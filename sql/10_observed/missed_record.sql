-- model    missed_record
-- grain    one row per settlement or transaction that a whole certified sweep was the first to see, though an earlier certified sweep covers it
-- reads    seen_quarantine, seen_settlement_version, seen_transaction_version, sweep_scope
-- rule     R-56: covered is what was created after the sweep's first record and two minutes before its start
-- silent   what was listed before but could not be read; what sweeps of a part of the list see first
with
    certified as (
        select
            sweep_id,
            list,
            terminal_id,
            covers_from,
            started_at,
            landing_seq,
            coalesce(
                min(started_at) over (
                    order by landing_seq rows between 1 following and unbounded following
                ) < started_at,
                false
            ) as is_ahead
        from sweep_scope
        where certificate in ('SNAPSHOT', 'CONTIGUOUS')
    ),
    -- An audit is whole, and there was a certified sweep before it; most records are older than none of these.
    audit as (
        select
            audit.sweep_id,
            audit.list,
            max(earlier.started_at) as last_start_at
        from
            certified as audit
            inner join certified as earlier on earlier.list = audit.list
            and earlier.landing_seq < audit.landing_seq
        where
            audit.covers_from is null
            and audit.terminal_id is null
        group by audit.sweep_id, audit.list
    ),
    landed as (
        select
            'settlements' as list,
            sweep_id,
            settlement_id as subject_id,
            terminal_id,
            created,
            net_cents as amount_cents,
            observed_at,
            landing_seq
        from
            seen_settlement_version
            inner join audit using (sweep_id)
        where
            account = getvariable('account')
            and landing_seq <= getvariable('known_at')
            and audit.list = 'settlements'
            and created <= last_start_at - clock_skew ()
        union all
        select
            'transactions',
            sweep_id,
            transaction_id,
            terminal_id,
            created,
            case action
                when 'CHARGE' then total_cents
                when 'REFUND' then -total_cents
                else 0
            end,
            observed_at,
            landing_seq
        from
            seen_transaction_version
            inner join audit using (sweep_id)
        where
            account = getvariable('account')
            and landing_seq <= getvariable('known_at')
            and audit.list = 'transactions'
            and created <= last_start_at - clock_skew ()
    ),
    sighting as (
        select
            'settlements' as list,
            settlement_id as subject_id,
            landing_seq
        from seen_settlement_version
        where
            account = getvariable('account')
            and settlement_id in (select subject_id from landed where list = 'settlements')
        union all
        select
            'transactions',
            transaction_id,
            landing_seq
        from seen_transaction_version
        where
            account = getvariable('account')
            and transaction_id in (select subject_id from landed where list = 'transactions')
        union all
        select
            list,
            try_cast(subject_id as bigint),
            landing_seq
        from seen_quarantine
        where
            account = getvariable('account')
            and try_cast(subject_id as bigint) in (select subject_id from landed)
    ),
    -- Where a later sweep began at an earlier instant, the clock ran ahead: such a sweep covers what is older than a record known by its end.
    reached as (
        select
            'settlements' as list,
            landing_seq,
            max(created) as created
        from seen_settlement_version
        where
            account = getvariable('account')
            and created >= (select min(created) from landed where list = 'settlements')
        group by landing_seq
        union all
        select
            'transactions',
            landing_seq,
            max(created)
        from seen_transaction_version
        where
            account = getvariable('account')
            and created >= (select min(created) from landed where list = 'transactions')
        group by landing_seq
    ),
    reach as (
        select
            certified.sweep_id,
            certified.terminal_id,
            max(reached.created) as created
        from
            (from certified where is_ahead) as certified
            inner join reached on reached.list = certified.list
            and reached.landing_seq <= certified.landing_seq
        group by certified.sweep_id, certified.terminal_id
    ),
    first_sighting as (
        select
            list,
            subject_id,
            min(landing_seq) as landing_seq
        from sighting
        group by list, subject_id
    )
select
    landed.list,
    landed.subject_id,
    landed.terminal_id,
    landed.created,
    landed.amount_cents,
    landed.observed_at,
    min(certified.started_at) as missed_at,
    count(*) as sweep_count
from
    landed
    inner join first_sighting using (list, subject_id, landing_seq)
    inner join certified on certified.list = landed.list
    and certified.landing_seq < landed.landing_seq
    and certified.started_at - clock_skew () >= landed.created
    and landed.created > coalesce(certified.covers_from, landed.created - interval 1 second)
    and landed.terminal_id = coalesce(certified.terminal_id, landed.terminal_id)
    left join reach on reach.sweep_id = certified.sweep_id
    and reach.terminal_id is not distinct from certified.terminal_id
where
    not certified.is_ahead
    or coalesce(reach.created > landed.created, false)
group by
    landed.list,
    landed.subject_id,
    landed.terminal_id,
    landed.created,
    landed.amount_cents,
    landed.observed_at
