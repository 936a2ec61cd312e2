-- model    settlement_open_to_arithmetic
-- grain    one row per settlement that may contain a transaction which no observation places
-- reads    known_settlement, last_unobserved_transaction, observed_candidate
-- rule     R-09: an observation proves the settlement of its own transaction only
-- silent   settlements of which observations place every member: they have no rivals
select settlement_id
from observed_candidate
where settlements > 1
union
-- A transaction that was settled when first read may be in any settlement up to three days after the last such transaction.
select known_settlement.settlement_id
from
    known_settlement
    inner join last_unobserved_transaction on last_unobserved_transaction.terminal_id = known_settlement.terminal_id
    and known_settlement.created <= last_unobserved_transaction.last_at + interval 3 days
