-- model    outer_offset_range
-- grain    one row per single shift and settlement with a possible cut-off of the offset outside the shift: the first and the last such position
-- reads    cutoff_candidate, single_shift
-- rule     R-28: another cut-off within the cut-off window could replace a shift
-- silent   settlements without such a cut-off
select
    single_shift.transaction_id, cutoff_candidate.ordinal,
    min(cutoff_candidate.position) as low_position,
    max(cutoff_candidate.position) as high_position
from
    single_shift
    inner join cutoff_candidate on cutoff_candidate.terminal_id = single_shift.terminal_id
    and cutoff_candidate.clock = single_shift.clock
    and cutoff_candidate.offset_cents = single_shift.outer_offset_cents
group by single_shift.transaction_id, cutoff_candidate.ordinal
