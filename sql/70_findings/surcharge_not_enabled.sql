-- finding  SURCHARGE_NOT_ENABLED
-- grain    one row per transaction with a surcharge on a terminal that has none enabled
-- reads    current_terminal, current_transaction
-- rule     R-52: the terminal says that surcharge is not enabled
-- silent   terminals that say nothing about surcharge, as older versions of the interface do
select
    'transaction' as subject_type,
    transaction_id::varchar as subject_id,
    terminal_id, surcharge_cents as amount_cents,
    null::varchar as certainty,
    'surcharge of ' || money(surcharge_cents) || ' where it is not enabled' as detail,
    created as subject_created
from current_transaction inner join current_terminal using (terminal_id)
where surcharge_cents > 0 and not surcharge_enabled
