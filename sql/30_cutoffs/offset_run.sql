-- model    offset_run
-- grain    one row per candidate whose offset recurs, with the run of neighbouring settlements that share it
-- reads    cutoff_candidate
-- rule     R-07: the offset stays the same from settlement to settlement until something is wrong
-- silent   candidates whose offset no other settlement of the terminal has: nearly all
-- drop     after its last reader
with
    -- In the order of a hash a recurring offset stands beside its like. Where two are ever one hash, more go on and none is missed.
    in_order as (
        select (hash(clock, terminal_id, offset_cents) >> 32)::uinteger as likeness
        from cutoff_candidate
        order by likeness
    ),
    beside as (
        select
            likeness,
            lag(likeness) over () as likeness_before
        from in_order
    ),
    repeated as (
        select distinct
            likeness
        from beside
        where likeness = likeness_before
    ),
    recurring as (
        select
            clock,
            terminal_id,
            offset_cents
        from cutoff_candidate
        where
            offset_cents = 0
            or (hash(clock, terminal_id, offset_cents) >> 32)::uinteger in (
                select likeness
                from repeated
            )
        group by clock, terminal_id, offset_cents
        having
            min(ordinal) <> max(ordinal)
            or offset_cents = 0
    ),
    recurrent as (
        select cutoff_candidate.*
        from
            cutoff_candidate
            semi join recurring using (clock, terminal_id, offset_cents)
    ),
    shared as (
        select distinct
            clock,
            terminal_id,
            offset_cents,
            ordinal
        from recurrent
        union
        -- Before its first settlement a terminal owes nothing.
        select distinct
            clock,
            terminal_id,
            0,
            0
        from recurrent
    ),
    runs as (
        select
            *,
            ordinal - row_number() over (
                partition by clock, terminal_id, offset_cents
                order by ordinal
            ) as run
        from shared
    ),
    measured as (
        select
            clock,
            terminal_id,
            offset_cents,
            ordinal,
            count(*) over (in_run) as run_length,
            least(ordinal - min(ordinal) over (in_run), max(ordinal) over (in_run) - ordinal) as from_end
        from runs
        window
            in_run as (
                partition by clock, terminal_id, offset_cents, run
            )
    )
select
    recurrent.*,
    measured.run_length,
    measured.from_end
from
    recurrent
    inner join measured using (clock, terminal_id, offset_cents, ordinal)
