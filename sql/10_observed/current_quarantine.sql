-- model    current_quarantine
-- grain    one row per record that still can't be read
-- reads    seen_quarantine, seen_settlement_version, seen_terminal_version, seen_transaction_version
-- rule     R-20: a record that can't be read is set aside with field and reason, and loses nothing
-- silent   records that were read well by a later landing
with
    quarantined_version as (
        select
            *,
            row_number() over (
                partition by list, subject_id
                order by landing_seq desc, ordinal desc
            ) as age,
            min(observed_at) over (partition by list, subject_id) as first_seen
        from seen_quarantine
        where account = getvariable('account') and landing_seq <= getvariable('known_at')
    ),
    subject as (
        select list, try_cast(subject_id as bigint) as id
        from quarantined_version
        where age = 1
    ),
    readable_version as (
        select 'transactions' as list, transaction_id as id, max(landing_seq) as landing_seq
        from seen_transaction_version
        where
            account = getvariable('account')
            and landing_seq <= getvariable('known_at')
            and transaction_id in (select id from subject where list = 'transactions')
        group by transaction_id
        union all
        select 'settlements', settlement_id, max(landing_seq)
        from seen_settlement_version
        where
            account = getvariable('account')
            and landing_seq <= getvariable('known_at')
            and settlement_id in (select id from subject where list = 'settlements')
        group by settlement_id
        union all
        select 'terminals', terminal_id, max(landing_seq)
        from seen_terminal_version
        where
            account = getvariable('account')
            and landing_seq <= getvariable('known_at')
            and terminal_id in (select id from subject where list = 'terminals')
        group by terminal_id
    )
select
    quarantined_version.list, subject_type, subject_id, terminal_id, created, field, reason,
    excerpt, first_seen, observed_at as last_seen
from
    quarantined_version
    left join readable_version on readable_version.list = quarantined_version.list
    and readable_version.id = try_cast(subject_id as bigint)
where
    age = 1
    and (
        readable_version.landing_seq is null
        or readable_version.landing_seq < quarantined_version.landing_seq
    )
