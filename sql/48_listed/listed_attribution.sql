-- view     listed_attribution
-- grain    one row per transaction of a settlement in the range
-- reads    attribution, quiet_attribution, listed_settlement, current_transaction
-- rule     R-05: how it was placed
-- silent   orphans, and what is still open
select
    attribution.transaction_id,
    attribution.settlement_id,
    current_transaction.terminal_id,
    current_transaction.created,
    current_transaction.action,
    current_transaction.status,
    current_transaction.total_cents,
    current_transaction.signed_cents,
    attribution.method
from
    attribution
    semi join listed_settlement using (settlement_id)
    inner join current_transaction using (transaction_id)
union all
select
    transaction_id,
    settlement_id,
    quiet_attribution.terminal_id,
    created,
    known_word (action),
    known_word (status),
    total_cents,
    signed_cents,
    method_word (method)
from
    quiet_attribution
    semi join listed_settlement using (settlement_id)
