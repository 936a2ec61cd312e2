-- check    settled_accounted_for
-- grain    one row per transaction that the models lost or made twice
-- reads    current_transaction, placed_transaction
-- rule     R-27: every transaction stands in exactly one place
-- silent   nothing
with
    -- Ids of one block of 32 are bits of one number. As many bits as rows, and the same on both sides: each is in one place.
    known_block as (
        select
            transaction_id >> 5 as block,
            count(*) as row_count,
            bit_or(1::bigint << (transaction_id & 31)) as ids
        from current_transaction
        group by block
    ),
    placed_block as (
        select
            transaction_id >> 5 as block,
            count(*) as row_count,
            bit_or(1::bigint << (transaction_id & 31)) as ids
        from placed_transaction
        where place is not null
        group by block
    ),
    doubtful as (
        select block
        from
            known_block
            left join placed_block using (block)
        where
            known_block.row_count <> bit_count(known_block.ids)
            or known_block.row_count is distinct from placed_block.row_count
            or known_block.ids is distinct from placed_block.ids
    ),
    placed as (
        select
            transaction_id,
            place
        from placed_transaction
        where transaction_id >> 5 in (select block from doubtful)
    )
select
    transaction_id,
    count(placed.place) as places
from
    current_transaction
    left join placed using (transaction_id)
where transaction_id >> 5 in (select block from doubtful)
group by transaction_id
having count(placed.place) <> 1
