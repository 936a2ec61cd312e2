-- model    clocked_transaction
-- grain    one row per clock, terminal and settled transaction that no better evidence places, in time order
-- reads    settled_transaction
-- rule     R-08: a terminal's transactions are ordered under each clock, created and last modified
-- silent   the second clock of a terminal on which it never differs from the first
with
    moving as (
        select distinct
            terminal_id
        from settled_transaction
        where modified <> created
    ),
    counted as (
        select
            terminal_id,
            count(*) as places,
            sum(signed_cents)::bigint as cents
        from settled_transaction
        group by terminal_id
    ),
    tracks as (
        select
            clock_word ('created') as clock,
            *
        from counted
        union all
        select
            clock_word ('modified'),
            *
        from
            counted
            semi join moving using (terminal_id)
    ),
    -- Where a terminal begins in the order of all, and what was summed before it.
    starts as (
        select
            clock,
            terminal_id,
            (sum(places) over in_order)::bigint as last_place,
            last_place - places as places_before,
            (sum(cents) over in_order)::bigint - cents as cents_before
        from tracks
        window
            in_order as (
                partition by clock
                order by terminal_id rows unbounded preceding
            )
    ),
    -- One sort for all terminals and sums that run on through it: a window for each terminal takes several times as long.
    by_created as (
        select
            terminal_id,
            transaction_id,
            created as clock_at,
            signed_cents
        from settled_transaction
        order by terminal_id, created, transaction_id
    ),
    by_modified as (
        select
            terminal_id,
            transaction_id,
            modified as clock_at,
            signed_cents
        from
            settled_transaction
            semi join moving using (terminal_id)
        order by terminal_id, modified, created, transaction_id
    ),
    running as (
        select
            clock_word ('created') as clock,
            *,
            row_number() over () as place,
            lead(clock_at) over () as following_at,
            (sum(signed_cents) over (rows unbounded preceding))::bigint as total_cents
        from by_created
        union all
        select
            clock_word ('modified'),
            *,
            row_number() over (),
            lead(clock_at) over (),
            (sum(signed_cents) over (rows unbounded preceding))::bigint
        from by_modified
    )
select
    clock,
    terminal_id,
    transaction_id,
    clock_at,
    place - places_before as position,
    case
        when place < last_place then following_at
    end as next_at,
    total_cents - cents_before as running_cents,
    signed_cents
from
    running
    inner join starts using (clock, terminal_id)
