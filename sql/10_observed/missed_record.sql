-- model    missed_record
-- grain    one row per settlement or transaction that a whole certified sweep was the first to see, though an earlier certified sweep covers it
-- reads    audited_record, certified_sweep, first_sighting, seen_settlement_version, seen_transaction_version
-- rule     R-56: a sweep covers the records created after its first record and two minutes before its start
-- silent   records that were listed before but could not be read; records that a sweep of a part of the list saw first
with
    -- If a later sweep began at an earlier instant, the clock of this one ran ahead. Its start proves nothing then: it covers
    -- only records older than another record that was known at its end.
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
    )
select
    audited_record.list, audited_record.subject_id, audited_record.terminal_id,
    audited_record.created, audited_record.amount_cents, audited_record.observed_at,
    audited_record.landing_seq,
    min(certified.started_at) as missed_at,
    count(*) as sweep_count
from
    audited_record
    inner join first_sighting using (list, subject_id, landing_seq)
    inner join certified_sweep as certified on certified.list = audited_record.list
    and certified.landing_seq < audited_record.landing_seq
    and certified.started_at - clock_skew () >= audited_record.created
    and audited_record.created > coalesce(certified.covers_from, audited_record.created - interval 1 second)
    and audited_record.terminal_id = coalesce(certified.terminal_id, audited_record.terminal_id)
    left join ahead_coverage on ahead_coverage.sweep_id = certified.sweep_id
    and ahead_coverage.terminal_id is not distinct from certified.terminal_id
where not certified.is_ahead or coalesce(ahead_coverage.created > audited_record.created, false)
group by
    audited_record.list, audited_record.subject_id, audited_record.terminal_id,
    audited_record.created, audited_record.amount_cents, audited_record.observed_at,
    audited_record.landing_seq
