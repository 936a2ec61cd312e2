-- finding  CREATED_IN_FUTURE
-- grain    one row per settlement or transaction that was created after as_of, and more than a day after it was read
-- reads    current_settlement, current_transaction
-- rule     R-74: dated by the reading, because no report covers the day of its creation
-- silent   up to a day, because the clocks of the service and of the reader may differ
with
    future_record as (
        select
            'settlement' as subject_type,
            settlement_id::varchar as subject_id,
            terminal_id, reported_cents as amount_cents, created, last_changed as observed_at
        from current_settlement
        union all
        select
            'transaction',
            transaction_id::varchar,
            terminal_id, signed_cents, created, observed_at
        from current_transaction
    )
select
    subject_type, subject_id, terminal_id, amount_cents,
    'created ' || instant(created) || ', read ' || instant(observed_at) as detail,
    observed_at as subject_created
from future_record
where
    -- DuckDB compares numbers faster than times.
    epoch_us(created) - epoch_us(observed_at) > epoch_us(interval 1 day)
    and created > getvariable('as_of')
