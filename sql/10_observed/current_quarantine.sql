-- model    current_quarantine
-- grain    one row per record that still can't be read
-- reads    imported_file, seen_quarantine, seen_settlement_version, seen_terminal_version, seen_transaction_version, sweep, sweep_scope
-- rule     R-20: a record that can't be read is set aside with field and reason, and loses nothing
-- silent   records that were read well by a later landing; records without an id that a later certified sweep no longer lists
with
    quarantined_version as (
        from seen_quarantine
        qualify
            row_number() over (
                partition by list, subject_id
                order by landing_seq desc, ordinal desc
            ) = 1
    ),
    subject as (
        select list, try_cast(subject_id as bigint) as id
        from quarantined_version
    ),
    readable_version as (
        select 'transactions' as list, transaction_id as id, max(landing_seq) as landing_seq
        from seen_transaction_version
        where transaction_id in (select id from subject where list = 'transactions')
        group by transaction_id
        union all
        select 'settlements', settlement_id, max(landing_seq)
        from seen_settlement_version
        where settlement_id in (select id from subject where list = 'settlements')
        group by settlement_id
        union all
        select 'terminals', terminal_id, max(landing_seq)
        from seen_terminal_version
        where terminal_id in (select id from subject where list = 'terminals')
        group by terminal_id
    ),
    -- No landing can read a record without an id. Each sweep that lists it quarantines it again, so a sweep that began later
    -- than the newest of these landings did not list it. A line of a file is in no sweep.
    absent_record as (
        select distinct record.list, record.subject_id
        from
            quarantined_version as record
            inner join sweep on sweep.list = record.list
            and sweep.started_seq >= record.landing_seq
            inner join sweep_scope on sweep_scope.sweep_id = sweep.sweep_id
        where
            try_cast(record.subject_id as bigint) is null
            and record.sweep_id not in (select sweep_id from imported_file)
            and sweep.certificate in ('SNAPSHOT', 'CONTIGUOUS')
            and coalesce(record.created > sweep.covers_from, sweep.covers_from is null)
            and coalesce(
                sweep_scope.terminal_id = record.terminal_id,
                sweep.terminal_id is null
                and (sweep_scope.terminal_id is null or record.terminal_id is null)
            )
    )
select
    quarantined_version.list, subject_type, subject_id, terminal_id, created, field, reason,
    observed_at as last_seen
from
    quarantined_version
    anti join absent_record using (list, subject_id)
    left join readable_version on readable_version.list = quarantined_version.list
    and readable_version.id = try_cast(subject_id as bigint)
where
    readable_version.landing_seq is null
    or readable_version.landing_seq <= quarantined_version.landing_seq
