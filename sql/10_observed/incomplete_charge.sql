-- model    incomplete_charge
-- grain    one row per charge that lacks its payment type, brand or last four digits
-- reads    current_transaction, enum_value, incomplete_version, transaction_history
-- rule     R-18: a refund on such a card is not certain to exceed its charges
-- silent   ACH
select distinct
    current_transaction.transaction_id, current_transaction.created,
    nullif(card_brand (account_type), '') as brand,
    last_four,
    billing_key is null as is_nameless
from
    -- The versions are a table of their own. DuckDB then knows how few they are before it joins them.
    incomplete_version
    inner join current_transaction using (transaction_id)
    left join transaction_history using (transaction_id)
where
    current_transaction.action = 'CHARGE'::enum_value
    and moves_money (
        current_transaction.settled, current_transaction.approved,
        current_transaction.status = 'VOID'::enum_value
    )
    -- A newer version of the charge may have the missing fields.
    and (
        transaction_history.transaction_id is null
        or (
            incomplete_version.landing_seq = transaction_history.landing_seq
            and incomplete_version.ordinal = transaction_history.ordinal
        )
    )
