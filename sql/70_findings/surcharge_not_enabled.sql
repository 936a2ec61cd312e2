-- finding  SURCHARGE_NOT_ENABLED
-- grain    one row per charge with a surcharge on a terminal that had none enabled
-- reads    surcharged_transaction
-- rule     R-52: the terminal said that surcharge was not enabled
-- silent   terminals that say nothing about surcharge, as older versions of the interface do
select
    'transaction' as subject_type,
    transaction_id::varchar as subject_id,
    terminal_id, surcharge_cents as amount_cents,
    'surcharge of ' || money(surcharge_cents) || ' where it was not enabled' as detail,
    created as subject_created
from surcharged_transaction
where not surcharge_enabled
