-- model    swept_settlement
-- grain    one row per settlement whose interval lies within what sweeps of transactions have read
-- reads    current_settlement, imported_file, sweep_scope, terminal_reach
-- rule     R-30: judged only if the time from the previous settlement's creation, less the terminal's reach, was read
-- silent   the quality of the reading: sweeps of certificate BEST_EFFORT count too
with
    reading as (
        select
            terminal_id,
            coalesce(covers_from, '-infinity'::timestamp) as said_from,
            started_at as said_until
        from sweep_scope
        where list = 'transactions'
        union all
        select null, complete_from, exported_at
        from imported_file
        where list = 'transactions' and complete_from is not null
    ),
    terminal_read_alone as (
        select distinct terminal_id
        from reading
        where terminal_id is not null
    ),
    -- A sweep of the whole list reads every terminal.
    reading_of_terminal as (
        from reading
        union all
        select terminal_read_alone.terminal_id, said_from, said_until
        from reading cross join terminal_read_alone
        where reading.terminal_id is null
    ),
    reading_order as (
        select
            terminal_id, said_from,
            max(said_until) over (
                partition by terminal_id
                order by said_from rows between unbounded preceding and 1 preceding
            ) as reached_at
        from reading_of_terminal
    ),
    -- Times that readings cover without a break. The last of these times has no end.
    unbroken_reading as (
        select
            terminal_id, said_from as read_from,
            coalesce(
                lead(reached_at) over (partition by terminal_id order by said_from),
                'infinity'::timestamp
            ) as read_until
        from reading_order
        where coalesce(reached_at < said_from, true)
    ),
    interval as (
        select
            settlement_id, terminal_read_alone.terminal_id as read_terminal_id, created,
            lag(created, 1, created - first_settlement_span ()) over (
                partition by current_settlement.terminal_id
                order by ordinal
            ) - to_hours(reach_hours) as begins_at
        from
            current_settlement
            inner join terminal_reach using (terminal_id)
            left join terminal_read_alone using (terminal_id)
    )
select interval.settlement_id
from
    interval
    inner join unbroken_reading on unbroken_reading.terminal_id is not distinct from interval.read_terminal_id
    and interval.begins_at >= unbroken_reading.read_from
    and interval.created <= unbroken_reading.read_until
