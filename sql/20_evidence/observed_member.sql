-- model    observed_member
-- grain    one row per transaction whose settlement follows from the sweeps between which it became settled
-- reads    current_transaction, known_settlement, manual_member, observed_candidate
-- rule     R-05: the only settlement whose chosen event lies between the two sweeps
-- silent   transactions with several possible settlements, which arithmetic places; transactions that a person has placed, or whose record now names a settlement
-- size     transactions, wide
with
    named_transaction as (
        select transaction_id
        from
            current_transaction
            semi join known_settlement on known_settlement.settlement_id = current_transaction.explicit_settlement_id
    )
select transaction_id, settlement_id, signed_cents
from
    observed_candidate
    anti join manual_member using (transaction_id)
    anti join named_transaction using (transaction_id)
where settlements = 1
