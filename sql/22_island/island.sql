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
            count(*) over (in_run) as run_length,
            least(ordinal - min(ordinal) over (in_run), max(ordinal) over (in_run) - ordinal) as from_end
        from runs
        window
            in_run as (
                partition by clock, terminal_id, offset_cents, run
            )
    )
select
    candidate.*,
    measured.run_length,
    measured.from_end
from
    candidate
    inner join measured using (clock, terminal_id, offset_cents, ordinal)
