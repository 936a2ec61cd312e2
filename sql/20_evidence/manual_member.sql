-- model    manual_member
-- grain    one row per settled transaction that a person put into a settlement, or, without a settlement, into none
-- reads    current_settlement, current_transaction, manual_attribution
-- rule     R-39: a person's decision goes before all other evidence
-- silent   transactions that are not settled, and settlements that are not known
select
    manual_attribution.transaction_id, current_settlement.settlement_id,
    current_settlement.terminal_id, current_transaction.signed_cents
from
    manual_attribution
    inner join current_transaction using (transaction_id)
    left join current_settlement on current_settlement.settlement_id = manual_attribution.settlement_id
where
    current_transaction.settled
    and (current_settlement.settlement_id is null) = (manual_attribution.settlement_id is null)
