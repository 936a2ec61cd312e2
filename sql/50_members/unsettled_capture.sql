-- model    unsettled_capture
-- grain    one row per approved, captured, not yet settled charge or refund, with the settlement that its record names, if that is known
-- reads    current_transaction, enum_value, known_settlement
-- rule     R-05: an id goes before arithmetic; R-11: only approved, captured transactions may be in a settlement still PENDING
-- silent   transactions that are HOLD, VOID or declined
select
    current_transaction.transaction_id, current_transaction.terminal_id, action,
    current_transaction.created, last_modified, signed_cents,
    known_settlement.settlement_id as named_id
from
    current_transaction
    left join known_settlement on known_settlement.settlement_id = explicit_settlement_id
where
    approved
    and not settled
    and current_transaction.status = 'CAPTURE'::enum_value
    and action in ('CHARGE'::enum_value, 'REFUND'::enum_value)
