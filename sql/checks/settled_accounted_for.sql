-- check    settled_accounted_for
-- grain    one row per transaction that the models lost or made twice
-- reads    complete_settlement, current_transaction, placed_transaction, settled_member
-- rule     R-27: every transaction stands in exactly one place
-- silent   nothing
with
    standing as not materialized (
        select
            transaction_id,
            'COMPLETE' as place
        from
            settled_member
            semi join complete_settlement using (settlement_id)
        where action in ('CHARGE', 'REFUND')
        union all
        select
            transaction_id,
            place::varchar
        from placed_transaction
    ),
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
        from standing
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
        from standing
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
