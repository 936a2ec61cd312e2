-- model    ordered_transaction
-- grain    one row per clock, terminal and settled transaction that no better evidence places, in time order
-- reads    unplaced_settled_transaction
-- rule     R-08: a terminal's transactions are ordered under each clock, created and last modified
-- silent   the second clock of a terminal on which it never differs from the first
-- size     transactions
-- split    unplaced_settled_transaction
-- drop     after its last reader
with
    -- The clocks are compared while the rows are counted: a second pass over a table on disk would be slow.
    terminal_sum as materialized (
        select
            terminal_id,
            count(*) as transactions,
            sum(signed_cents)::bigint as cents,
            bool_or(modified <> created) as has_two_clocks
        from unplaced_settled_transaction
        group by terminal_id
    ),
    clock_sum as (
        select unnest([clock_value ('created'), clock_value ('modified')]) as clock, *
        from terminal_sum
    ),
    -- The first and last row number of each terminal in its half, and the running sum at the terminal's end.
    terminal_end as (
        select
            clock, terminal_id,
            (sum(transactions) over in_order)::bigint - transactions + 1 as first_row,
            (sum(transactions) over in_order)::bigint as last_row,
            (sum(cents) over in_order)::bigint as last_cents
        from clock_sum
        where clock = clock_value ('created') or has_two_clocks
        window
            in_order as (
                partition by terminal_id % 2 = 0
                order by clock desc, terminal_id desc rows unbounded preceding
            )
    ),
    clock_transaction as not materialized (
        select
            clock_value ('created') as clock,
            terminal_id, created as clock_at, created, transaction_id, signed_cents
        from unplaced_settled_transaction
        union all
        select
            clock_value ('modified'),
            terminal_id, modified, created, transaction_id, signed_cents
        from
            unplaced_settled_transaction
            semi join (from terminal_sum where has_two_clocks) as moving using (terminal_id)
    ),
    -- A single sort with sums that run through all terminals: a window for each terminal takes several times as long. DuckDB
    -- computes such a sum on one thread. Terminals with an even id and with an odd id therefore have one each, side by side.
    -- All columns are keys of the sort, which is faster than a sort with a column beside its keys.
    -- The sums run from the end: lead over () sometimes gives rows twice if a join follows, and lag has no such fault.
    even_sum as materialized (
        select
            * exclude (created),
            row_number() over () as row_no,
            lag(clock_at) over () as following_at,
            (sum(signed_cents) over (rows unbounded preceding))::bigint as total_cents
        from
            (
                from clock_transaction
                where terminal_id % 2 = 0
                order by
                    clock desc,
                    terminal_id desc,
                    clock_at desc,
                    created desc,
                    transaction_id desc,
                    signed_cents
            )
    ),
    odd_sum as materialized (
        select
            * exclude (created),
            row_number() over () as row_no,
            lag(clock_at) over () as following_at,
            (sum(signed_cents) over (rows unbounded preceding))::bigint as total_cents
        from
            (
                from clock_transaction
                where terminal_id % 2 <> 0
                order by
                    clock desc,
                    terminal_id desc,
                    clock_at desc,
                    created desc,
                    transaction_id desc,
                    signed_cents
            )
    )
select
    clock, terminal_id, transaction_id, clock_at,
    last_row - row_no + 1 as position,
    case when row_no > first_row then following_at end as next_at,
    last_cents - total_cents + signed_cents as running_cents,
    signed_cents
from
    (from even_sum union all from odd_sum) as running_sum
    inner join terminal_end using (clock, terminal_id)
