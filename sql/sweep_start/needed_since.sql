-- model    needed_since
-- grain    one row: the instant from which transactions have to be read again; empty if nothing is open or new
-- reads    certified_transaction_sweep, last_landing, newest_settlement, newest_transaction, unread_record
-- rule     R-02: records that can still change are read again
-- silent   nothing
with
    last_sweep as (
        select *
        from certified_transaction_sweep
        order by landing_seq desc
        limit 1
    ),
    need as (
        select min(created) - interval 1 second as since
        from unread_record
        where is_to_judge
        union all
        -- The service may have corrected the record since the last sweep.
        select min(created) - interval 1 second
        from unread_record cross join last_landing
        where created >= last_landing.observed_at - to_days(getvariable('open_days'))
        union all
        select getvariable('read_again_since')
        union all
        select min(created)
        from newest_transaction cross join last_landing
        where
            (status = 'HOLD' or (approved and status = 'CAPTURE' and not coalesce(settled, false)))
            and created >= last_landing.observed_at - to_days(getvariable('open_days'))
        union all
        select min(coalesce(created_before, created) - reach)
        from newest_settlement cross join last_landing
        where
            (
                status <> 'COMPLETE'
                and created >= last_landing.observed_at - to_days(getvariable('open_days'))
            )
            or landing_seq > (select landing_seq from last_sweep)
        union all
        select last_sweep.ended_at - to_days(getvariable('lookback_days'))
        from last_sweep
    )
select min(since) as since
from need
