-- model    attribution
-- grain    one row per transaction that is in a settlement
-- reads    settled_member, pending_member, current_transaction, current_settlement
-- rule     R-05: every settled transaction is in at most one settlement; R-11: only approved, captured ones are listed for a PENDING one
-- silent   orphans, and what is settled but held, void or declined in the window of a PENDING settlement
select
    settled_member.transaction_id,
    settled_member.settlement_id,
    settled_member.terminal_id,
    settled_member.method
from
    settled_member
    inner join current_settlement using (settlement_id)
    inner join current_transaction using (transaction_id)
where
    current_settlement.status = 'COMPLETE'
    or (current_transaction.approved and current_transaction.status = 'CAPTURE')
union all
select
    transaction_id,
    settlement_id,
    terminal_id,
    method
from pending_member
