-- check    settled_accounted_for
-- grain    one row per transaction that the models lost or made twice
-- reads    complete_settlement, current_transaction, settled_member, transaction_standing
-- rule     R-27: every transaction has exactly one standing
-- silent   nothing
with
    standing as not materialized (
        select transaction_id, 'COMPLETE' as place
        from settled_member semi join complete_settlement using (settlement_id)
        where action in ('CHARGE', 'REFUND')
        union all
        select transaction_id, place::varchar
        from transaction_standing
    ),
    -- Compares both sides by part, each with about a thousandth of all ids: the number of ids, and all their hashes combined.
    known_part as (
        select
            hash(transaction_id) >> 54 as part,
            count(*) as row_count,
            bit_xor(hash(transaction_id)) as print
        from current_transaction
        group by part
    ),
    placed_part as (
        select
            hash(transaction_id) >> 54 as part,
            count(*) as row_count,
            bit_xor(hash(transaction_id)) as print
        from standing
        where place is not null
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
    doubtful as (
        select part
        from known_part full join placed_part using (part)
        where
            known_part.row_count is distinct from placed_part.row_count
            or known_part.print is distinct from placed_part.print
        union
        select hash(transaction_id) >> 54
        from beside
        where transaction_id = id_before
    ),
    -- Two bounds are null if both sides agree, and then no id is compared. A join with the parts themselves would first put all
    -- ids into a table.
    bounds as (
        select min(part) as first_part, max(part) as last_part
        from doubtful
    ),
    placed as (
        select transaction_id, place
        from
            standing
            inner join bounds on hash(transaction_id) >> 54 between first_part and last_part
    )
select transaction_id, count(placed.place) as places
from
    current_transaction
    inner join bounds on hash(transaction_id) >> 54 between first_part and last_part
    left join placed using (transaction_id)
group by transaction_id
having count(placed.place) <> 1
