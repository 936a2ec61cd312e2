-- finding  UNSETTLED_AGED, warning
-- grain    one row per approved, captured charge or refund that has waited too long for its settlement
-- reads    placed_transaction
-- rule     R-14: open at as_of, and more than unsettled_days calendar days after its created
-- silent   VERIFY, members of PENDING settlements, and items at the threshold exactly
select
    'transaction' as subject_type,
    transaction_id::varchar as subject_id,
    terminal_id,
    signed_cents as amount_cents,
    null::varchar as certainty,
    'not settled for ' || (getvariable('as_of_date') - business_date)::varchar || ' days' as detail,
    created as subject_created
from placed_transaction
where
    place = 'OPEN'
    and approved
    and status = 'CAPTURE'
    and getvariable('as_of_date') - business_date > getvariable('unsettled_days')
