-- model    stored_member
-- grain    one row per transaction of the explained settlement
-- reads    stored_attribution
-- rule     R-07: the members as the run has found them
-- silent   nothing
select transaction_id, created, method
from stored_attribution
where settlement_id = getvariable('explained_id')
