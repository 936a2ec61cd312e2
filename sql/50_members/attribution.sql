-- view     attribution
-- grain    one row per transaction that is in a settlement
-- reads    enum_value, pending_member, settled_member
-- rule     R-05: every settled transaction is in at most one settlement; R-11: only approved, captured ones are listed for a PENDING one
-- silent   orphans, and settled transactions with HOLD, VOID or a decline in the window of a PENDING settlement
select transaction_id, settlement_id, terminal_id, method, action, status, created, signed_cents
from settled_member
where settlement_id is not null
union all
select
    transaction_id, settlement_id, terminal_id, method, action,
    'CAPTURE'::enum_value,
    created, signed_cents
from pending_member
