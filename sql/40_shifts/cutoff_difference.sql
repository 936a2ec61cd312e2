-- model    cutoff_difference
-- grain    one row per settlement that does not tie in order of time, with what it is off by
-- reads    boundary_before_shifts, fully_read_settlement
-- rule     R-04: difference = computed - reported
-- silent   settlements that can't be read or judged (R-30); a PENDING settlement may hold what is missing in another one
select *, running_cents - previous_cents - sought_cents as gap_cents
from boundary_before_shifts
where
    status <> 'UNREADABLE'
    and (status <> 'COMPLETE' or settlement_id in (select settlement_id from fully_read_settlement))
    and gap_cents <> 0
