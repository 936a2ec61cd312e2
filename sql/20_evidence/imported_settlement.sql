-- model    imported_settlement
-- grain    one row per settlement whose transactions the imported files hold
-- reads    current_settlement, imported_file, settlement_version, sweep, terminal_reach
-- rule     R-59: created and complete before the newest export, and the settlement before it within what was imported
-- silent   accounts whose transactions were swept since the last import
with
    imported_range as (
        select
            max(exported_at) as exported_at,
            coalesce(min(complete_from), min(earliest)) as begins_at
        from imported_file
        where
            list = 'transactions'
            and landing_seq > coalesce(
                (select max(landing_seq) from sweep where list = 'transactions'),
                0
            )
    ),
    last_pending as (
        select settlement_id, max(observed_at) as pending_at
        from settlement_version
        where status <> 'COMPLETE'
        group by settlement_id
    ),
    settlement_interval as (
        select
            settlement_id, created, reach_hours,
            lag(created, 1, created - first_settlement_span ()) over (
                partition by terminal_id
                order by ordinal
            ) as previous_at
        from current_settlement inner join terminal_reach using (terminal_id)
    )
select settlement_interval.settlement_id
from
    settlement_interval
    inner join imported_range on settlement_interval.created <= imported_range.exported_at
    and settlement_interval.previous_at - to_hours(settlement_interval.reach_hours) >= imported_range.begins_at
    left join last_pending on last_pending.settlement_id = settlement_interval.settlement_id
where coalesce(last_pending.pending_at < imported_range.exported_at, true)
