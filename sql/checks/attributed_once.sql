-- check    attributed_once
-- grain    one row per transaction that is in more than one settlement
-- reads    attribution
-- rule     R-05: a transaction is placed once
-- silent   nothing
with
    -- Sorting puts equal ids beside each other. The ids come nearly sorted, so that sorting them costs less than grouping.
    in_order as (
        select transaction_id
        from attribution
        order by transaction_id
    ),
    beside as (
        select transaction_id, lag(transaction_id) over () as id_before
        from in_order
    )
select transaction_id, count(*) + 1 as settlement_count
from beside
where transaction_id = id_before
group by transaction_id
