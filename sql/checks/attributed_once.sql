-- check    attributed_once
-- grain    one row per transaction that is in more than one settlement
-- reads    attribution
-- rule     R-05: a transaction is placed once
-- silent   nothing
with
    -- Ids of one block of 32 are bits of one number: a block of more rows than bits holds a repetition.
    crowded as (
        select transaction_id >> 5 as block
        from attribution
        group by block
        having count(*) > bit_count(bit_or(1::bigint << (transaction_id & 31)))
    )
select
    transaction_id,
    count(*) as settlement_count
from attribution
where transaction_id >> 5 in (select block from crowded)
group by transaction_id
having count(*) > 1
