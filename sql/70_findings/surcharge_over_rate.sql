-- finding  SURCHARGE_OVER_RATE
-- grain    one row per transaction whose surcharge is above its rate
-- reads    current_terminal, current_transaction
-- rule     R-53: percentage (its own, else its terminal's) of total less surcharge, rounded up, plus one cent
-- silent   transactions without a percentage of either
with
    rated_transaction as (
        select
            transaction_id, current_transaction.terminal_id, created, surcharge_cents,
            coalesce(current_transaction.surcharge_percentage, current_terminal.surcharge_percentage) as percentage,
            total_cents - surcharge_cents as charged_cents
        from current_transaction left join current_terminal using (terminal_id)
        where surcharge_cents > 0
    ),
    allowance as (
        select
            transaction_id, terminal_id, created, surcharge_cents, percentage,
            -- The percentage has four decimals, so a millionth of the product is a cent; whole numbers only.
            (
                ((percentage * 10000)::hugeint * greatest(charged_cents, 0) + 999999) // 1000000
            )::bigint + 1 as allowed_cents
        from rated_transaction
        where percentage is not null
    )
select
    'transaction' as subject_type,
    transaction_id::varchar as subject_id,
    terminal_id,
    surcharge_cents - allowed_cents as amount_cents,
    null::varchar as certainty,
    'surcharge of ' || money(surcharge_cents) || ', ' || percentage::varchar || ' percent allow ' || money(allowed_cents) as detail,
    created as subject_created
from allowance
where surcharge_cents > allowed_cents
