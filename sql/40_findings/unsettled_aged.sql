-- finding  UNSETTLED_AGED, warning
-- grain    one row per approved, captured charge or refund that has waited too long for its settlement
-- reads    placed_transaction, current_transaction
-- rule     R-14: open at as_of, and more than unsettled_days calendar days after its created
-- silent   VERIFY, members of PENDING settlements, and items at the threshold exactly
select
    'transaction' as subject_type,
    placed_transaction.transaction_id::varchar as subject_id,
    placed_transaction.terminal_id,
    placed_transaction.signed_cents as amount_cents,
    null::varchar as certainty,
    'not settled for ' || (getvariable('as_of_date') - placed_transaction.business_date)::varchar || ' days' as detail,
    current_transaction.created as subject_created
from
    placed_transaction
    inner join current_transaction using (transaction_id)
where
    place = 'OPEN'
    and current_transaction.approved
    and current_transaction.status = 'CAPTURE'
    and getvariable('as_of_date') - placed_transaction.business_date > getvariable('unsettled_days')
