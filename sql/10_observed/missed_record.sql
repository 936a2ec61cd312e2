-- model    missed_record
-- grain    one row per settlement or transaction that a whole certified sweep was the first to see, though an earlier certified sweep covers it
-- reads    audited_record, certified_sweep, first_sighting, seen_settlement_version, seen_transaction_version
-- rule     R-56: a sweep covers the records created after its first record and two minutes before its start
-- silent   records that were listed before but could not be read; records that a sweep of a part of the list saw first
with
    -- If a later sweep began at an earlier instant, the clock of this sweep ran ahead. Its start then proves nothing. Such a
    -- sweep covers only records older than the newest record that was known at its end.
    newest_created as (
        select 'settlements' as list, landing_seq, max(created) as created
        from seen_settlement_version
        where created >= (select min(created) from audited_record where list = 'settlements')
        group by landing_seq
        union all
        select 'transactions', landing_seq, max(created)
        from seen_transaction_version
        where created >= (select min(created) from audited_record where list = 'transactions')
        group by landing_seq
    ),
    ahead_coverage as (
        select certified.sweep_id, certified.terminal_id, max(newest_created.created) as created
        from
            (from certified_sweep where is_ahead) as certified
            inner join newest_created on newest_created.list = certified.list
            and newest_created.landing_seq <= certified.landing_seq
        group by certified.sweep_id, certified.terminal_id
    ),
    -- A landing may have several versions of a record. The last one counts.
    first_version as (
        from audited_record semi join first_sighting using (list, subject_id, landing_seq)
        qualify row_number() over (partition by list, subject_id order by ordinal desc) = 1
    )
select
    first_version.list, first_version.subject_id, first_version.terminal_id, first_version.created,
    first_version.amount_cents, first_version.observed_at, first_version.landing_seq,
    min(certified.started_at) as missed_at,
    count(distinct certified.sweep_id) as sweep_count
from
    first_version
    inner join certified_sweep as certified on certified.list = first_version.list
    and certified.landing_seq < first_version.landing_seq
    and certified.started_at - clock_skew () >= first_version.created
    and first_version.created > coalesce(certified.covers_from, first_version.created - interval 1 second)
    and first_version.terminal_id = coalesce(certified.terminal_id, first_version.terminal_id)
    left join ahead_coverage on ahead_coverage.sweep_id = certified.sweep_id
    and ahead_coverage.terminal_id is not distinct from certified.terminal_id
where not certified.is_ahead or coalesce(ahead_coverage.created > first_version.created, false)
group by all
