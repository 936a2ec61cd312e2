-- model    imported_settlement
-- grain    one row per settlement whose transactions the imported files hold
-- reads    current_settlement, imported_file, settlement_version, sweep, terminal_reach
-- rule     R-59: created and complete before the newest export, and the settlement before it within what was imported
-- silent   accounts whose transactions were swept since the last import
with
    reach as (
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
    seen_pending as (
        select
            settlement_id,
            max(observed_at) as pending_at
        from settlement_version
        where status <> 'COMPLETE'
        group by settlement_id
    ),
    in_order as (
        select
            settlement_id,
            created,
            reach_hours,
            lag(created, 1, created - interval 1 day) over (
                partition by terminal_id
                order by ordinal
            ) as previous_at
        from
            current_settlement
            inner join terminal_reach using (terminal_id)
    )
select in_order.settlement_id
from
    in_order
    inner join reach on in_order.created <= reach.exported_at
    and in_order.previous_at - to_hours(in_order.reach_hours) >= reach.begins_at
    left join seen_pending on seen_pending.settlement_id = in_order.settlement_id
where coalesce(seen_pending.pending_at < reach.exported_at, true)
