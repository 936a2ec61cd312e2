-- model    island
-- grain    one row per candidate, with the run of neighbouring settlements that share its offset
-- reads    candidate
-- rule     R-07: the offset stays the same from settlement to settlement until something is wrong
-- silent   nothing
with
    shared as (
        select distinct
            clock,
            terminal_id,
            offset_cents,
            ordinal
        from candidate
        union
        -- Before its first settlement a terminal owes nothing.
        select distinct
            clock,
            terminal_id,
            0,
            0
        from candidate
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
            count(*) over (partition by clock, terminal_id, offset_cents, run) as run_length
        from runs
    )
select
    candidate.*,
    measured.run_length
from
    candidate
    inner join measured using (clock, terminal_id, offset_cents, ordinal)
