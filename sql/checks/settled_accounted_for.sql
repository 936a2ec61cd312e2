-- check    settled_accounted_for
-- grain    one row per transaction that the models lost or made twice
-- reads    current_transaction, placed_transaction
-- rule     R-27: every transaction stands in exactly one place
-- silent   nothing
select
    transaction_id,
    count(placed_transaction.place) as places
from
    current_transaction
    left join placed_transaction using (transaction_id)
group by transaction_id
having count(placed_transaction.place) <> 1
