-- model    late_member
-- grain    one row per member of a later settlement, or an old one of the settlement before
-- reads    explained_evidence, later_settlement, previous_stored_settlement, stored_attribution, stored_evidence
-- rule     R-64: a transaction that was seen to settle late has its position after its time
-- silent   nothing
select transaction_id
from stored_attribution
where
    settlement_id in (
        select settlement_id
        from later_settlement
        union all
        select settlement_id
        from previous_stored_settlement
    )
    and created < (select earliest_at from explained_evidence)
union
select unnest(member_ids)
from stored_evidence semi join later_settlement using (settlement_id)
