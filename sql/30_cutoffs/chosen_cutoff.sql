-- model    chosen_cutoff
-- grain    one row per clock and settlement: the position at which it most probably ends, and the last transaction up to there
-- reads    ordered_transaction, neighbour_cutoff
-- rule     R-07: the running sum up to the cut-off
-- silent   nothing; a settlement that ends before all transactions has no last transaction
select
    neighbour_cutoff.*,
    coalesce(cut.running_cents, 0) as running_cents,
    cut.transaction_id as cut_id, cut.clock_at as cut_at, cut.next_at
from
    neighbour_cutoff
    left join ordered_transaction as cut on cut.clock = neighbour_cutoff.clock
    and cut.terminal_id = neighbour_cutoff.terminal_id
    and cut.position = neighbour_cutoff.position
