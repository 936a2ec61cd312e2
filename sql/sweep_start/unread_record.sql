-- model    unread_record
-- grain    one row per quarantined transaction that no later sweep has read well
-- reads    certified_transaction_sweep, newest_transaction, ops_landing, seen_quarantine
-- rule     R-20: a record that other schemas refused is checked again
-- silent   nothing
with
    quarantined as (
        select try_cast(subject_id as bigint) as id, created, landing_seq, schema_version
        from seen_quarantine
        where
            list = 'transactions'
            and (
                getvariable('terminal_id') is null
                or coalesce(terminal_id, getvariable('terminal_id')) = getvariable('terminal_id')
            )
        qualify
            row_number() over (partition by subject_id order by landing_seq desc, ordinal desc) = 1
    ),
    sweep_by_these_schemas as (
        select covers_from, landing_seq
        from certified_transaction_sweep inner join ops_landing using (sweep_id, landing_seq)
        where (state ->> '$.schemaVersion')::integer = getvariable('schema_version')
    )
select
    created,
    schema_version is distinct from getvariable('schema_version')
    and not exists (
        from sweep_by_these_schemas as sweep
        where
            sweep.landing_seq > quarantined.landing_seq
            and (covers_from is null or covers_from < quarantined.created)
    ) as is_to_judge
from quarantined
where
    not exists (
        from newest_transaction
        where
            newest_transaction.transaction_id = quarantined.id
            and newest_transaction.landing_seq > quarantined.landing_seq
    )
