-- model    cutoff_difference
-- grain    one row per settlement that does not tie by its cut-offs alone: by how much it is off
-- reads    boundary_before_shifts, fully_read_settlement
-- rule     R-04: difference = computed - reported
-- silent   settlements that can't be read or judged (R-30); a PENDING settlement may have what another one lacks
select *, running_cents - previous_cents - remaining_cents as difference_cents
from boundary_before_shifts
where
    status <> 'UNREADABLE'
    and (status <> 'COMPLETE' or settlement_id in (select settlement_id from fully_read_settlement))
    and difference_cents <> 0
