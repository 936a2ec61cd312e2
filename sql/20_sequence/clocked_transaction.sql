-- model    clocked_transaction
-- grain    one row per clock, terminal and settled transaction that no better evidence places, in time order
-- reads    settled_transaction, opening
-- rule     R-08: a terminal's transactions are ordered under each clock, created and last modified
-- silent   what lies before an opening; the second clock of a terminal on which it never differs from the first
with
    -- What a seal stands for lies before all that is read: of that time nothing is put in order again.
    by_created as not materialized (
        select
            terminal_id,
            transaction_id,
            created as clock_at,
            signed_cents
        from
            settled_transaction
            anti join (
                from opening
                where clock = clock_word ('created')
            ) as sealed on sealed.terminal_id = settled_transaction.terminal_id
            and settled_transaction.created < opens_at
    ),
    by_modified as not materialized (
        select
            terminal_id,
            transaction_id,
            modified as clock_at,
            created,
            signed_cents
        from
            settled_transaction
            semi join (
                select terminal_id
                from settled_transaction
                where modified <> created
                union
                select terminal_id
                from opening
                where clock = clock_word ('modified')
            ) as moving using (terminal_id)
            anti join (
                from opening
                where clock = clock_word ('modified')
            ) as sealed on sealed.terminal_id = settled_transaction.terminal_id
            and settled_transaction.modified < opens_at
    ),
    -- One sort and sums that run on through it: a window for each terminal takes several times as long. One thread goes through
    -- such a sum, so that there are two of them, side by side: of terminals with an even id, and with an odd one.
    -- All columns are keys of the sort, which is faster than to carry one beside it.
    -- It runs from the end, since lead over () of the engine now and then gives rows twice where a join follows; lag has no such fault.
    even_created as materialized (
        select
            *,
            row_number() over () as place,
            lag(clock_at) over () as following_at,
            coalesce(lag(terminal_id) over () <> terminal_id, true) as is_last,
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
            *,
            row_number() over () as place,
            lag(clock_at) over () as following_at,
            coalesce(lag(terminal_id) over () <> terminal_id, true) as is_last,
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
            coalesce(lag(terminal_id) over () <> terminal_id, true) as is_last,
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
            coalesce(lag(terminal_id) over () <> terminal_id, true) as is_last,
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
    ),
    -- Where a terminal stands in the order of its half, and what is summed up before it.
    starts as (
        select
            clock_word ('created') as clock,
            terminal_id,
            place,
            total_cents - signed_cents as cents
        from even_created
        where is_last
        union all
        select
            clock_word ('created') as clock,
            terminal_id,
            place,
            total_cents - signed_cents as cents
        from odd_created
        where is_last
        union all
        select
            clock_word ('modified') as clock,
            terminal_id,
            place,
            total_cents - signed_cents as cents
        from even_modified
        where is_last
        union all
        select
            clock_word ('modified') as clock,
            terminal_id,
            place,
            total_cents - signed_cents as cents
        from odd_modified
        where is_last
    ),
    halves as (
        select
            clock_word ('created') as clock,
            true as is_even,
            count(*) as places,
            sum(signed_cents) as cents
        from even_created
        union all
        select
            clock_word ('created') as clock,
            false as is_even,
            count(*) as places,
            sum(signed_cents) as cents
        from odd_created
        union all
        select
            clock_word ('modified') as clock,
            true as is_even,
            count(*) as places,
            sum(signed_cents) as cents
        from even_modified
        union all
        select
            clock_word ('modified') as clock,
            false as is_even,
            count(*) as places,
            sum(signed_cents) as cents
        from odd_modified
    ),
    -- Of each terminal the place in that order that comes after its earliest row, with the sum up to there, and what its seal stands for.
    ends as (
        select
            starts.clock,
            starts.terminal_id,
            coalesce(lead(starts.place) over in_order, halves.places + 1) + coalesce(opening.position, 0) as end_place,
            (
                coalesce(lead(starts.cents) over in_order, halves.cents) + coalesce(opening.running_cents, 0)
            )::bigint as end_cents
        from
            starts
            inner join halves on halves.clock = starts.clock
            and halves.is_even = (starts.terminal_id % 2 = 0)
            left join opening on opening.clock = starts.clock
            and opening.terminal_id = starts.terminal_id
        window
            in_order as (
                partition by starts.clock, halves.is_even
                order by starts.place
            )
    )
    -- Each clock looks for its ends by the terminal alone, which is found faster than by clock and terminal.
select
    clock_word ('created') as clock,
    terminal_id,
    transaction_id,
    clock_at,
    end_place - place as position,
    case
        when not is_last then following_at
    end as next_at,
    end_cents - total_cents + signed_cents as running_cents,
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
    end_place - place as position,
    case
        when not is_last then following_at
    end as next_at,
    end_cents - total_cents + signed_cents as running_cents,
    signed_cents
from
    (from even_modified union all from odd_modified) as running
    inner join (from ends where clock = clock_word ('modified')) as ends using (terminal_id)
