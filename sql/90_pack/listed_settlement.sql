-- model    listed_settlement
-- grain    one row per settlement in the range
-- reads    tieout
-- rule     R-26: the pack lists the transactions of these
-- silent   settlements outside the range
select settlement_id
from tieout
where in_range
