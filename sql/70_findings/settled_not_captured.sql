-- finding  SETTLED_NOT_CAPTURED
-- grain    one row per settled transaction whose status is HOLD or VOID
-- reads    current_transaction, enum_value
-- rule     R-15: it counts in the computed net all the same
-- silent   settled but declined transactions (see SETTLED_NOT_APPROVED)
select
    'transaction' as subject_type,
    transaction_id::varchar as subject_id,
    terminal_id, signed_cents as amount_cents,
    'settled with status ' || status as detail,
    created as subject_created
from current_transaction
where settled and status in ('HOLD'::enum_value, 'VOID'::enum_value)
