-- check    settled_accounted_for
-- grain    one row per transaction that the models lost or made twice
-- reads    complete_settlement, current_transaction, settled_member, transaction_standing
-- rule     R-27: every transaction has exactly one standing
-- silent   nothing
with
    standing_by_id as not materialized (
        select transaction_id, 'COMPLETE' as standing
        from settled_member semi join complete_settlement using (settlement_id)
        where action in ('CHARGE', 'REFUND')
        union all
        select transaction_id, standing::varchar
        from transaction_standing
    ),
    -- Compares both sides by part, each with about a thousandth of all ids: the number of ids, and all their hashes combined.
    known_part as (
        select
            hash(transaction_id) >> 54 as part,
            count(*) as row_count,
            bit_xor(hash(transaction_id)) as hash_xor
        from current_transaction
        group by part
    ),
    placed_part as (
        select
            hash(transaction_id) >> 54 as part,
            count(*) as row_count,
            bit_xor(hash(transaction_id)) as hash_xor
        from standing_by_id
        where standing is not null
        group by part
    ),
    in_order as (
        select transaction_id
        from current_transaction
        order by transaction_id
    ),
    beside as (
        select transaction_id, lag(transaction_id) over () as id_before
        from in_order
    ),
    differing_part as (
        select part
        from known_part full join placed_part using (part)
        where
            known_part.row_count is distinct from placed_part.row_count
            or known_part.hash_xor is distinct from placed_part.hash_xor
        union
        select hash(transaction_id) >> 54
        from beside
        where transaction_id = id_before
    ),
    -- Two bounds are null if both sides agree, and then no id is compared. A join with the parts themselves would first put all
    -- ids into a table.
    bounds as (
        select min(part) as first_part, max(part) as last_part
        from differing_part
    ),
    placed as (
        select transaction_id, standing
        from
            standing_by_id
            inner join bounds on hash(transaction_id) >> 54 between first_part and last_part
    )
select transaction_id, count(placed.standing) as standings
from
    current_transaction
    inner join bounds on hash(transaction_id) >> 54 between first_part and last_part
    left join placed using (transaction_id)
group by transaction_id
having count(placed.standing) <> 1
