-- model    chosen_cutoff
-- grain    one row per clock and settlement: the position at which it most probably ends, and the last transaction up to there
-- reads    clocked_transaction, cutoff_choice
-- rule     R-07: what was before an instant is summed up to it
-- silent   settlements that end before any transaction have none
select
    cutoff_choice.*,
    coalesce(cut.running_cents, 0) as running_cents,
    cut.transaction_id as cut_id,
    cut.clock_at as cut_at,
    cut.next_at
from
    cutoff_choice
    left join clocked_transaction as cut on cut.clock = cutoff_choice.clock
    and cut.terminal_id = cutoff_choice.terminal_id
    and cut.position = cutoff_choice.position
