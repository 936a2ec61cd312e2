-- model    attribution
-- grain    one row per transaction that is in a settlement
-- reads    settled_member, pending_member, current_settlement
-- rule     R-05: every settled transaction is in at most one settlement; R-11: only approved, captured ones are listed for a PENDING one
-- silent   orphans, and what is settled but held, void or declined in the window of a PENDING settlement
select
    settled_member.transaction_id,
    settlement_id,
    current_settlement.terminal_id,
    method,
    action,
    settled_member.created,
    signed_cents
from
    settled_member
    inner join current_settlement using (settlement_id)
union all
select
    transaction_id,
    settlement_id,
    terminal_id,
    method,
    action,
    created,
    signed_cents
from pending_member
