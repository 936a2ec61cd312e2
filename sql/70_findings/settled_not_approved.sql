-- finding  SETTLED_NOT_APPROVED
-- grain    one row per settled transaction that was not approved
-- reads    current_transaction
-- rule     R-45: it counts in the computed net all the same
-- silent   approved transactions with the status HOLD or VOID (see SETTLED_NOT_CAPTURED)
select
    'transaction' as subject_type,
    transaction_id::varchar as subject_id,
    terminal_id, signed_cents as amount_cents,
    'settled without an approval' as detail,
    created as subject_created
from current_transaction
where settled and not approved
