-- finding  UNSETTLED_AGED
-- grain    one row per approved, captured charge or refund that has waited too long for its settlement
-- reads    current_transaction, enum_value, transaction_standing
-- rule     R-14: open at as_of, and more than unsettled_days calendar days after its created
-- silent   VERIFY, members of PENDING settlements, items that became void since, and items at the threshold exactly
with
    open_item as (
        select
            transaction_id,
            any_value(transaction_standing.terminal_id) as terminal_id,
            any_value(transaction_standing.signed_cents) as signed_cents,
            any_value(getvariable('as_of_date') - transaction_standing.business_date) as age_days,
            any_value(current_transaction.created) as created
        from transaction_standing inner join current_transaction using (transaction_id)
        where
            standing = standing_value ('OPEN')
            and getvariable('as_of_date') - transaction_standing.business_date > getvariable('unsettled_days')
        group by
            transaction_id
            -- Computed for the few that are open. Before the join, DuckDB would hash all transactions instead of these.
        having
            bool_and(
                current_transaction.approved
                and current_transaction.status = 'CAPTURE'::enum_value
            )
    )
select
    'transaction' as subject_type,
    transaction_id::varchar as subject_id,
    terminal_id, signed_cents as amount_cents,
    'not settled for ' || age_days::varchar || ' days' as detail,
    created as subject_created
from open_item
