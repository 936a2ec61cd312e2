-- check    attributed_once
-- grain    one row per transaction that is in more than one settlement
-- reads    attribution
-- rule     R-05: a transaction is placed once
-- silent   nothing
select
    transaction_id,
    count(*) as settlement_count
from attribution
group by transaction_id
having count(*) > 1
