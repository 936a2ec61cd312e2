-- model    pending_flag_timing
-- grain    one row: whether members get the settled flag only after their settlement is COMPLETE
-- reads    pending_cutoff
-- rule     R-11: members of a PENDING settlement may carry the settled flag or not; the nets of all of them show which
-- silent   nothing
select count(*) filter(where unsettled_ties) > count(*) filter(where settled_ties) as comes_later
from pending_cutoff
