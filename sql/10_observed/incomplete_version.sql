-- model    incomplete_version
-- grain    one row per version of a transaction and field that it lacks: its payment type, brand or last four digits
-- reads    seen_transaction_version
-- rule     R-18: a refund on such a card is not certain to exceed its charges. Each part tests one column, because files say which columns have no NULL
-- silent   ACH
select transaction_id, account_type, last_four, billing_key, landing_seq, ordinal
from seen_transaction_version
where vault_type is null
union all
select transaction_id, account_type, last_four, billing_key, landing_seq, ordinal
from seen_transaction_version
where vault_type = 'CARD' and account_type is null
union all
select transaction_id, account_type, last_four, billing_key, landing_seq, ordinal
from seen_transaction_version
where vault_type = 'CARD' and last_four is null
