-- model    ordered_transaction
-- grain    one row per clock, terminal and settled transaction that no better evidence places, in time order
-- reads    unplaced_settled_transaction
-- rule     R-08: a terminal's transactions are ordered under each clock, created and last modified
-- silent   the second clock of a terminal on which it never differs from the first
-- size     transactions
-- split    unplaced_settled_transaction
-- drop     after its last reader
with
    by_created as not materialized (
        select
            terminal_id,
            transaction_id,
            created as clock_at,
            modified,
            signed_cents
        from unplaced_settled_transaction
    ),
    -- Large tables may lie on disk: the clocks are compared as the rows are counted.
    counted as materialized (
        select
            terminal_id,
            count(*) as places,
            sum(signed_cents)::bigint as cents,
            bool_or(modified <> clock_at) as is_moving
        from by_created
        group by terminal_id
    ),
    by_modified as not materialized (
        select
            terminal_id,
            transaction_id,
            modified as clock_at,
            created,
            signed_cents
        from
            unplaced_settled_transaction
            semi join (
                select terminal_id
                from counted
                where is_moving
            ) as moving using (terminal_id)
    ),
    tracks as (
        select
            clock_word ('created') as clock,
            terminal_id,
            places,
            cents
        from counted
        union all
        select
            clock_word ('modified'),
            terminal_id,
            count(*),
            sum(signed_cents)::bigint
        from by_modified
        group by terminal_id
    ),
    -- Where a terminal stands in the order of its half, and what is summed up to its end.
    ends as (
        select
            tracks.clock,
            tracks.terminal_id,
            (sum(places) over in_order)::bigint - places + 1 as first_candidate_position,
            (sum(places) over in_order)::bigint as last_place,
            (sum(cents) over in_order)::bigint as last_cents
        from tracks
        window
            in_order as (
                partition by tracks.clock, tracks.terminal_id % 2 = 0
                order by tracks.terminal_id desc rows unbounded preceding
            )
    ),
    -- One sort and sums that run on through it: a window for each terminal takes several times as long. One thread goes through
    -- such a sum, so that there are two of them, side by side: of terminals with an even id, and with an odd one.
    -- All columns are keys of the sort, which is faster than to carry one beside it.
    -- It runs from the end, since lead over () of the engine now and then gives rows twice where a join follows; lag has no such fault.
    even_created as materialized (
        select
            * exclude (modified),
            row_number() over () as place,
            lag(clock_at) over () as following_at,
            (sum(signed_cents) over (rows unbounded preceding))::bigint as total_cents
        from
            (
                from by_created
                where terminal_id % 2 = 0
                order by terminal_id desc, clock_at desc, transaction_id desc, signed_cents
            )
    ),
    odd_created as materialized (
        select
            * exclude (modified),
            row_number() over () as place,
            lag(clock_at) over () as following_at,
            (sum(signed_cents) over (rows unbounded preceding))::bigint as total_cents
        from
            (
                from by_created
                where terminal_id % 2 <> 0
                order by terminal_id desc, clock_at desc, transaction_id desc, signed_cents
            )
    ),
    even_modified as materialized (
        select
            * exclude (created),
            row_number() over () as place,
            lag(clock_at) over () as following_at,
            (sum(signed_cents) over (rows unbounded preceding))::bigint as total_cents
        from
            (
                from by_modified
                where terminal_id % 2 = 0
                order by
                    terminal_id desc,
                    clock_at desc,
                    created desc,
                    transaction_id desc,
                    signed_cents
            )
    ),
    odd_modified as materialized (
        select
            * exclude (created),
            row_number() over () as place,
            lag(clock_at) over () as following_at,
            (sum(signed_cents) over (rows unbounded preceding))::bigint as total_cents
        from
            (
                from by_modified
                where terminal_id % 2 <> 0
                order by
                    terminal_id desc,
                    clock_at desc,
                    created desc,
                    transaction_id desc,
                    signed_cents
            )
    )
    -- Each clock looks for its ends by the terminal alone, which is found faster than by clock and terminal.
select
    clock_word ('created') as clock,
    terminal_id,
    transaction_id,
    clock_at,
    last_place - place + 1 as position,
    case
        when place > first_candidate_position then following_at
    end as next_at,
    last_cents - total_cents + signed_cents as running_cents,
    signed_cents
from
    (from even_created union all from odd_created) as running
    inner join (from ends where clock = clock_word ('created')) as ends using (terminal_id)
union all
select
    clock_word ('modified') as clock,
    terminal_id,
    transaction_id,
    clock_at,
    last_place - place + 1 as position,
    case
        when place > first_candidate_position then following_at
    end as next_at,
    last_cents - total_cents + signed_cents as running_cents,
    signed_cents
from
    (from even_modified union all from odd_modified) as running
    inner join (from ends where clock = clock_word ('modified')) as ends using (terminal_id)
