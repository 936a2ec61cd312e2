-- model    swept_settlement
-- grain    one row per settlement whose stretch of time lies within what sweeps of transactions have read
-- reads    current_settlement, imported_file, sweep_scope, terminal_reach
-- rule     R-30: judged only where the settlement before it, less its terminal's reach, lies within what was read
-- silent   how well it was read: sweeps of certificate BEST_EFFORT count too
with
    said as (
        select
            terminal_id,
            coalesce(covers_from, '-infinity'::timestamp) as said_from,
            started_at as said_until
        from sweep_scope
        where list = 'transactions'
        union all
        select
            null,
            complete_from,
            exported_at
        from imported_file
        where
            list = 'transactions'
            and complete_from is not null
    ),
    own as (
        select distinct
            terminal_id
        from said
        where terminal_id is not null
    ),
    -- What was read of all was read of each.
    said_of as (
        from said
        union all
        select
            own.terminal_id,
            said_from,
            said_until
        from
            said
            cross join own
        where said.terminal_id is null
    ),
    reaching as (
        select
            terminal_id,
            said_from,
            max(said_until) over (
                partition by terminal_id
                order by said_from rows between unbounded preceding and 1 preceding
            ) as reached_at
        from said_of
    ),
    -- Stretches without a gap; the last one goes on.
    stretch as (
        select
            terminal_id,
            said_from as read_from,
            coalesce(
                lead(reached_at) over (partition by terminal_id order by said_from),
                'infinity'::timestamp
            ) as read_until
        from reaching
        where coalesce(reached_at < said_from, true)
    ),
    in_order as (
        select
            settlement_id,
            own.terminal_id as read_terminal_id,
            created,
            lag(created, 1, created - interval 1 day) over (
                partition by current_settlement.terminal_id
                order by ordinal
            ) - to_hours(reach_hours) as begins_at
        from
            current_settlement
            inner join terminal_reach using (terminal_id)
            left join own using (terminal_id)
    )
select in_order.settlement_id
from
    in_order
    inner join stretch on stretch.terminal_id is not distinct from in_order.read_terminal_id
    and in_order.begins_at >= stretch.read_from
    and in_order.created <= stretch.read_until
