-- model    boundary
-- grain    at most one row: where the explained settlement begins and ends
-- reads    explained_evidence, ordered_transaction
-- rule     R-07: positions count from the first transaction that was read, so that only distances between them mean anything
-- silent   nothing
select
    here.settlement_id,
    getvariable('explained_terminal') as terminal_id,
    here.clock,
    coalesce(previous_cut.position, 0) as previous_position,
    coalesce(cut.position, 0) as position,
    coalesce(previous_cut.running_cents, 0) as previous_cents,
    coalesce(cut.running_cents, 0) as running_cents,
    (previous_cut.position is null) <> (previous_cut_id is null)
    or (cut.position is null) <> (cut_id is null) as is_lost
from
    explained_evidence as here
    left join ordered_transaction as cut on cut.clock = here.clock
    and cut.transaction_id = cut_id
    left join ordered_transaction as previous_cut on previous_cut.clock = here.clock
    and previous_cut.transaction_id = previous_cut_id
where here.clock is not null
