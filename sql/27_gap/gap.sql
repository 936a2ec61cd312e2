-- model    gap
-- grain    one row per settlement that does not tie in order of time, with what it is off by
-- reads    first_boundary, clocked_transaction
-- rule     R-04: difference = computed - reported
-- silent   settlements that can't be read; a PENDING settlement may hold what is missing in another one
select
    first_boundary.*,
    coalesce(upto.running_cents, 0) - coalesce(before.running_cents, 0) - first_boundary.sought_cents as gap_cents
from
    first_boundary
    left join clocked_transaction as upto on upto.clock = first_boundary.clock
    and upto.terminal_id = first_boundary.terminal_id
    and upto.position = first_boundary.position
    left join clocked_transaction as before on before.clock = first_boundary.clock
    and before.terminal_id = first_boundary.terminal_id
    and before.position = first_boundary.previous_position
where
    first_boundary.status <> 'UNREADABLE'
    and gap_cents <> 0
