-- finding  SURCHARGE_OVER_RATE
-- grain    one row per charge whose surcharge is above its rate
-- reads    surcharged_transaction
-- rule     R-53: percentage (its own, else its terminal's) of total less surcharge, rounded up, plus one cent
-- silent   charges without a percentage of either
with
    allowance as (
        select
            transaction_id, terminal_id, created, surcharge_cents, percentage,
            -- The percentage has four decimals, so a millionth of the product is a cent; whole numbers only.
            (
                ((percentage * 10000)::hugeint * greatest(charged_cents, 0) + 999999) // 1000000
            )::bigint + 1 as allowed_cents
        from surcharged_transaction
        where percentage is not null
    )
select
    'transaction' as subject_type,
    transaction_id::varchar as subject_id,
    terminal_id,
    surcharge_cents - allowed_cents as amount_cents,
    'surcharge of ' || money(surcharge_cents) || ', ' || percentage::varchar || ' percent allow ' || money(allowed_cents) as detail,
    created as subject_created
from allowance
where surcharge_cents > allowed_cents
