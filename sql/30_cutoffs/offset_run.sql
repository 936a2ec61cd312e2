-- model    offset_run
-- grain    one row per candidate whose offset recurs, with the run of neighbouring settlements that share it
-- reads    cutoff_candidate
-- rule     R-07: the offset stays the same from settlement to settlement until something is wrong
-- silent   candidates whose offset no other settlement of the terminal has: nearly all
-- drop     after its last reader
with
    -- Sorting by a hash puts equal offsets beside each other. Two offsets with the same hash only send on more rows; none is
    -- missed.
    ordered_hash as (
        select (hash(clock, terminal_id, offset_cents) >> 32)::uinteger as likeness
        from cutoff_candidate
        order by likeness
    ),
    hash_pair as (
        select likeness, lag(likeness) over () as likeness_before
        from ordered_hash
    ),
    repeated_hash as (
        select distinct likeness
        from hash_pair
        where likeness = likeness_before
    ),
    recurring_offset as (
        select clock, terminal_id, offset_cents
        from cutoff_candidate
        where
            offset_cents = 0
            or (hash(clock, terminal_id, offset_cents) >> 32)::uinteger in (
                select likeness
                from repeated_hash
            )
        group by clock, terminal_id, offset_cents
        having min(ordinal) <> max(ordinal) or offset_cents = 0
    ),
    recurring_candidate as (
        select cutoff_candidate.*
        from cutoff_candidate semi join recurring_offset using (clock, terminal_id, offset_cents)
    ),
    offset_settlement as (
        select distinct clock, terminal_id, offset_cents, ordinal
        from recurring_candidate
        union
        -- A terminal begins with no transactions and no settlements: its first offset is zero.
        select distinct clock, terminal_id, 0, 0
        from recurring_candidate
    ),
    run as (
        select
            *,
            ordinal - row_number() over (
                partition by clock, terminal_id, offset_cents
                order by ordinal
            ) as run
        from offset_settlement
    ),
    run_length as (
        select
            clock, terminal_id, offset_cents, ordinal,
            count(*) over (in_run) as run_length,
            least(ordinal - min(ordinal) over (in_run), max(ordinal) over (in_run) - ordinal) as from_end
        from run
        window
            in_run as (
                partition by clock, terminal_id, offset_cents, run
            )
    )
select recurring_candidate.*, run_length.run_length, run_length.from_end
from recurring_candidate inner join run_length using (clock, terminal_id, offset_cents, ordinal)
