-- model    attribution
-- grain    one row per transaction that the explanation reads and its settlement
-- reads    relevant_settlement, relevant_transaction, stored_attribution, stored_evidence
-- rule     R-07: the members as the run has found them
-- silent   transactions of other terminals' settlements
select transaction_id, settlement_id
from stored_attribution
where
    settlement_id in (select settlement_id from relevant_settlement)
    and transaction_id in (select transaction_id from relevant_transaction)
union all
select *
from
    (
        select unnest(member_ids) as transaction_id, settlement_id
        from stored_evidence
        where member_ids is not null
    )
where transaction_id in (select transaction_id from relevant_transaction)
