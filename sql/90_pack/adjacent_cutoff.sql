-- model    adjacent_cutoff
-- grain    one row per settlement with a boundary: the transaction at its cut-off, and that at the cut-off of the settlement before
-- reads    boundary, first_candidate_position
-- rule     R-07: a settlement contains the transactions between these two
-- silent   settlements of a terminal without a settled transaction
select
    settlement_id, terminal_id, ordinal, clock,
    coalesce(first_candidate_position.position > boundary.position, false) as is_early,
    cut_id, cut_at,
    lag(cut_id) over (in_order) as previous_cut_id,
    lag(cut_at) over (in_order) as previous_cut_at
from boundary left join first_candidate_position using (settlement_id)
window
    in_order as (
        partition by terminal_id
        order by ordinal
    )
