-- model    rival
-- grain    one row per settlement with boundaries: how many other sets give the same net
-- reads    boundary, cutoff_rival, last_cutoff_rival, swap_rival
-- rule     R-09: rivals are other cut-offs within the cut-off window, and sets that move or swap up to two transactions within two hours of a cut-off
-- silent   rivals of a shift, which shift_rival counts
select
    boundary.settlement_id,
    coalesce(cutoff_rival.rivals, 0) + coalesce(swap_rival.rivals, 0) as rival_count,
    coalesce(cutoff_rival.end_rivals, 0) + coalesce(last_cutoff_rival.end_rivals, 0) as end_rival_count
from
    boundary
    left join cutoff_rival using (settlement_id)
    left join swap_rival using (settlement_id)
    left join last_cutoff_rival using (settlement_id)
