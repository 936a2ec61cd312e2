-- model    unplaced_capture
-- grain    one row per unsettled capture that names no settlement, in the time order of its terminal
-- reads    chosen_clock, unsettled_capture
-- rule     R-11: the nets show which of them a PENDING settlement contains
-- silent   captures that the id in their record places
with
    timed_capture as (
        select
            unsettled_capture.* exclude (last_modified, named_id),
            clock_time (chosen_clock.clock, created, last_modified, null) as clock_at
        from unsettled_capture left join chosen_clock using (terminal_id)
        where named_id is null
    )
select
    *,
    row_number() over (in_time) as position,
    (sum(signed_cents) over (in_time rows unbounded preceding))::bigint as running_cents
from timed_capture
window
    in_time as (
        partition by terminal_id
        order by clock_at, transaction_id
    )
