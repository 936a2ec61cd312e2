-- model    pair_cut
-- grain    one row per pair of settlements and position at which the cut-off of the earlier one may lie
-- reads    cutoff_candidate, pair_difference
-- rule     R-28: the present cut-off; between adjacent settlements, which share it, also every other position within the reach
-- silent   other cut-offs of a pair with a settlement in between, which would then no longer tie
-- drop     after its last reader
select
    pair_difference.*,
    cut_position as new_cut_position, difference_cents as moved_cents, 0 as deviation_s,
    true as is_usual
from pair_difference
union all
select
    pair_difference.*,
    cutoff_candidate.position,
    -- With another cut-off, transactions of another amount have to move.
    pair_difference.difference_cents + cutoff_candidate.transactions_cents - pair_difference.cut_cents,
    cutoff_strays (cutoff_candidate.lag_low_s, cutoff_candidate.lag_high_s, pair_difference.lag_s) as cut_deviation_s,
    coalesce(is_usual_cutoff (cut_deviation_s, pair_difference.spread_s), false)
from
    pair_difference
    inner join cutoff_candidate on cutoff_candidate.settlement_id = pair_difference.earlier_id
    and cutoff_candidate.clock = pair_difference.clock
    and cutoff_candidate.position > pair_difference.begins_after
    and cutoff_candidate.position <= pair_difference.ends_at
    and cutoff_candidate.position <> pair_difference.cut_position
where pair_difference.is_next
